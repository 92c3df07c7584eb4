"""Codes of issues and of reasons for verdicts. Only codes that several modules use are listed here.

:mod:`citeproof.verification.validation.codes` and ``docs/verdicts.md`` list all codes with their
meanings. If an entry cannot be read, the code of the issue is the code of the diagnostic, such as
``bibtex.unbalanced``.
"""

from enum import StrEnum


class IssueCode(StrEnum):
    """Codes of problems with a reference, such as ``year.off``: the record has another year."""

    ARXIV_AFTER_YEAR = "arxiv.after_year"
    ARXIV_MALFORMED = "arxiv.malformed"
    ARXIV_OTHER_WORK = "arxiv.other_work"
    ARXIV_UNKNOWN = "arxiv.unknown"
    AUTHORS_COMMAS = "authors.commas"
    AUTHORS_DROPPED = "authors.dropped"
    AUTHORS_GIVEN_NAME = "authors.given_name"
    AUTHORS_NOT_ON_RECORD = "authors.not_on_record"
    AUTHORS_ORDER = "authors.order"
    AUTHORS_OTHER_PEOPLE = "authors.other_people"
    AUTHORS_PLACEHOLDER = "authors.placeholder"
    AUTHORS_SPELLING = "authors.spelling"
    DOI_DIFFERS = "doi.differs"
    DOI_MALFORMED = "doi.malformed"
    DOI_OTHER_VOLUME = "doi.other_volume"
    DOI_OTHER_WORK = "doi.other_work"
    DOI_UNASSIGNED = "doi.unassigned"
    DOI_UNKNOWN = "doi.unknown"
    NUMBER_DIFFERS = "number.differs"
    PAGES_DIFFER = "pages.differ"
    PROGRAM_FAULT = "program.fault"
    SOURCES_FAILED = "sources.failed"
    TITLE_MISSPELT = "title.misspelt"
    TITLE_WORD_CHANGED = "title.word_changed"
    VENUE_DIFFERENT = "venue.different"
    VENUE_NO_SUCH_EDITION = "venue.no_such_edition"
    VENUE_TWICE = "venue.twice"
    VENUE_UNKNOWN = "venue.unknown"
    VOLUME_ABSENT = "volume.absent"
    VOLUME_DIFFERS = "volume.differs"
    VOLUME_NOT_FOUND = "volume.not_found"
    VOLUME_RENAMED = "volume.renamed"
    VOLUME_COMPANION_NOT_HELD = "volume.companion_not_held"
    VOLUME_WITHOUT_IT = "volume.without_it"
    YEAR_FUTURE = "year.future"
    YEAR_OFF = "year.off"
    YEAR_OTHER_EDITION = "year.other_edition"


class ReasonCode(StrEnum):
    """Codes of reasons for a verdict, such as ``title_not_found``."""

    MALFORMED_IDENTIFIER = "malformed_identifier"
    IDENTITY_CONFLICT = "identity_conflict"
    ABSENT_FROM_COMPLETE_VOLUME = "absent_from_complete_volume"
    ABSENT_FROM_COMPLETE_SOURCE = "absent_from_complete_source"
    NOT_IN_CITED_VOLUME = "not_in_cited_volume"
    FUTURE_DATE = "future_date"
    TITLE_NOT_FOUND = "title_not_found"
    FOUND_NOWHERE = "found_nowhere"
    OUT_OF_SCOPE = "out_of_scope"
    NOT_CONFIRMED = "not_confirmed"
    PARSE_SUSPECT = "parse_suspect"
    NOT_A_REFERENCE = "not_a_reference"
    UNREADABLE_ENTRY = "unreadable_entry"
    PROGRAM_FAULT = "program_fault"
    NO_BROAD_SOURCE = "no_broad_source"
