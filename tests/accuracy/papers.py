"""How well the reference lists of real papers are read, compared with known lists.

    python -m tests.accuracy.papers

It prints a line for each paper, with the shortest processor time of three readings. The first
reading of all is not counted, because it loads the modules that read PDF.

A reference is separated correctly if a string read from the paper has a similarity of 85 % to the
known string. Its title is right if its letters and digits are those of the known title, or begin or
end with them: deposited lists lack subtitles.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz

from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.opening import open_documents
from tests.accuracy.reference_strings import SHARED, letters

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.model.reference import Reference

ALIKE = 85
TURNS = 3


@dataclass(frozen=True, slots=True)
class Paper:
    """What became of one paper."""

    name: str
    known: int
    found: int
    parted: int
    titles: int
    titles_known: int
    seconds: float


def papers(shared: Path) -> Iterator[Paper]:
    """Read every paper of the samples whose references are known."""
    paths = sorted((shared / "samples" / "pdfs").glob("*.pdf"))
    for path in paths[-1:]:
        _read(path)
    for path in paths:
        known = json.loads(path.with_name(f"{path.stem}.refs.json").read_text("utf-8"))[
            "references"
        ]
        yield _paper(path, known)


def _paper(path: Path, known: list[dict[str, Any]]) -> Paper:
    found, seconds = min((_read(path) for _ in range(TURNS)), key=lambda read: read[1])
    parted = titles = titles_known = 0
    for reference in known:
        read = _nearest(reference["string"], found)
        parted += read is not None
        if title := letters(reference.get("title") or ""):
            titles_known += 1
            mine = letters(read.title) if read else ""
            titles += bool(mine) and (
                mine.startswith(title) or title.startswith(mine) or mine.endswith(title)
            )
    return Paper(path.stem, len(known), len(found), parted, titles, titles_known, seconds)


def _read(path: Path) -> tuple[tuple[Reference, ...], float]:
    """Return the references of a paper, and the processor time in seconds that they took."""
    started = time.process_time()
    (document,) = open_documents([str(path)])
    assert isinstance(document, Document)
    found = formats.read(document).references
    return found, time.process_time() - started


def _nearest(string: str, found: tuple[Reference, ...]) -> Reference | None:
    scored = [
        (fuzz.ratio(letters(string), letters(reference.raw)), reference) for reference in found
    ]
    score, nearest = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return nearest if score >= ALIKE else None


if __name__ == "__main__":
    for paper in papers(SHARED):
        print(
            f"{paper.name:24} parted {paper.parted:3} of {paper.known:3}, found {paper.found:3}, "
            f"titles {paper.titles:3} of {paper.titles_known:3}, {paper.seconds:.2f} s"
        )
