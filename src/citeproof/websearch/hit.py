"""A hit of a web search: how its title agrees with the cited one, and which further facts do.

Only what the engine itself shows is read; the page behind a hit is never fetched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.models import Candidate, MatchKind, Record
from citeproof.text.entities import resolve_entities
from citeproof.text.identifiers import find_arxiv_id, find_doi
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.text.words import family_name

if TYPE_CHECKING:
    from citeproof.models import Reference

_TAG = re.compile(r"<[^<>]{1,60}>")
_MARK = re.compile(r"^(?:\[[A-Z0-9./]{1,20}\]\s*)+", re.IGNORECASE)
"""``[PDF]`` of Google Scholar, ``[1706.03762]`` of arXiv's pages."""
_SEPARATORS = re.compile(r"\s+[|\-–—·]\s+|\s*::\s*")
_CUT = ("...", "…")
_CUT_LENGTH = 40
"""So many characters of a title that the engine cut must agree."""


def hit_record(engine: str, title: str, url: str, text: str) -> Record:
    """Return a hit as a record: identifiers come from its address, ``venue`` is the text below its title."""
    return Record(
        key=url,
        title=_MARK.sub("", _plain(title)),
        venue=_plain(text),
        pub_type="web",
        doi=find_doi(url),
        arxiv_id=find_arxiv_id(url),
        url=url,
        source=engine,
    )


def hit_candidate(reference: Reference, record: Record) -> Candidate | None:
    """Return the hit as a candidate with the facts that agree, or None where its title is another."""
    if not _same_title(reference.title, record.title):
        return None
    alike = similarity(normalize_title(reference.title), normalize_title(record.title))
    return Candidate(record, alike, MatchKind.WEB, facts=tuple(_facts(reference, record)))


def _facts(reference: Reference, record: Record) -> list[str]:
    words = normalize_title(record.venue).split()
    text = f" {' '.join(words)} "
    families = filter(None, map(family_name, reference.authors))
    facts = {
        "author": any(f" {family} " in text for family in families),
        "year": reference.year is not None and str(reference.year) in words,
        "identifier": bool(
            (reference.doi and reference.doi.lower() == record.doi)
            or (reference.arxiv_id and reference.arxiv_id == record.arxiv_id)
        ),
    }
    return [name for name, agrees in facts.items() if agrees]


def _same_title(cited: str, shown: str) -> bool:
    """Whether ``shown`` is the cited title, with or without a site's name beside it, or cut by the engine."""
    wanted = normalize_title(cited)
    if not wanted:
        return False
    pieces = [shown, *_SEPARATORS.split(shown)]
    if any(normalize_title(piece) == wanted for piece in pieces):
        return True
    cut = [normalize_title(piece) for piece in pieces if piece.rstrip().endswith(_CUT)]
    return any(len(piece) >= _CUT_LENGTH and wanted.startswith(piece) for piece in cut)


def _plain(text: str) -> str:
    return " ".join(resolve_entities(_TAG.sub("", text)).split())
