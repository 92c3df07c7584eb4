"""The entries that a user names by their keys."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from citeproof.errors import InputError
from citeproof.formats import read_all
from citeproof.inputs import open_documents
from citeproof.papers import papers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citeproof.models import Diagnostic, Reference

    Entry = Reference | Diagnostic

_NAMED = 3
"""So many keys are named in place of one that there is not."""


def entries_of(name: str, input_format: str | None) -> list[Entry]:
    """Return all entries of the input ``name``, cited or not.

    Raises :class:`InputError` where nothing can be read.
    """
    papers = papers_of(open_documents([name], input_format, everything=True))
    return [entry for bibliography in read_all(papers) for entry in bibliography.entries]


def entries_called(key: str, entries: Sequence[Entry], name: str) -> list[Entry]:
    """Return those of ``entries`` that are called ``key``: several where a key is repeated.

    Raises :class:`InputError` where there is none, with keys that are written like it; ``name`` is that of the input.
    """
    if found := [entry for entry in entries if entry.key == key]:
        return found
    keys = {entry.key for entry in entries if entry.key}
    alike = get_close_matches(key, sorted(keys), _NAMED) or sorted(keys)[:_NAMED]
    others = f" and {len(keys) - len(alike)} more" if len(keys) > len(alike) else ""
    raise InputError(f"{name}: has no entry {key!r}; it has {', '.join(alike) or 'no keys at all'}{others}")
