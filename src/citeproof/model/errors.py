"""Exceptions that end a run, and the exit codes of the command line.

The failure of a single entry or source does not end a run. The failure is recorded as a
:class:`~citeproof.model.reference.Diagnostic` or an :class:`~citeproof.model.findings.Inquiry`.
"""

import re
import sys
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
    """Base class of all errors of citeproof. The message is one line: what failed, where, and what
    to do.
    """

    exit_code: Exit = Exit.USAGE


class InputError(CiteproofError):
    """Raised if an input cannot be read: it is missing, a directory, binary, or of an unknown
    format.
    """


class DatabaseError(CiteproofError):
    """Raised if a bibliographic database, index or cache is missing, cannot be read, or has an
    unexpected format.
    """


class StoreBusyError(DatabaseError):
    """Raised if another process keeps a file locked until the time-out of a write has passed."""


class BuildError(CiteproofError):
    """Raised if a database cannot be built or its data cannot be downloaded. An existing database
    is left unchanged.
    """


class MissingExtraError(CiteproofError):
    """Raised if a feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str, missing: str | None) -> None:
        """``extra`` is the group of dependencies that ``feature`` needs.

        ``missing`` is a module that was not found.
        """
        package = f"the package {missing.partition('.')[0]}" if missing else "more packages"
        super().__init__(f"{feature} needs {package}: {install_command(extra)}")


def install_command(extra: str) -> str:
    """Return the shell command that installs the packages of an extra, such as ``lsp``, for the
    running Python.

    The command uses uv if pip is not installed. Package names are in double quotes, which every
    shell accepts.
    """
    from importlib.metadata import PackageNotFoundError, requires
    from importlib.util import find_spec

    try:
        declared = [requirement.partition(";") for requirement in requires("citeproof") or ()]
    except PackageNotFoundError:
        declared = []
    marker = re.compile(rf"extra\s*==\s*['\"]{extra}['\"]")
    names = [f'"{name.strip()}"' for name, _, condition in declared if marker.search(condition)]
    program = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    installer = (
        f"{program} -P -m pip install" if find_spec("pip") else f"uv pip install --python {program}"
    )
    return " ".join([installer, *(names or [f'"citeproof[{extra}]"'])])


class ConfigurationError(CiteproofError):
    """Raised if a setting has a value that cannot be used."""


def one_line(error: Exception) -> str:
    """Return the first line of the message of ``error``.

    If ``error`` is not a :class:`CiteproofError`, the line begins with its type.
    """
    text = str(error) if isinstance(error, CiteproofError) else f"{type(error).__name__}: {error}"
    return text.partition("\n")[0]


def cannot_be(done: str, place: object, error: Exception) -> str:
    """Return a message on the file or folder ``place``: ``refs.bib: cannot be read: Permission
    denied``.

    ``done`` is a past participle such as ``read``. The reason is that of the operating system, or
    else the text of ``error``.
    """
    return f"{place}: cannot be {done}: {getattr(error, 'strerror', None) or error}"
