"""Failures that end a run. Each carries the exit code that a shell sees.

A failure that concerns one entry or one source is data instead: see
:class:`~citeproof.models.Diagnostic` and :class:`~citeproof.models.Inquiry`.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of the command line."""

    CLEAN = 0
    FLAGGED = 1
    USAGE = 2
    INCOMPLETE = 3
    INTERRUPTED = 130
    READER_LEFT = 141


class CiteproofError(Exception):
    """Base of all. The message is one line for the user: what, where, and what to do."""

    exit_code: Exit = Exit.USAGE


class InputError(CiteproofError):
    """An input cannot be read at all: missing, a directory, binary, of an unknown format."""


class DatabaseError(CiteproofError):
    """A bibliographic database, index or cache is missing, unreadable, or not one."""


class StoreBusyError(DatabaseError):
    """Another process held a file's write lock for longer than a write may wait."""


class BuildError(CiteproofError):
    """A database could not be built; the file that was there before is untouched."""


class MissingExtraError(CiteproofError):
    """A feature needs packages that are not installed."""

    def __init__(self, feature: str, extra: str, missing: str | None) -> None:
        """``missing`` is the module that could not be imported."""
        package = f"the package {missing}" if missing else "more packages"
        super().__init__(f"{feature} needs {package}: in citeproof's folder, pip install '.[{extra}]'")


class ConfigurationError(CiteproofError):
    """A setting has a value that cannot be used."""


def one_line(error: Exception) -> str:
    """Return what went wrong in one line: our own message for users, or the kind and words of a library's error."""
    text = str(error) if isinstance(error, CiteproofError) else f"{type(error).__name__}: {error}"
    return text.partition("\n")[0]
