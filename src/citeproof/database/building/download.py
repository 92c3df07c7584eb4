"""Download dumps, such as DBLP's, and add them to a database, for the command ``citeproof db
download``.

A dump is completely downloaded before the database is built. A lost connection then does not end
the build, and the checksum of the dump is verified before records are used.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

from citeproof.database.building.existing import ExistingDatabase
from citeproof.database.building.source import open_source
from citeproof.database.building.sources import Origin
from citeproof.model.errors import BuildError, cannot_be
from citeproof.store.files import LockHeldError, ProcessLock

if TYPE_CHECKING:
    from citeproof.database.building.builder import Options, Summary
    from citeproof.database.building.dumps import Dump
    from citeproof.online.net.download import Downloader, Version


@dataclass(frozen=True, slots=True)
class Offer:
    """A download that the user is asked to confirm: a dump, the URL, and sizes in bytes."""

    dump: Dump
    url: str
    size: int  # size of the download in bytes, from the server or else from ``Dump.bytes``
    # bytes of disk space that the download and the build need, in addition to an existing database
    disk: int
    free: int  # free bytes of disk space
    # checksum of the file, or the URL of a checksum; empty if none is published
    checksum: str = ""


def folder_of(target: Path) -> Path:
    """Return the folder to which dumps for the database ``target`` are downloaded.

    Interrupted downloads stay in this folder.
    """
    return target.with_name(target.name + ".download")


def look(dump: Dump, target: Path, downloader: Downloader, url: str = "") -> Offer | None:
    """Return an :class:`Offer` to download ``dump``.

    None if the database ``target`` already has the current version.

    ``url`` is the URL of a mirror to use instead. Raises :class:`BuildError` if the server offers
    no download.
    """
    files = (
        _files(dump, downloader)
        if not url
        else iter([_File(url, dump.checksum and url + dump.checksum)])
    )
    errors: list[str] = []
    for file in files:
        if isinstance(file, str):
            errors.append(file)
            continue
        try:
            found = downloader.look(file.url, _known(target, file.url))
        except BuildError as error:
            errors.append(str(error))
            continue
        if found is None:
            return None
        size = found.size or file.size or dump.bytes
        target.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(target.parent).free
        return Offer(dump, file.url, size, dump.disk(size), free, file.checksum)
    if not errors:
        by_hand = f"{dump.by_hand}; `citeproof db update` then takes the folder"
        raise BuildError(f"{dump.name}: must be downloaded by hand: {by_hand}")
    by_hand = (
        f"; fetch {dump.by_hand} with a browser, then: citeproof db download {dump.name} --from"
        " FILE"
    )
    raise BuildError(errors[0] + (by_hand if dump.by_hand else ""))


class _File(NamedTuple):
    url: str
    checksum: str = ""
    size: int = 0


def _files(dump: Dump, downloader: Downloader) -> Iterator[_File | str]:
    """Yield the files to try in order, and messages about lists that cannot be read."""
    for number, url in enumerate(dump.urls(datetime.now(UTC).date())):
        # monthly releases have no checksum
        yield _File(url, url + dump.checksum if dump.checksum and not number else "")
    for listing in dump.listings:
        try:
            yield _File(*downloader.listed(listing))
        except BuildError as error:
            yield str(error)


def download(
    offer: Offer,
    target: Path,
    downloader: Downloader,
    index_dir: Path | None,
    **options: Unpack[Options],
) -> Summary:
    """Download the dump in ``offer`` and add it to the database ``target``.

    A missing database is created.

    The title index is written to ``index_dir``, by default the folder of ``target``. Raises
    :class:`BuildError` if anything fails. ``target`` is then unchanged, and the next call continues
    an interrupted download.
    """
    # imported late, because a command that only warns about an old database reads DUMPS
    from citeproof.database.building.builder import build, update
    from citeproof.database.building.title_indexer import TitleIndexer

    with _alone_in(folder_of(target)):
        path, version = downloader.fetch(offer.url, offer.checksum)
        today = datetime.now(UTC).date().isoformat()
        options["origins"] = {path: Origin(version.url, version.etag, version.modified, today)}
        try:
            refuse_another_kind(offer.dump, path)
            options["titles"] = TitleIndexer(target, index_dir)
            summary = (
                update(target, [path], **options)
                if target.exists()
                else build([path], target, **options)
            )
        except BuildError:
            # A file with the right checksum is kept. A second attempt, such as with --keep-going,
            # then needs no download.
            whole = bool(offer.checksum) and "://" not in offer.checksum
            (downloader.keep if whole else downloader.drop)(path)
            raise
        except BaseException:
            downloader.keep(path)
            raise
        downloader.drop(path)
        return summary


def refuse_another_kind(dump: Dump, path: Path) -> None:
    """Raise :class:`BuildError` if the file at ``path`` is not in the format of ``dump``."""
    source = open_source(path)
    source.close()
    if source.label != dump.name:
        raise BuildError(
            f"{path}: is not {dump.title}'s dump; `citeproof db update` takes sources of other"
            " kinds"
        )


def _known(target: Path, url: str) -> Version | None:
    if not target.exists():
        return None
    from citeproof.online.net.download import Version  # imported late, with the HTTP client

    with closing(ExistingDatabase(target)) as existing:
        origins = (origin for origin in existing.origins() if origin.url == url)
        return next((Version(url, origin.etag, origin.modified) for origin in origins), None)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Context manager that locks ``folder`` against other downloads.

    At the end, an empty folder is removed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = ProcessLock(folder / ".lock")
    except LockHeldError:
        raise BuildError(
            f"{folder}: another download of this database is running; wait for it"
        ) from None
    except OSError as error:
        raise BuildError(cannot_be("written", folder, error)) from error
    try:
        yield
    finally:
        lock.release()
        if not any(folder.iterdir()):
            folder.rmdir()
