"""Get a dump and make it a source of a database: look, fetch, build, and drop the dump.

The dump is fetched to a file beside the database before anything is built from it. Read straight from the network, a
build would have to begin anew whenever the line breaks, and could not look at the checksum before it takes a record.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from citeproof.bibdb.build import build, update
from citeproof.bibdb.sources import Origin, open_source
from citeproof.bibdb.standing import Standing
from citeproof.errors import BuildError
from citeproof.net.download import Version
from citeproof.storage.process_lock import LockHeldError, ProcessLock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from citeproof.bibdb.build import Indexer, Progress, Summary
    from citeproof.bibdb.dumps import Dump
    from citeproof.net.download import Downloader

SUFFIX = ".download"
"""Beside the database, the folder in which its dumps arrive; it is there only while one is under way or was cut."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to fetch."""

    dump: Dump
    url: str
    size: int
    """Bytes, by the server or else by what is known of the dump."""
    disk: int
    """Bytes that fetching and building take, beside what the database takes now."""
    free: int
    """Bytes that are free there."""


def folder_of(target: Path) -> Path:
    """Return where the dumps of the database ``target`` arrive."""
    return target.with_name(target.name + SUFFIX)


def look(dump: Dump, target: Path, downloader: Downloader, url: str = "") -> Offer | None:
    """Return what there is to fetch of ``dump``; None where ``target`` has what is there already.

    ``url`` is that of a mirror. Raises :class:`BuildError` where nothing can be fetched from there.
    """
    url = url or dump.url
    if not url:
        raise BuildError(
            f"{dump.name}: is fetched by hand: {dump.by_hand}; `citeproof db update` then takes the folder"
        )
    found = downloader.look(url, _known(target, url))
    if found is None:
        return None
    size = found.size or dump.bytes
    target.parent.mkdir(parents=True, exist_ok=True)
    return Offer(dump, url, size, dump.disk(size), shutil.disk_usage(target.parent).free)


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
    """Fetch what was offered, and make it a source of the database ``target``, which need not exist.

    Raises :class:`BuildError`; ``target`` then is what it was, and what has arrived is kept for the next call.
    """
    folder = folder_of(target)
    with _alone_in(folder):
        checksum = offer.url + offer.dump.checksum if offer.dump.checksum else ""
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
    """Raise :class:`BuildError` where what is at ``path`` is no dump such as ``dump``."""
    source = open_source(path)
    source.file.close()
    if source.label != dump.name:
        raise BuildError(f"{path}: is not {dump.title}'s dump; `citeproof db update` takes sources of other kinds")


def _built(target: Path, sources: Sequence[Path], **options: Any) -> Summary:
    return build(sources, target, **options)


def _known(target: Path, url: str) -> Version | None:
    """Return which version of what is at ``url`` the database ``target`` was built from."""
    if not target.exists():
        return None
    standing = Standing.open(target)
    try:
        origins = [standing.origin_of(name) for name in standing.names]
    finally:
        standing.close()
    return next((Version(url, own.etag, own.modified) for own in origins if own.url == url), None)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes out of ``folder``, and remove it once nothing is left in it."""
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
