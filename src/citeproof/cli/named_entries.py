"""Find entries by the keys that a user names."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TypeAlias

from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.formats import read_all
from citeproof.readers.isolation import IsolatedReader
from citeproof.readers.opening import open_documents

Entry: TypeAlias = Reference | Diagnostic
_MOST_KEYS = 3  # maximum number of similar keys that an error suggests


def entries_of(name: str, input_format: str | None) -> list[Entry]:
    """Return all entries of the input ``name``, cited or not.

    Raises :class:`InputError` if nothing can be read.
    """
    with IsolatedReader() as reader:
        papers = reader.papers(open_documents([name], input_format, everything=True))
        return [entry for bibliography in read_all(papers) for entry in bibliography.entries]


def entries_called(key: str, entries: Sequence[Entry], name: str) -> list[Entry]:
    """Return the entries with the key ``key``, which may be repeated. ``name`` is the name of the input.

    Raises :class:`InputError`, whose message suggests similar keys, if no entry has this key.
    """
    if found := [entry for entry in entries if entry.key == key]:
        return found
    keys = sorted({entry.key for entry in entries if entry.key})
    alike = similar(key, keys)
    others = f" and {len(keys) - len(alike)} more" if len(keys) > len(alike) else ""
    raise InputError(f"{name}: has no entry {key!r}; it has {', '.join(alike) or 'no keys at all'}{others}")


def similar(key: str, keys: list[str]) -> list[str]:
    """Return some of ``keys`` that are similar to ``key``; the first keys if none is similar."""
    return get_close_matches(key, keys, _MOST_KEYS) or keys[:_MOST_KEYS]
