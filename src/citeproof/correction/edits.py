"""Where in a BibTeX entry a correction is written, and what stands there then.

Only the value of the field changes: its name, its quotes or braces, its place and all around it stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.correction.layout import inside, wrapped
from citeproof.correction.people import corrected_names
from citeproof.correction.titles import corrected_title
from citeproof.fields.bibtex_entry import written_title
from citeproof.text.latex_writing import latex_of
from citeproof.text.normalize import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.correction.layout import Edit
    from citeproof.correction.values import Correction
    from citeproof.models import Reference

_NAMES = {
    "title": ("title",),
    "authors": ("author", "authors"),
    "year": ("year", "date"),
    "venue": ("journal", "journaltitle", "booktitle"),
}
"""The fields that may hold a value, those that count first; the first that the entry states itself is written to."""
_IDENTIFIERS = ("doi", "eprint", "arxivid", "arxiv", "arxiv_id", "url", "ee", "link", "note", "howpublished", "journal")
_SUBTITLES = {"title": ("subtitle",), "venue": ("booksubtitle", "journalsubtitle")}
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")


def edits(correction: Correction, reference: Reference, text: str, *, ascii_only: bool) -> Iterator[Edit]:
    """Yield the changes of ``text`` that ``correction`` asks for; none where the entry does not state the field itself.

    A value that is put together of macros or in two fields is not one that can be changed in part: the title and its
    subtitle stay, a macro is replaced as a whole.
    """
    place, record = reference.place, correction.record
    if correction.field in {"doi", "arxiv_id"}:
        yield from _identifier(correction, reference, text)
        return
    if any(place.field(name) for name in _SUBTITLES.get(correction.field, ())):
        return
    name = next((name for name in _NAMES[correction.field] if place.field(name)), "")
    span = place.field(name)
    if span is None:
        return
    raw = text[span.start : span.end]
    inner = inside(raw)
    if correction.field == "year":
        year = str(record.year)
        found = _YEAR.search(inner or "")
        new = inner[: found.start()] + year + inner[found.end() :] if inner is not None and found else year
    elif correction.field == "venue":
        if inner is not None and " ".join(plain_text(inner).split()) != reference.venue:
            return
        new = latex_of(record.venue, ascii_only=ascii_only)
    elif correction.field == "title":
        written = written_title(record.title, ascii_only=ascii_only)
        new = written if inner is None else corrected_title(inner, record.title, ascii_only=ascii_only)
    else:
        new = corrected_names(inner or "", record.authors, ascii_only=ascii_only)
    yield span, wrapped(new, raw)


def _identifier(correction: Correction, reference: Reference, text: str) -> Iterator[Edit]:
    """Replace an identifier wherever the entry states it: a wrong DOI often stands in the address too."""
    cited, right = getattr(reference, correction.field), getattr(correction.record, correction.field)
    for name in _IDENTIFIERS:
        span = reference.place.field(name)
        if span is None:
            continue
        raw = text[span.start : span.end]
        escaped = cited.replace("_", r"\_")
        found = next((match for form in (cited, escaped) if (match := re.search(re.escape(form), raw, re.I))), None)
        if found:
            new = right.replace("_", r"\_") if found[0] != cited and escaped != cited and name != "url" else right
            yield span, raw[: found.start()] + new + raw[found.end() :]
