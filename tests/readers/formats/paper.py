"""Papers of several files, for the readers that follow what one of them names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.readers.formats import read_all
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.model.reference import Bibliography


def read(folder: Path, *, everything: bool = False, **files: str) -> Bibliography:
    """Write ``files`` to ``folder``, ``main__tex`` as ``main.tex``, and read the first of them."""
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    first = folder / next(iter(files)).replace("__", ".")
    (bibliography,) = read_all(papers_of(open_documents([str(first)], everything=everything)))
    return bibliography


def keys(bibliography: Bibliography) -> list[str]:
    """Return the keys of the references."""
    return [reference.key for reference in bibliography.references]


def codes(bibliography: Bibliography) -> list[str]:
    """Return the code of each entry; empty for a reference."""
    return [getattr(entry, "code", "") for entry in bibliography.entries]
