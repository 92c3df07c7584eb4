"""Plans of edits in one entry, and the edits that correct its fields.

A correction changes only the value of a field, and in a title or an author list only the wrong words or names.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum

from citeproof.fix.layout import Edit, inside, wrapped
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.readers.fields.authors import split_authors
from citeproof.readers.fields.bibtex_entry import written_name, written_title
from citeproof.text.latex import latex_of
from citeproof.text.name_comparison import NameAgreement
from citeproof.text.names import PARTICLES, Name, parse_name
from citeproof.text.normalize import normalize_title, plain_text
from citeproof.verification.validation.compare.authors import authors_in, pair_names

_NAMES = {
    "title": ("title",),
    "authors": ("author", "authors"),
    "year": ("year", "date"),
    "venue": ("journal", "journaltitle", "booktitle"),
}
"""BibTeX fields by attribute of a reference. The first one that the entry has is corrected."""
_IDENTIFIERS = ("doi", "eprint", "arxivid", "arxiv", "arxiv_id", "url", "ee", "link", "note", "howpublished", "journal")
_SUBTITLES = {"title": ("subtitle",), "venue": ("booksubtitle", "journalsubtitle")}
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")


_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Correction:
    """A field of a reference to correct, and the record that has the right value."""

    field: str
    """``title``, ``authors``, ``year``, ``venue``, ``doi`` or ``arxiv_id``."""
    codes: tuple[str, ...]
    """Codes of the differences that the correction removes."""
    record: Record


def edits(correction: Correction, reference: Reference, text: str, *, ascii_only: bool) -> Iterator[Edit]:
    """Yield the edits of ``text`` for ``correction``; none if the entry inherits the field.

    A title with a subtitle field stays unchanged, and a value of macros is replaced as a whole.
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
    """Yield edits of every field that contains the identifier: a wrong DOI is often part of the URL, too."""
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


def corrected_title(written: str, recorded: str, *, ascii_only: bool) -> str:
    """Return the title field ``written`` with the words of ``recorded``. Braces and macros of right words stay.

    ``{MapReduce}: Complex Data`` with the record ``MapReduce: Simplified Data`` becomes ``{MapReduce}: Simplified
    Data``. The whole title is replaced if single words cannot be, as inside a brace around several words.
    """
    ours, theirs = written.split(), recorded.split()
    left, right = [[normalize_title(word) for word in words] for words in (ours, theirs)]
    new: list[str] = []
    for tag, start, end, other, stop in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        whole = written_title(" ".join(theirs[other:stop]), ascii_only=ascii_only)
        new += ours[start:end] if tag == "equal" else [whole] if whole else []
    joined = " ".join(new)
    balanced = joined.count("{") == joined.count("}")
    if balanced and normalize_title(plain_text(joined)) == normalize_title(recorded):
        return joined
    return written_title(recorded, ascii_only=ascii_only)


def corrected_names(written: str, recorded: tuple[str, ...], *, ascii_only: bool) -> str:
    """Return the author field ``written`` with the authors of ``recorded``. Right names stay as written.

    ``Doe, J. and Smith, Ann`` with the record ``Jane Doe, Bob Jones`` becomes ``Doe, J. and Jones, Bob``.
    """
    pieces = [piece.strip() for piece in _parts(written)]
    pieces = [piece for piece in pieces if piece and piece.lower() != "others"]
    family_first = bool(pieces) and all("," in piece for piece in pieces)
    kept = _kept(pieces, recorded)
    new = (
        pieces[kept[place]] if place in kept else _in_style(name, family_first=family_first, ascii_only=ascii_only)
        for place, name in enumerate(recorded)
    )
    return " and ".join(new)


def _kept(pieces: list[str], recorded: tuple[str, ...]) -> dict[int, int]:
    """Return the index of the piece to keep for each index of ``recorded`` that has one.

    Equal names are paired before similar ones: ``Yi-min Yang`` could be ``Yi-min Xia`` with the family name first, but
    is ``Yi-min Yang``.
    """
    names = [parse_name(name) for name in recorded]
    people = {place: name for place, piece in enumerate(pieces) if (name := _one_person(piece, names))}
    kept: dict[int, int] = {}
    for place, name in enumerate(names):
        alike = [own for own, person in people.items() if person.words == name.words]
        if alike:
            kept[place] = min(alike, key=lambda own: abs(own - place))
            del people[kept[place]]
    own_places, free = list(people), [place for place in range(len(names)) if place not in kept]
    pairs = pair_names([people[own] for own in own_places], [names[place] for place in free])
    sure = {NameAgreement.SAME, NameAgreement.MISSPELT}
    return kept | {free[other]: own_places[own] for own, (other, agreement) in pairs.items() if agreement in sure}


def _parts(written: str) -> list[str]:
    """Return the names in a field, split at each ``and`` outside braces."""
    parts, start = [], 0
    for match in _AND.finditer(written):
        before = written[: match.start()]
        if before.count("{") == before.count("}"):
            parts.append(written[start : match.start()])
            start = match.end()
    return [*parts, written[start:]]


def _one_person(piece: str, recorded: list[Name]) -> Name | None:
    """Return the name in ``piece``; None if it names several authors of the record, separated by a comma."""
    people, _ = split_authors(piece)
    both = [parse_name(person) for name in people for person in authors_in(name)]
    if len(both) > len(people) and len(pair_names(both, recorded)) == len(both):
        return None
    return parse_name(people[0]) if len(people) == 1 else None


def _in_style(name: str, *, family_first: bool, ascii_only: bool) -> str:
    words = name.split()
    if not family_first or len(words) < 2:
        return written_name(name, ascii_only=ascii_only)
    cut = len(words) - 1
    while cut > 1 and words[cut - 1].lower() in PARTICLES:
        cut -= 1
    given, family = (written_name(" ".join(part), ascii_only=ascii_only) for part in (words[:cut], words[cut:]))
    return f"{family}, {given}"


class Kind(StrEnum):
    """Why a field changes."""

    CORRECTED = "corrected"
    """The record contradicts what was cited."""
    UPGRADED = "upgraded"
    """The preprint became its published version."""
    ADDED = "added"
    """The field was missing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The edits of one entry, and the values that the changed entry must have."""

    kind: Kind
    edits: tuple[Edit, ...]
    """Edits of the text; empty if the change cannot be written."""
    changing: frozenset[str]
    """Attributes of the reference that the edits change. All others must stay the same."""
    wanted: Mapping[str, object] = field(default_factory=dict)
    """Values that the changed entry must have."""
    fixed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Corrected attributes, each with the codes of the differences that the check must not find any more."""
    fields: tuple[tuple[str, str, str], ...] = ()
    """Changes of the entry's fields: name, old value, new value. One of the values may be empty."""
