"""``examples/references.bib``: what a newcomer sees first says what its comments say."""

from __future__ import annotations

from pathlib import Path

from citeproof.formats.bibtex import read

REFERENCES = Path(__file__).parents[1] / "examples" / "references.bib"


def test_every_entry_is_read() -> None:
    bibliography = read(REFERENCES.read_text("utf-8"), str(REFERENCES))
    assert len(bibliography.entries) == len(bibliography.references) == 26
    assert len({reference.key for reference in bibliography.references}) == 26


def test_every_entry_is_explained() -> None:
    lines = REFERENCES.read_text("utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("@")]
    assert all(lines[number - 1].startswith("% ") for number in starts)
