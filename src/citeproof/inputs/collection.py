"""A folder or an archive: what a user hands in that holds several documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.inputs.document import Document
    from citeproof.models import Diagnostic


@dataclass(frozen=True, slots=True)
class Collection:
    """A folder or an archive. Its members are opened one after another, when they are read."""

    name: str
    """As the user gave it; of an archive inside another one ``outer.zip/inner.tar``."""
    members: tuple[Member, ...]
    """Its files and those of the folders in it, in the order of their names."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What of it cannot be opened: links, paths that lead out of it, what is damaged."""
    close: Callable[[], object] = tuple
    """Closes what its members are read from."""
    format: str = ""
    """The format that the user says its documents have; empty: to be found out."""
    everything: bool = False
    """The user wants all entries checked, not only those that the papers cite."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a folder or an archive."""

    name: str
    """The name of its folder or archive and its path inside, with ``/``: ``papers.zip/12/main.tex``."""
    open: Callable[[], Opened]

    @property
    def folder(self) -> str:
        """The name up to the last ``/``."""
        return str(PurePosixPath(self.name).parent)

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return str(PurePosixPath(self.name).with_suffix(""))

    @property
    def suffix(self) -> str:
        """The end of the name from the last dot on, in lower case; empty where there is none."""
        return PurePosixPath(self.name).suffix.lower()


Opened: TypeAlias = "Document | Collection | Diagnostic"
"""What stands behind a name: a document, several of them, or why there is none."""
