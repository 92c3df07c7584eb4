"""Downloads a dump and makes it a source of a database.

The dump is fetched to a file beside the database before it is built. A build that reads from the network would begin
anew when the connection breaks, and could not compare the checksum before it takes a record.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from citeproof.database.build.builder import build, update
from citeproof.database.build.opening import open_source
from citeproof.database.build.sources import Origin
from citeproof.database.build.standing import Standing
from citeproof.model.errors import BuildError
from citeproof.store.process_lock import LockHeldError, ProcessLock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from citeproof.database.build.builder import Indexer, Progress, Summary
    from citeproof.database.build.dumps import Dump
    from citeproof.online.net.download import Downloader, Version

SUFFIX = ".download"
"""Suffix of the folder for downloads, after the name of the database; it exists during and after a cut download."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A download that is offered to the user."""

    dump: Dump
    url: str
    size: int
    """Bytes of the download, from the server or else from :class:`Dump`."""
    disk: int
    """Bytes that fetching and building take, beside those of the present database."""
    free: int
    """Free bytes of the disk."""


def folder_of(target: Path) -> Path:
    """Return the folder for downloads of the database ``target``."""
    return target.with_name(target.name + SUFFIX)


def look(dump: Dump, target: Path, downloader: Downloader, url: str = "") -> Offer | None:
    """Return the download of ``dump``; None if ``target`` was built from what is there.

    ``url`` is that of a mirror; without it, the URLs of the dump are tried one after the other.

    Raises:
        BuildError: nothing can be fetched; the message says what to fetch by hand.
    """
    urls = (url,) if url else dump.urls(datetime.now(UTC).date())
    if not urls:
        raise BuildError(
            f"{dump.name}: is fetched by hand: {dump.by_hand}; `citeproof db update` then takes the folder"
        )
    found, chosen = _first_answer(dump, urls, target, downloader)
    if found is None:
        return None
    size = found.size or dump.bytes
    target.parent.mkdir(parents=True, exist_ok=True)
    return Offer(dump, chosen, size, dump.disk(size), shutil.disk_usage(target.parent).free)


def _first_answer(dump: Dump, urls: Sequence[str], target: Path, downloader: Downloader) -> tuple[Version | None, str]:
    """Return the first answer of ``urls``, None for nothing new, with its URL."""
    errors: list[str] = []
    for url in urls:
        try:
            return downloader.look(url, _known(target, url)), url
        except BuildError as error:
            errors.append(str(error))
    by_hand = f"; fetch {dump.by_hand} with a browser, then: citeproof db download {dump.name} --from FILE"
    raise BuildError(errors[0] + (by_hand if dump.by_hand else ""))


def download(
    offer: Offer,
    target: Path,
    downloader: Downloader,
    *,
    force: bool = False,
    keep_going: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
    indexers: Callable[[], Sequence[Indexer]] = tuple,
) -> Summary:
    """Fetch ``offer`` and make it a source of the database ``target``, which need not exist.

    Raises:
        BuildError: ``target`` is unchanged then, and the bytes that have arrived are kept for the next call.
    """
    folder = folder_of(target)
    with _alone_in(folder):
        released = offer.url in offer.dump.urls(datetime.now(UTC).date())[1:]
        checksum = offer.url + offer.dump.checksum if offer.dump.checksum and not released else ""
        path, version = downloader.fetch(offer.url, checksum)
        origins = {path: Origin(version.url, version.etag, version.modified, datetime.now(UTC).date().isoformat())}
        options: dict[str, Any] = {"force": force, "keep_going": keep_going, "origins": origins, "progress": progress}
        made: Callable[..., Summary] = update if target.exists() else _built
        try:
            refuse_another_kind(offer.dump, path)
            summary = made(target, [path], indexers=indexers(), **options)
        except BuildError:
            downloader.drop(path)
            raise
        except BaseException:
            downloader.keep(path)
            raise
        downloader.drop(path)
        return summary


def refuse_another_kind(dump: Dump, path: Path) -> None:
    """Raise :class:`BuildError` if the file at ``path`` has not the format of ``dump``."""
    source = open_source(path)
    source.file.close()
    if source.label != dump.name:
        raise BuildError(f"{path}: is not {dump.title}'s dump; `citeproof db update` takes sources of other kinds")


def _built(target: Path, sources: Sequence[Path], **options: Any) -> Summary:
    return build(sources, target, **options)


def _known(target: Path, url: str) -> Version | None:
    """Return the version of the file at ``url`` from which the database ``target`` was built."""
    if not target.exists():
        return None
    standing = Standing.open(target)
    try:
        origins = [standing.origin_of(name) for name in standing.names]
    finally:
        standing.close()
    from citeproof.online.net.download import Version  # imported late, with the HTTP client

    return next((Version(url, own.etag, own.modified) for own in origins if own.url == url), None)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Lock ``folder`` against other processes, and remove it at the end if it is empty."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = ProcessLock(folder / ".lock")
    except LockHeldError:
        raise BuildError(f"{folder}: another download of this database is running; wait for it") from None
    except OSError as error:
        raise BuildError(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()
        if not any(folder.iterdir()):
            folder.rmdir()
