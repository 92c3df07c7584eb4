"""The papers of the ACL Anthology as references: descriptions, by another source, of works that
DBLP may have.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

from citeproof.text.names import parse_name
from citeproof.text.normalize import normalize_title
from tests.accuracy.entries import entry, escaped

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.model.findings import Findings
    from citeproof.model.reference import Reference


def papers(path: Path) -> list[dict[str, Any]]:
    """Return the papers that have a title and authors."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [paper for paper in found if paper.get("title") and paper.get("authors")]


def entry_of(number: int, paper: dict[str, Any]) -> str:
    """Return a paper as the Anthology's own BibTeX would have it."""
    names = [f"{family}, {given}" if given else family for given, family in paper["authors"]]
    kind = "article" if "journal" in str(paper.get("venue", "")).lower() else "inproceedings"
    return entry(
        kind,
        f"a{number}",
        {
            "title": escaped(paper["title"]),
            "author": escaped(" and ".join(names)),
            "year": str(paper.get("year") or ""),
            "booktitle": escaped(str(paper.get("venue") or "")),
            "doi": str(paper.get("doi") or ""),
            "pages": str(paper.get("pages") or ""),
        },
    )


def held(reference: Reference, findings: Findings) -> bool:
    """Whether the database holds the paper: a record of exactly this title with a family name in
    common.
    """
    title = normalize_title(reference.title)
    people = {
        word for name in reference.authors for word in parse_name(name).words if len(word) > 2
    }
    return any(
        normalize_title(candidate.record.title) == title
        and any(people & set(parse_name(name).words) for name in candidate.record.authors)
        for candidate in findings.candidates
    )
