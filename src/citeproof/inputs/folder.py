"""The files beside a document, never those outside its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.inputs.document import Document

if TYPE_CHECKING:
    from pathlib import Path


class Folder:
    """A folder on disk whose files a document may name."""

    def __init__(self, root: Path, limit: int) -> None:
        """Look no further than ``root``, and into no file of more than ``limit`` bytes."""
        self._root = root
        self._limit = limit

    def find(self, name: str) -> Document | None:
        """Return the file ``name``; None where there is none, or where it lies outside, a link's target included."""
        try:
            root = self._root.resolve()
            path = (root / name).resolve()
            if not path.is_relative_to(root) or not path.is_file() or path.stat().st_size > self._limit:
                return None
            data = path.read_bytes()
        except (OSError, ValueError):
            return None
        return Document.of(str(self._root / name), data, path=path, neighbours=self)
