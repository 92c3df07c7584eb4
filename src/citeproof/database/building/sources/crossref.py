"""Read works of Crossref as JSON lines or JSON lists:
https://www.crossref.org/learning/public-data-file/.
"""

from collections.abc import Iterator

from citeproof.database.building.source_file import SourceFile, json_chunks
from citeproof.database.building.sources import (
    Batch,
    Found,
    json_works,
    notices_of,
    row_of_fields,
    signed_by,
)
from citeproof.model.stored import JsonObject
from citeproof.online.works import crossref_fields, is_notice, notices_for_others

NAME = "crossref"
LICENCE: str | None = (
    "facts, without rights; abstracts are left out, Crossref, https://www.crossref.org"
)
CHUNKS = json_chunks
# types to skip
_NO_WORKS = frozenset({"component", "grant", "peer-review", "journal-issue", "journal-volume"})
accepts = signed_by(
    rb'\A(?:\xef\xbb\xbf)?\s*\{\s*"',
    rb'"DOI"',
    rb'"(?:indexed|deposited|is-referenced-by-count)"\s*:',
)


def records(file: SourceFile) -> Iterator[Batch]:
    """Yield the works in ``file``, in batches, and the notices of retraction and concern."""
    return json_works(file, _found, "work as Crossref describes them")


def _found(work: JsonObject) -> Found:
    day = str((work.get("indexed") or {}).get("date-time") or "")[:10] or None
    if work.get("type") in _NO_WORKS:
        return Found(day=day)
    fields = crossref_fields(work)
    others = notices_for_others(work).items() if is_notice(work) else ()
    about = (
        (doi, None, None, kind, url, None, NAME)
        for doi, said in others
        for kind, url in said.items()
    )
    issns = " ".join(map(str, work.get("ISSN") or ()))
    notices = (*notices_of(fields, NAME), *about)
    return Found(row_of_fields(fields, NAME), day, notices=notices, issns=issns)
