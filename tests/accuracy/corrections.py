"""How many damaged fields are corrected, and whether a right one ever changes.

Entries are made of records of the database, one field of each is damaged, and the corrected
document is compared with the undamaged one field by field. A damaged field has one right value
where a single published work of the database has the title and the people, and where the verdict
holds the field against the reference: what nothing contradicts, such as a venue that is not held,
may be true. Where nobody of the cited people is on the record, the title may be wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.fix.document import Corrector
from citeproof.fix.proposal import FIELD_OF
from citeproof.model.reference import Severity
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.text.normalize import normalize_title
from citeproof.text.title_words import title_words
from tests.accuracy import damage
from tests.accuracy.entries import entry, fields_of, kind_of, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.model.record import Record
    from citeproof.model.reference import Reference
    from citeproof.verification.session import Session

FIELDS = ("title", "authors", "year", "venue", "doi", "arxiv_id", "pages", "volume", "number")
DAMAGED = {
    "invented_author": "authors",
    "foreign_authors": "authors",
    "word_changed": "title",
    "wrong_venue": "venue",
    "foreign_doi": "doi",
    "year_plus_3": "year",
}
"""Kind of damage, and the field it is done to.

A chimera is two works: nobody can say which field of it is wrong.
"""


@dataclass(frozen=True, slots=True)
class Count:
    """What became of damaged fields."""

    damaged: int
    one_right: int
    restored: int
    changed: int
    """Right fields that were changed, and damaged ones that got another wrong value."""
    missed: tuple[Reference, ...]


def measure(
    session: Session, kind: str, records: Sequence[Record], others: Sequence[Record]
) -> Count:
    """Damage one field of each of ``records`` and count what is restored."""
    truth = read(
        [
            entry(kind_of(record), f"{kind}{n}", fields_of(record))
            for n, record in enumerate(records)
        ]
    )
    text = "\n\n".join(damage.damaged(kind, records, others))
    document = Document.of_text(text, "damaged.bib")
    references = bibtex.read(document).references
    corrector = Corrector(
        bibtex.read,
        session.pipeline.examine,
        session.validator,
    )
    corrected = bibtex.read(
        Document.of_text(corrector.correct(document).data.decode(), "corrected.bib")
    ).references
    field = DAMAGED[kind]
    damaged = one_right = restored = changed = 0
    missed = []
    for right, wrong, now in zip(truth, references, corrected, strict=True):
        changed += sum(
            _value(now, name) not in {_value(wrong, name), _value(right, name)} for name in FIELDS
        )
        changed += sum(
            _value(wrong, name) == _value(right, name) != _value(now, name) for name in FIELDS
        )
        if _value(right, field) == _value(wrong, field):
            continue
        damaged += 1
        is_right = _value(now, field) == _value(right, field)
        restored += is_right
        if is_right or _has_one_right_value(session, wrong, field):
            one_right += 1
            missed += [] if is_right else [wrong]
    return Count(damaged, one_right, restored, changed, tuple(missed))


def _has_one_right_value(session: Session, wrong: Reference, field: str) -> bool:
    """Whether the verdict holds the field against the reference, and one published work is
    meant.
    """
    examination = session.pipeline.examine(wrong)
    issues = [issue for issue in examination.verdict.issues if issue.severity is Severity.ISSUE]
    codes = {issue.code for issue in issues}
    contradicted = any(FIELD_OF.get(code) == field for code in codes - {"authors.other_people"})
    records = session.validator.case(wrong, examination.findings).records
    one_value = len({_value(record, field) for record in records}) == 1
    cites_doi = wrong.doi in {record.doi for record in records if record.doi}
    # a single record may be wrong in a word, and a work may have appeared twice
    needs_doi = field in {"title", "authors", "venue"} and len(records) == 1
    if not (contradicted and one_value):
        return False
    lengths = {len(title_words(title)) for title in (wrong.title, *(one.title for one in records))}
    if needs_doi and field == "title" and len(lengths) > 1:
        return False  # the record may have lost a word
    return cites_doi or not needs_doi


def _value(noun: Reference | Record, field: str) -> object:
    """Return a field as it is compared: two records of one work often differ in the capitals of the
    title, and ``ACL (1)`` is written ``ACL``.
    """
    value = getattr(noun, field)
    if field == "venue":
        return re.sub(r"\s\(\d+\)$", "", value)
    return normalize_title(value) if field == "title" else value
