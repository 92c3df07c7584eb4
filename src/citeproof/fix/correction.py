"""Write corrections of a reference into its BibTeX entry.

Only values of fields change. In a title only the wrong words change, and in an author list only the
wrong names. Venue, year, volume, number, pages and DOI are written together: if one of them cannot
be written into the entry, none of them changes.
"""

import re
from collections.abc import Iterator

from citeproof.fix.layout import Edit, Kind, Plan, inside, wrapped
from citeproof.fix.proposal import (
    FIELD_OF,
    NOT_IDENTIFIED,
    Codes,
    Proposal,
    correctable,
    proposals,
)
from citeproof.fix.wording import corrected_names, corrected_title
from citeproof.model.codes import IssueCode
from citeproof.model.reference import Place, Reference
from citeproof.model.verdict import Verdict
from citeproof.readers.fields.bibtex import written_title
from citeproof.text.normalize import plain_text
from citeproof.verification.validation.case import Case

_BIBTEX_FIELDS = {
    "title": ("title",),
    "authors": ("author", "authors"),
    "year": ("year", "date"),
    "venue": ("journal", "journaltitle", "booktitle"),
    "volume": ("volume",),
    "number": ("number", "issue"),
    "pages": ("pages",),
}
"""Map from an attribute of a reference to BibTeX fields that may have it. The first of these fields
that the entry has is corrected.
"""
_IDENTIFIERS = (
    *("doi", "eprint", "arxivid", "arxiv", "arxiv_id"),
    *("url", "ee", "link", "note", "howpublished", "journal"),
)
_SUBTITLES = {"title": ("subtitle",), "venue": ("booksubtitle", "journalsubtitle")}
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
NOT_WRITABLE = "the entry does not state the value in a form that can be changed"
NOT_SETTLED = "the corrected entry would not agree with the record either"


def plan_correction(
    reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool
) -> Plan | None:
    """Return a plan of all edits that correct ``reference``, or None if nothing can be corrected.

    ``case`` has the records of the cited work, and ``text`` is the whole document. If
    ``ascii_only`` is true, other characters are written as LaTeX commands.
    """
    codes, edits = correctable(verdict), list[Edit]()
    fixed: dict[str, tuple[str, ...]] = {}
    certain = [one for one in proposals(verdict, case) if not one.doubt]
    for proposal in certain:
        if new := _edits(proposal, reference, codes, text, ascii_only=ascii_only):
            edits += new
            fixed |= {name: codes.get(name, ()) for name in proposal.values}
    return Plan(Kind.CORRECTED, tuple(edits), frozenset(fixed), fixed=fixed) if certain else None


def why_left(
    code: str, reference: Reference, verdict: Verdict, case: Case | None, text: str
) -> str:
    """Return a sentence for users that says why the difference with the issue code ``code`` is not
    corrected, and which value may be right.

    ``case`` is None if the cited work was not found.
    """
    if case is None:
        return "the work is not identified"
    field = FIELD_OF.get(code)
    if field is None:
        return "the records do not say which value is right"
    codes = correctable(verdict)
    proposal = next((one for one in proposals(verdict, case) if field in one.about), None)
    if proposal is None:
        return NOT_IDENTIFIED
    doubt = proposal.doubt
    if not doubt:
        writable = _edits(proposal, reference, codes, text, ascii_only=True)
        doubt = NOT_SETTLED if writable else NOT_WRITABLE
    is_shown = doubt != NOT_IDENTIFIED and str(proposal)
    return f"{doubt}; perhaps: {proposal}" if is_shown else doubt


def _edits(
    proposal: Proposal, reference: Reference, codes: Codes, text: str, *, ascii_only: bool
) -> list[Edit]:
    """Return the edits that write all values of ``proposal`` into the entry of ``reference``. If
    one of the values cannot be written, return an empty list. ``codes`` maps the wrong attributes
    to their issue codes.
    """
    edits: list[Edit] = []
    for name, value in proposal.values.items():
        if name in {"doi", "arxiv_id"}:
            cited = getattr(reference, name)
            new = list(_identifier_edits(cited, str(value), reference.place, text))
        else:
            edit = _field_edit(name, proposal, reference, codes, text, ascii_only=ascii_only)
            new = [edit] if edit else []
        if not new:
            return []
        edits += new
    return edits


def _field_edit(
    name: str,
    proposal: Proposal,
    reference: Reference,
    codes: Codes,
    text: str,
    *,
    ascii_only: bool,
) -> Edit | None:
    """Return the edit that writes the value of ``proposal`` for the attribute ``name``, such as
    ``title``, into the entry.

    None if the entry inherits the field from another entry, or has a separate field for the
    subtitle.
    """
    place, value = reference.place, proposal.values[name]
    span = next(filter(None, map(place.field, _BIBTEX_FIELDS[name])), None)
    if span is None or any(map(place.field, _SUBTITLES.get(name, ()))):
        return None
    raw = text[span.start : span.end]
    inner = inside(raw)
    new: str | None
    if isinstance(value, tuple):
        given_names = IssueCode.AUTHORS_GIVEN_NAME in codes["authors"]
        new = corrected_names(inner or "", value, ascii_only=ascii_only, given_names=given_names)
    elif proposal.publication:
        written = proposal.publication.written(name, ascii_only=ascii_only)
        new = _of_publication(name, written, reference, inner)
    elif inner is None:
        new = written_title(value, ascii_only=ascii_only)
    else:
        new = corrected_title(inner, value, ascii_only=ascii_only)
    return (span, wrapped(new, raw)) if new else None


def _of_publication(name: str, new: str, reference: Reference, inner: str | None) -> str | None:
    """Return the new content of the field for the attribute ``name``: its present content ``inner``
    with the value replaced by ``new``. None if the field contains more than this value.
    """
    if name == "year" and inner:
        # A date with a month is not changed, because the month belongs to the wrong year.
        years = _YEAR.findall(inner)
        is_alone = len(years) == 1 and inner.strip("{} ") == years[0]
        return _YEAR.sub(new, inner) if is_alone else None
    if name == "venue" and inner is not None:
        return new if " ".join(plain_text(inner).split()) == reference.venue else None
    return new


def _identifier_edits(cited: str, right: str, place: Place, text: str) -> Iterator[Edit]:
    """Yield edits that replace the identifier ``cited`` by ``right`` wherever a field of the entry
    contains it, such as ``doi`` or ``url``.
    """
    escaped = cited.replace("_", r"\_")
    for name in _IDENTIFIERS:
        span = place.field(name)
        if span is None:
            continue
        raw = text[span.start : span.end]
        found = next(
            (
                match
                for form in (cited, escaped)
                if (match := re.search(re.escape(form), raw, re.I))
            ),
            None,
        )
        if found:
            new = (
                right.replace("_", r"\_")
                if found[0] != cited and escaped != cited and name != "url"
                else right
            )
            yield span, raw[: found.start()] + new + raw[found.end() :]
