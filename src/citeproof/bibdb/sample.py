"""The sample database: some hundred landmark works, so that everything can be tried before a dump is at hand."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from citeproof.bibdb.build import build
from citeproof.bibdb.title_index.writer.create import create
from citeproof.errors import BuildError, DatabaseError
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

MAKERS = ("bibdb", "storage", "text")
"""The folders of the package whose code decides what a database holds."""


def sample_database(folder: Path | None = None) -> Path:
    """Return the sample database; its first use builds it in ``folder``, by default the user's cache folder.

    Where that folder cannot be written to, it is built in a temporary one that vanishes with the process.
    Any number of processes may come first at once: each builds its own, and the first to finish has its own stay.
    Raises :class:`DatabaseError` when there is room for it nowhere.
    """
    with _works() as works:
        name = _name(works, files("citeproof"))
        try:
            return _built(works, (folder or user_cache_path("citeproof")) / name)
        except (OSError, BuildError):
            pass  # a cache that cannot be used is no reason to stop
        try:
            return _built(works, _temporary_folder() / name)
        except (OSError, BuildError) as error:
            raise DatabaseError(f"the sample database cannot be built: {error}; name one with --bib-db") from error


@contextmanager
def _works() -> Iterator[Path]:
    """Yield the works in the form of DBLP's dump, as a file even where the package is not one."""
    with as_file(files("citeproof") / "data" / "sample.xml") as path:
        yield path


def _name(works: Path, package: Traversable) -> str:
    """Return a name that changes with the works and with whatever makes a database of them in ``package``.

    That is the code itself and no number that somebody must remember to raise: to build it once too
    often costs a second.
    """
    digest = hashlib.sha256(f"{__version__} ".encode() + works.read_bytes())
    for folder in MAKERS:
        for path, content in sorted(_modules(package / folder, folder)):
            digest.update(f"{path} {len(content)} ".encode() + content)
    return f"sample-{digest.hexdigest()[:16]}"


def _modules(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the modules in ``folder`` and its folders, each with its path and text."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _modules(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            yield f"{path}/{entry.name}", entry.read_bytes()


def _built(works: Path, home: Path) -> Path:
    """Return the database in the folder ``home``, which appears in one step with the title index in it."""
    database = home / "sample.db"
    if database.exists():
        return database
    home.parent.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(prefix="sample-", dir=home.parent))
    try:
        build([works], own / database.name)
        create(own / database.name)
        with suppress(OSError):  # another process was faster, and has the same
            own.rename(home)
    finally:
        shutil.rmtree(own, ignore_errors=True)
    if not database.exists():
        raise BuildError(f"{home}: cannot be written")
    return database


@cache
def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="citeproof-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
