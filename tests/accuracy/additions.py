"""What ``fix --complete`` adds and ``fix --upgrade`` changes, compared with the records from which
the entries are made.

For completion, entries of papers lack everything that can be added: first DOI, pages, volume and
number, then also the venue. For upgrades, preprints of CoRR are cited in the four ways in which
arXiv, ADS, DBLP and authors write them. A value is wrong if it differs from the record, or from all
published versions of the preprint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.fix.document import Corrector
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.text.normalize import normalize_title
from tests.accuracy.entries import entry, escaped, fields_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.model.record import Record
    from citeproof.model.reference import Reference
    from citeproof.verification.session import Session

ADDED = ("doi", "pages", "volume", "number", "venue")


@dataclass(frozen=True, slots=True)
class Count:
    """What became of entries."""

    entries: int
    changed: int
    wrong: tuple[Reference, ...]
    """As they read now."""


def completed(session: Session, records: Sequence[Record], *, venue: bool) -> Count:
    """Complete entries of ``records`` that state title, people and year, and the venue if
    ``venue``.
    """
    left_out = {"doi"} if venue else {"doi", "journal", "booktitle"}
    entries = [
        entry(
            kind_of(one),
            f"c{n}",
            {name: value for name, value in fields_of(one).items() if name not in left_out},
        )
        for n, one in enumerate(records)
    ]
    before, after = _corrected(session, entries, complete=True)
    added = [
        [name for name in ADDED if _value(was, name) != _value(now, name)]
        for was, now in _pairs(before, after)
    ]
    wrong = [
        now
        for now, record, names in zip(after, records, added, strict=True)
        if any(_value(now, name) != _value(record, name) for name in names)
    ]
    return Count(len(entries), sum(map(bool, added)), tuple(wrong))


def upgraded(session: Session, twins: Sequence[tuple[Record, Sequence[Record]]]) -> Count:
    """Upgrade entries of preprints; ``twins`` are preprints, each with its published versions."""
    before, after = _corrected(
        session, [_cited(n, preprint) for n, (preprint, _) in enumerate(twins)], upgrade=True
    )
    changed = [now for was, now in _pairs(before, after) if was.venue != now.venue]
    wrong = [
        now
        for now, was, (preprint, published) in zip(after, before, twins, strict=True)
        if was.venue != now.venue
        and not (
            now.arxiv_id == preprint.arxiv_id and any(_is_of(now, version) for version in published)
        )
    ]
    return Count(len(twins), len(changed), tuple(wrong))


def twins_of(records: Sequence[Record]) -> list[tuple[Record, list[Record]]]:
    """Return the preprints on CoRR of which ``records`` hold a paper of the same title, with all
    such papers.
    """
    preprints = {
        normalize_title(one.title): one
        for one in records
        if one.publtype == "informal" and one.arxiv_id
    }
    found: dict[str, list[Record]] = {}
    for record in records:
        title = normalize_title(record.title)
        if title in preprints and not record.publtype:
            found.setdefault(title, []).append(record)
    return [(preprints[title], found[title]) for title in sorted(found)]


def _corrected(
    session: Session, entries: Sequence[str], *, upgrade: bool = False, complete: bool = False
) -> tuple[tuple[Reference, ...], tuple[Reference, ...]]:
    document = Document.of_text("\n\n".join(entries), "additions.bib")
    corrector = Corrector(
        bibtex.read,
        session.pipeline.examine,
        session.validator,
        upgrade=upgrade,
        complete=complete,
    )
    result = Document.of_text(corrector.correct(document).data.decode(), "additions.bib")
    return bibtex.read(document).references, bibtex.read(result).references


def _pairs(
    before: Sequence[Reference], after: Sequence[Reference]
) -> zip[tuple[Reference, Reference]]:
    return zip(before, after, strict=True)


def _is_of(reference: Reference, record: Record) -> bool:
    """Whether a reference is described as ``record`` is."""
    venue = _value(record, "venue")
    return (reference.year, _value(reference, "venue")) == (record.year, venue) and record.doi in {
        reference.doi,
        "",
    }


def _value(noun: Reference | Record, name: str) -> str:
    """Return a field as it is compared: dashes, and DBLP's ``(1)`` behind a venue, are no
    difference.
    """
    value = str(getattr(noun, name))
    return value.partition(" (")[0] if name == "venue" else value.replace("\u2013", "-")


def _cited(number: int, preprint: Record) -> str:
    """Return a preprint as an entry, in one way after the other."""
    key, year, own = f"u{number}", str(preprint.year), preprint.arxiv_id
    named = {
        "title": escaped(preprint.title),
        "author": " and ".join(map(escaped, preprint.authors)),
    }
    forms = (
        ("article", {"journal": f"arXiv preprint arXiv:{own}", "year": year}),
        ("misc", {"year": year, "eprint": own, "archivePrefix": "arXiv", "primaryClass": "cs.CV"}),
        (
            "article",
            {
                "journal": "CoRR",
                "volume": preprint.volume,
                "year": year,
                "doi": preprint.doi,
                "eprint": own,
            },
        ),
        (
            "ARTICLE",
            {
                "journal": "arXiv e-prints",
                "year": year,
                "month": "jun",
                "eid": f"arXiv:{own}",
                "eprint": own,
            },
        ),
    )
    kind, fields = forms[number % len(forms)]
    return entry(kind, key, named | fields)
