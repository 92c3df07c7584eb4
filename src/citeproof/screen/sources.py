"""The sources of one paper in LaTeX, told from a folder of papers into which a ``.tex`` has strayed."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SUFFIX = ".tex"
"""The suffix of a paper in LaTeX, whose bibliographies lie beside it."""


def hold_one_paper(names: Iterable[str], written: Callable[[], str]) -> bool:
    """Whether the files ``names`` of one folder are the sources of one paper.

    That holds a ``.tex``, figures that it names, and at most one PDF more: the paper itself. A folder of three hundred
    submissions into which one ``.tex`` was copied is still a folder of submissions. ``written`` returns the text of
    all sources in the folder and below; it is called only where there are PDFs to be told.
    """
    paths = list(map(PurePath, names))
    sources = {path.stem for path in paths if path.suffix.lower() == SUFFIX}
    others = {path.stem for path in paths if path.suffix.lower() == ".pdf"} - sources
    if len(others) <= 1 or not sources:
        return bool(sources)
    text = written()
    return sum(name not in text for name in others) <= 1
