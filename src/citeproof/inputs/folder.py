"""Folders on disk: the files beside a document, and those of a folder that the user named; never any outside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.inputs.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator


class Folder:
    """A folder on disk whose files a document may name."""

    def __init__(self, root: Path, limit: int, base: Path | None = None) -> None:
        """Look no further than ``root``, and into no file of more than ``limit`` bytes.

        Names are relative to ``base``, a folder inside ``root``; without one, to ``root`` itself.
        """
        self._root = root
        self._limit = limit
        self._base = base or root

    def find(self, name: str) -> Document | None:
        """Return the file ``name``; None where there is none, or where it lies outside, a link's target included."""
        try:
            root = self._root.resolve()
            path = (self._base / name).resolve()
            if not path.is_relative_to(root) or not path.is_file() or path.stat().st_size > self._limit:
                return None
            data = path.read_bytes()
        except (OSError, ValueError):
            return None
        return Document.of(str(self._root / path.relative_to(root)), data, path=path, neighbours=self)


def walk(root: Path) -> Iterator[tuple[Path, OSError | None]]:
    """Yield the files in ``root`` and the folders below it, in the order of their names; hidden ones are left out.

    A link to a folder is not followed and yielded like a file. A folder that cannot be listed comes with the error.
    """
    faults: list[OSError] = []
    for folder, folders, files in os.walk(root, onerror=faults.append):
        here = Path(folder)
        links = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not is_hidden(name) and name not in links)
        for name in sorted(name for name in (*files, *links) if not is_hidden(name)):
            yield here / name, None
    for fault in faults:
        yield Path(fault.filename), fault


def is_hidden(name: str) -> bool:
    """Whether a file or folder is hidden, such as ``.git``, or one that macOS puts into its archives."""
    return name.startswith(".") or name == "__MACOSX"
