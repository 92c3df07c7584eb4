"""Correct fields of a reference that differ from the record of the cited work.

A field is corrected if it is wrong or misspelt, and the other fields identify the work. All records
that agree best with the other fields must have the same value of the field.

Example: title, authors and venue lead to one record of 2017, and 2020 is cited: the year becomes
2017. If a preprint of 2016 and a paper of 2017 agree equally well with the other fields, the year
stays 2020.

Only the value of a field changes: in a title only the wrong words, in an author list only the wrong
names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from difflib import SequenceMatcher

from citeproof.fix.layout import Edit, Kind, Plan, inside, wrapped
from citeproof.model.codes import IssueCode
from citeproof.model.record import Record
from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.verdict import Status, Verdict
from citeproof.readers.fields.authors import split_authors
from citeproof.readers.fields.bibtex import written_name, written_title
from citeproof.text.identifiers import is_aside
from citeproof.text.latex import latex_of
from citeproof.text.name_comparison import NameAgreement
from citeproof.text.names import PARTICLES, Name, parse_name
from citeproof.text.normalize import normalize_title, plain_text
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.authors import authors_in, pair_names
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.compare.venues import VenueAgreement, is_preprint

_CORRECTABLE = {
    "title": (IssueCode.TITLE_WORD_CHANGED, IssueCode.TITLE_MISSPELT),
    "authors": (
        IssueCode.AUTHORS_PLACEHOLDER,
        IssueCode.AUTHORS_OTHER_PEOPLE,
        IssueCode.AUTHORS_NOT_ON_RECORD,
        IssueCode.AUTHORS_GIVEN_NAME,
        IssueCode.AUTHORS_DROPPED,
    ),
    "year": (IssueCode.YEAR_FUTURE, IssueCode.YEAR_OFF, IssueCode.YEAR_OTHER_EDITION),
    "venue": (
        IssueCode.VENUE_DIFFERENT,
        IssueCode.VENUE_NO_SUCH_EDITION,
        IssueCode.VENUE_TWICE,
        IssueCode.VENUE_UNKNOWN,
    ),
    "doi": (
        IssueCode.DOI_DIFFERS,
        IssueCode.DOI_OTHER_VOLUME,
        IssueCode.DOI_OTHER_WORK,
        IssueCode.DOI_MALFORMED,
        IssueCode.DOI_UNASSIGNED,
        IssueCode.DOI_UNKNOWN,
    ),
    "arxiv_id": (IssueCode.ARXIV_MALFORMED, IssueCode.ARXIV_OTHER_WORK, IssueCode.ARXIV_UNKNOWN),
}
FIELD_OF: Mapping[str, str] = {
    code: field for field, codes in _CORRECTABLE.items() for code in codes
}
"""Map from the code of a difference, such as ``year.off``, to the field that is corrected, such as
``year``.
"""
_BIBTEX_FIELDS = {
    "title": ("title",),
    "authors": ("author", "authors"),
    "year": ("year", "date"),
    "venue": ("journal", "journaltitle", "booktitle"),
}
"""Map from an attribute of a reference to BibTeX fields.

Of these fields, the first in the entry is corrected.
"""
_IDENTIFIERS = (
    "doi",
    "eprint",
    "arxivid",
    "arxiv",
    "arxiv_id",
    "url",
    "ee",
    "link",
    "note",
    "howpublished",
    "journal",
)
_SUBTITLES = {"title": ("subtitle",), "venue": ("booksubtitle", "journalsubtitle")}
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")


def _correctable_codes(verdict: Verdict) -> list[str]:
    # A misspelt title is corrected as well, although it is a note and does not count.
    wrong = (
        one
        for one in verdict.issues
        if one.severity is Severity.ISSUE or one.code == IssueCode.TITLE_MISSPELT
    )
    return [code for code in dict.fromkeys(one.code for one in wrong) if code in FIELD_OF]


def _corrections(verdict: Verdict, case: Case) -> dict[str, Record]:
    """Return a map from each correctable field to a record that has the correct value."""
    contradicted = dict.fromkeys(FIELD_OF[code] for code in _correctable_codes(verdict)).keys()
    if verdict.status in {Status.UNVERIFIED, Status.ERROR} or not _identified(case, contradicted):
        return {}
    records = _agreeing(verdict.reference, case, contradicted)
    found = {}
    for field in contradicted:
        stating = [record for record in records if _stated(record, field) is not None]
        if len({_stated(record, field) for record in stating}) == 1:
            found[field] = stating[0]
    return found


def why_left(
    code: str, reference: Reference, verdict: Verdict, case: Case | None, text: str
) -> str:
    """Return a text on why the difference ``code`` is not corrected.

    ``case`` is None if no cited work was found.
    """
    field = FIELD_OF.get(code)
    if case is None:
        return "the work is not identified"
    if field is None:
        return "the records do not say which value is right"
    if field in _corrections(verdict, case):
        plan = plan_correction(reference, verdict, case, text, ascii_only=True)
        if plan and field in plan.fixed:
            return "the corrected entry would not agree with the record either"
        return "the entry does not state the field in a form that can be changed"
    if not _identified(
        case, {FIELD_OF[each.code] for each in verdict.issues if each.code in FIELD_OF}
    ):
        return "the rest of the entry does not identify the work with certainty"
    return "the records of the work state different values, or none"


def _identified(case: Case, contradicted: Set[str]) -> bool:
    """Return whether the fields other than ``contradicted`` suffice to identify the cited work.

    Title and authors suffice if the record has every cited author. If some authors are wrong, the
    title suffices with the DOI, with the year, or with the venue and a year at most one off. If all
    authors are wrong, the DOI must agree. If the title is wrong, the authors suffice with the DOI,
    or with the venue and a year at most one off.
    """
    if not (best := case.best):
        return False
    identifier = "doi" not in contradicted and any(item.doi for item in case.work)
    place = (
        case.venue is VenueAgreement.SAME
        and best.year_gap <= 1
        and not {"venue", "year"} & contradicted
    )
    people = best.authors_agree and best.authors.share == 1
    if "title" in contradicted:
        return people and "authors" not in contradicted and (identifier or place)
    if "authors" in contradicted:
        if best.authors.comparable and not best.authors.agreeing and not case.placeholders:
            return identifier  # a title by nobody of the cited people is often another work's title
        return best.title.same and (identifier or place or best.year_gap == 0)
    return best.title.same and people


def _agreeing(reference: Reference, case: Case, contradicted: Set[str]) -> tuple[Record, ...]:
    """Return the records that agree best with the reference.

    The fields ``contradicted`` are not compared.
    """
    ranked = []
    for item in case.work:
        record = item.record
        same = {
            "doi": item.doi,
            "arxiv_id": bool(record.arxiv_id)
            and arxiv_id_of(reference).lower() == record.arxiv_id.lower(),
            "year": reference.year == record.year,
            "venue": item.venue is VenueAgreement.SAME,
        }
        ranked.append(
            (sum(agrees for field, agrees in same.items() if field not in contradicted), record)
        )
    best = max((rank for rank, _ in ranked), default=0)
    records = tuple(record for rank, record in ranked if rank == best)
    published = tuple(record for record in records if not is_preprint(record))
    # If a preprint and a paper agree equally well, a reference to proceedings means the paper.
    return (
        published
        if published and reference.entry_type in {"inproceedings", "conference"}
        else records
    )


def _stated(record: Record, field: str) -> object | None:
    """Return the value of ``field`` in a record, normalized for comparison, or None if the record
    has no value.
    """
    if field == "authors":
        return tuple(map(normalize_title, record.authors)) or None
    if field == "title":
        return normalize_title(record.title) or None
    value = getattr(record, field)
    return None if not value or (field == "doi" and is_aside(value)) else value


def shown(values: Sequence[str] | str | int | None) -> str:
    """Return the value of a field as one line of text for users.

    Authors are separated by semicolons.
    """
    return "; ".join(values) if isinstance(values, tuple | list) else str(values or "")


def plan_correction(
    reference: Reference, verdict: Verdict, case: Case, text: str, ascii_only: bool
) -> Plan | None:
    """Return a plan of all edits that correct ``reference``, or None if no field can be
    corrected.
    """
    edits: list[Edit] = []
    fixed = {}
    for field, record in (found := _corrections(verdict, case)).items():
        if new := list(_edits(field, record, reference, text, ascii_only=ascii_only)):
            edits += new
            fixed[field] = tuple(
                code for code in _correctable_codes(verdict) if FIELD_OF[code] == field
            )
    return Plan(Kind.CORRECTED, tuple(edits), frozenset(fixed), fixed=fixed) if found else None


def _edits(
    field: str, record: Record, reference: Reference, text: str, *, ascii_only: bool
) -> Iterator[Edit]:
    """Yield edits that give ``field`` the value in ``record``.

    A field inherited from another entry is not edited.
    """
    place = reference.place
    if field in {"doi", "arxiv_id"}:
        yield from _identifier_edits(getattr(reference, field), getattr(record, field), place, text)
        return
    span = next(filter(None, map(place.field, _BIBTEX_FIELDS[field])), None)
    # inherited, or with a separate subtitle
    if span is None or any(map(place.field, _SUBTITLES.get(field, ()))):
        return
    raw = text[span.start : span.end]
    inner = inside(raw)
    if field == "year":
        year = str(record.year)
        new = _YEAR.sub(year, inner, count=1) if inner and _YEAR.search(inner) else year
    elif field == "venue":
        if inner is not None and " ".join(plain_text(inner).split()) != reference.venue:
            return
        new = latex_of(record.venue, ascii_only=ascii_only)
    elif field == "title":
        written = written_title(record.title, ascii_only=ascii_only)
        new = (
            written
            if inner is None
            else corrected_title(inner, record.title, ascii_only=ascii_only)
        )
    else:
        new = corrected_names(inner or "", record.authors, ascii_only=ascii_only)
    yield span, wrapped(new, raw)


def _identifier_edits(cited: str, right: str, place: Place, text: str) -> Iterator[Edit]:
    """Yield edits that replace the identifier ``cited`` by ``right`` in all fields, such as ``doi``
    and ``url``.
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


def corrected_title(written: str, recorded: str, *, ascii_only: bool) -> str:
    """Return the LaTeX title ``written`` with wrong words replaced.

    Other words keep their braces and macros.

    ``{MapReduce}: Complex Data`` with the record ``MapReduce: Simplified Data`` becomes
    ``{MapReduce}: Simplified Data``. If braces enclose several words, of which some are wrong, the
    whole title is replaced.
    """
    ours, theirs = written.split(), recorded.split()
    left, right = (list(map(normalize_title, words)) for words in (ours, theirs))
    new: list[str] = []
    for tag, start, end, other, stop in SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        whole = written_title(" ".join(theirs[other:stop]), ascii_only=ascii_only)
        new += ours[start:end] if tag == "equal" else [whole] if whole else []
    joined = " ".join(new)
    balanced = joined.count("{") == joined.count("}")
    right_words = normalize_title(plain_text(joined)) == normalize_title(recorded)
    return joined if balanced and right_words else written_title(recorded, ascii_only=ascii_only)


def corrected_names(written: str, recorded: tuple[str, ...], *, ascii_only: bool) -> str:
    """Return the author field ``written`` with wrong names replaced by recorded names.

    Correct names stay as written.

    ``Doe, J. and Smith, Ann`` with the record ``Jane Doe, Bob Jones`` becomes ``Doe, J. and Jones,
    Bob``.
    """
    pieces = [piece.strip() for piece in _split_names(written)]
    pieces = [piece for piece in pieces if piece and piece.lower() != "others"]
    family_first = bool(pieces) and all("," in piece for piece in pieces)
    kept = _right_names(pieces, recorded)
    new = (
        pieces[kept[place]]
        if place in kept
        else _in_style(name, family_first=family_first, ascii_only=ascii_only)
        for place, name in enumerate(recorded)
    )
    return " and ".join(new)


def _right_names(pieces: list[str], recorded: tuple[str, ...]) -> dict[int, int]:
    """Return a map from the index of a name in ``recorded`` to the index of the same person in
    ``pieces``.

    Equal names are paired before similar names, so that ``Yi-min Yang`` is not paired with ``Yi-min
    Xia``.
    """
    names = [parse_name(name) for name in recorded]
    people = {
        place: name for place, piece in enumerate(pieces) if (name := _one_person(piece, names))
    }
    kept: dict[int, int] = {}
    for place, name in enumerate(names):
        if alike := [own for own, person in people.items() if person.words == name.words]:
            kept[place] = min(alike, key=lambda own: abs(own - place))
            del people[kept[place]]
    own_places, free = list(people), [place for place in range(len(names)) if place not in kept]
    pairs = pair_names([people[own] for own in own_places], [names[place] for place in free])
    sure = {NameAgreement.SAME, NameAgreement.MISSPELT}
    return kept | {
        free[other]: own_places[own]
        for own, (other, agreement) in pairs.items()
        if agreement in sure
    }


def _split_names(written: str) -> list[str]:
    """Split an author field at each ``and`` outside braces."""
    parts, start = [], 0
    for match in re.finditer(r"\s+and\s+", written, re.IGNORECASE):
        before = written[: match.start()]
        if before.count("{") == before.count("}"):
            parts.append(written[start : match.start()])
            start = match.end()
    return [*parts, written[start:]]


def _one_person(piece: str, recorded: list[Name]) -> Name | None:
    """Return the name in ``piece``, or None if ``piece`` has several authors, such as ``Jane Doe,
    Ann Smith``.
    """
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
    given, family = (
        written_name(" ".join(part), ascii_only=ascii_only) for part in (words[:cut], words[cut:])
    )
    return f"{family}, {given}"
