"""Download one large file over HTTP, resume interrupted downloads, and check the checksum of the
file.

The host may have a private address, because the user chooses the URL.

``<name>.part`` has the bytes received so far, and ``<name>.part.json`` has the ETag and the date of
the file. Example: the connection is lost after 300 MB. The next request has
``Range: bytes=300000000-``, and ``If-Range`` with the ETag. If the file has changed, the server
returns the whole file, and the download restarts.
"""

from __future__ import annotations

import hashlib
import json
import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import sleep, time
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2

from citeproof.model.errors import BuildError
from citeproof.model.version import __version__
from citeproof.online.net.client import causes, retry_after

ATTEMPTS = 5
"""Number of consecutive attempts without a new byte after which a download fails."""
# seconds to wait after a failed attempt; each further consecutive failure doubles the time
_FIRST_PAUSE = 1.0
_MAX_PAUSE = 60.0  # maximum seconds of a pause, even if a ``Retry-After`` header asks for more
_CHUNK_BYTES = 1 << 18  # maximum number of bytes that are read from the URL of a checksum
_PAGE = re.compile(rb"\s*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE)
"""Regex for the beginning of an HTML page, which a server may send instead of a file."""
_PAGE_ERROR = "is a web page, not a dump; open the address in a browser"
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_ALGORITHMS = {32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}
"""Map from the number of hexadecimal digits of a checksum to the hash algorithm."""
_DIGEST = re.compile(
    rf"\b(?:{'|'.join(f'[0-9a-f]{{{digits}}}' for digits in _ALGORITHMS)})\b", re.IGNORECASE
)
# HTTP statuses after which another attempt may succeed
_RETRIED = frozenset({408, 416, 425, 429, 500, 502, 503, 504})


class Version(NamedTuple):
    """A version of the file at a URL, identified by headers of a response."""

    url: str
    etag: str = ""
    modified: str = ""  # the ``Last-Modified`` header, unchanged
    size: int = 0  # size of the file in bytes; 0 if unknown

    def is_same(self, other: Version) -> bool:
        """Return whether the headers prove that ``self`` and ``other`` are the same version of a
        file.
        """
        if self.etag and other.etag:
            return self.etag == other.etag
        return bool(self.modified) and (self.modified, self.size) == (other.modified, other.size)


class Downloader:
    """Downloads files into a folder. One process at a time may use the folder."""

    def __init__(
        self,
        folder: Path,
        *,
        progress: Callable[[int, int], None] = lambda *_: None,
        pause: Callable[[float], None] = sleep,
        stall_seconds: float = 60.0,
    ) -> None:
        """Prepare downloads into ``folder``. If no byte arrives for ``stall_seconds``, the download
        is tried again, after a call of ``pause`` with the seconds to wait.

        ``progress`` is called with the number of bytes so far and the size of the file in bytes.
        The size is 0 if it is unknown.
        """
        self._folder, self._progress, self._pause = folder, progress, pause
        self._http = httpx2.Client(
            headers={"User-Agent": f"citeproof/{__version__}", "Accept-Encoding": "identity"},
            timeout=stall_seconds,
            follow_redirects=True,
            event_hooks={"response": [_refuse_redirect_to_http]},
        )

    def look(self, url: str, known: Version | None = None) -> Version | None:
        """Request the version of the file at ``url``. Return None if it is the version ``known``.

        If the server does not support HEAD requests, the version has only the URL. Raises
        :class:`BuildError` if the request fails.
        """
        known = known if known and known.url == url else Version(url)
        headers = {"If-None-Match": known.etag, "If-Modified-Since": known.modified}
        try:
            with self._open(url, headers, "HEAD") as response:
                found = _version(url, response)
        except _AttemptError as error:
            raise BuildError(f"{url}: {error}") from None
        if response.status_code in {403, 405, 501}:
            return Version(url)
        if response.is_error:
            raise BuildError(f"{url}: {_status(response)}")
        return None if known.is_same(found) or response.status_code == 304 else found

    def listed(self, url: str) -> tuple[str, str, int]:
        """Return URL, checksum and size in bytes of the largest file in the list of files at
        ``url``. The list is a JSON object of Zenodo or figshare.

        Raises :class:`BuildError` if it cannot be read.
        """
        try:
            with self._open(url, {}) as response:
                if response.is_error:
                    raise BuildError(f"{url}: {_status(response)}")
                found = json.loads(b"".join(response.iter_bytes()))
            files = [
                (
                    int(file["size"]),
                    str(file.get("download_url") or file["links"]["self"]),
                    str(file.get("computed_md5") or file.get("checksum") or ""),
                )
                for file in found["files"]
            ]
            size, address, checksum = max(files)
        except _AttemptError as error:
            raise BuildError(f"{url}: {error}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BuildError(f"{url}: lists no file; open the address in a browser") from None
        return address, checksum.rpartition(":")[2], size

    def fetch(self, url: str, checksum: str = "") -> tuple[Path, Version]:
        """Download the file at ``url``, or resume an earlier download. Return path and version of
        the file.

        ``checksum`` is an MD5 or SHA checksum, or the URL of one. Raises :class:`BuildError` if the
        download fails or the checksum is wrong.
        """
        name = (
            re.sub(r"[^\w.-]", "_", urlsplit(url).path.rstrip("/").rpartition("/")[2])[
                -100:
            ].lstrip(".")
            or "dump"
        )
        part = self._folder / f"{name}.part"
        self._folder.mkdir(parents=True, exist_ok=True)
        if (self._folder / name).exists():  # the process that used the file was killed
            self.keep(self._folder / name)
        part.touch()
        version = self._complete(url, part)
        if checksum and not self._has_checksum(part, checksum):
            _clear(part)
            fault = (
                f"does not agree with the checksum {'at ' if '://' in checksum else ''}{checksum}"
            )
            raise BuildError(f"{url}: {fault}; what was fetched is thrown away. Fetch it again")
        return part.replace(self._folder / name), version

    def drop(self, path: Path) -> None:
        """Delete a file that :meth:`fetch` returned."""
        path.unlink(missing_ok=True)
        _note_of(path.with_name(f"{path.name}.part")).unlink(missing_ok=True)

    def keep(self, path: Path) -> None:
        """Keep a file that :meth:`fetch` returned. The next :meth:`fetch` downloads it again only
        if it has changed on the server.
        """
        path.replace(path.with_name(f"{path.name}.part"))

    def _complete(self, url: str, part: Path) -> Version:
        failures = most = 0
        while True:
            most = max(most, part.stat().st_size)
            try:
                return self._attempt(url, part)
            except _AttemptError as failure:
                size = part.stat().st_size
                failures = 1 if size > most else failures + 1
                if failures == ATTEMPTS:
                    again = f"; {size:,} bytes are kept, run it again to go on" if size else ""
                    raise BuildError(f"{url}: {failure}{again}") from None
                pause = max(failure.retry_after, _FIRST_PAUSE * 2 ** (failures - 1))
            self._pause(min(pause, _MAX_PAUSE))

    def _attempt(self, url: str, part: Path) -> Version:
        """Request the missing bytes and append them to ``part``.

        Return the version of the complete file.
        """
        have, stored = part.stat().st_size, _stored_version(part, url)
        # a strong ETag, or else the date, ensures that the bytes come from the same version of the
        # file
        condition = (
            stored.etag if stored.etag and not stored.etag.startswith("W/") else stored.modified
        )
        resuming = bool(have and condition)
        headers = {"Range": f"bytes={have}-", "If-Range": condition} if resuming else {}
        with self._open(url, headers) as response:
            # no bytes follow: the file is complete, or it has changed
            if resuming and response.status_code == 416:
                if have == stored.size:
                    return stored
                _clear(part)
            if response.status_code in _RETRIED:
                failure = _AttemptError(_status(response))
                failure.retry_after = (
                    retry_after(response.headers.get("Retry-After", ""), time()) or 0.0
                )
                raise failure
            if response.is_error:
                raise BuildError(f"{url}: {_status(response)}")
            if "text/html" in response.headers.get("Content-Type", "").lower():
                raise BuildError(f"{url}: {_PAGE_ERROR}")
            version = _version(url, response)
            if resuming := resuming and _resumes(response, stored, part):
                version = version._replace(size=stored.size)
            have = self._append(response, part, have if resuming else 0, version)
        if version.size and have < version.size:
            raise _AttemptError(f"the server says {version.size:,} bytes and has sent {have:,}")
        if not have:
            raise _AttemptError("the server has sent nothing")
        return version._replace(size=have)

    def _append(self, response: httpx2.Response, part: Path, have: int, version: Version) -> int:
        """Write the body of the response to ``part``, starting at offset ``have``. Return the new
        size of ``part`` in bytes.
        """
        with part.open("r+b") as file:
            file.truncate(have)
            file.seek(have)
            _note_of(part).write_text(json.dumps(version._asdict()))
            try:
                for chunk in response.iter_raw():
                    if not have and _PAGE.match(chunk):
                        file.truncate(0)
                        raise BuildError(f"{version.url}: {_PAGE_ERROR}")
                    have += file.write(chunk)
                    self._progress(have, version.size)
            # the connection was closed early: the caller compares the sizes
            except httpx2.RemoteProtocolError:
                if not version.size:
                    raise
        return have

    def _has_checksum(self, path: Path, checksum: str) -> bool:
        """Return whether the file at ``path`` has the checksum ``checksum``, which may also be the
        URL of a checksum.

        If no checksum is found at the URL, return True.
        """
        text = "" if "://" in checksum else checksum
        if not text:
            with suppress(_AttemptError), self._open(checksum, {}) as response:
                if response.is_success:
                    text = next(response.iter_bytes(_CHUNK_BYTES), b"").decode("latin-1")
        published = _DIGEST.search(text)
        if not published:
            return True
        new_hash = partial(hashlib.new, _ALGORITHMS[len(published[0])], usedforsecurity=False)
        with path.open("rb") as file:
            return hashlib.file_digest(file, new_hash).hexdigest() == published[0].lower()

    @contextmanager
    def _open(
        self, url: str, headers: Mapping[str, str], method: str = "GET"
    ) -> Iterator[httpx2.Response]:
        """Context manager that requests ``url`` and yields the response, whose body has not been
        read yet.

        Raises :class:`_AttemptError` if another attempt may succeed.
        """
        sent = {name: value for name, value in headers.items() if value}
        try:
            with self._http.stream(method, url, headers=sent) as response:
                yield response
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            permanent = (
                ssl.SSLCertVerificationError,
                httpx2.InvalidURL,
                httpx2.UnsupportedProtocol,
            )
            if any(isinstance(cause, permanent) for cause in causes(error)):
                raise BuildError(f"{url}: {_reason(error)}") from None
            raise _AttemptError(_reason(error)) from error


class _AttemptError(Exception):
    """Raised if an attempt to download failed but another attempt may succeed."""

    retry_after = 0.0  # seconds to wait before the next attempt, according to the server


def _refuse_redirect_to_http(response: httpx2.Response) -> None:
    if response.has_redirect_location:
        target = response.url.join(response.headers["Location"])
        if target.scheme not in {"https", response.url.scheme}:
            raise BuildError(f"{response.url}: redirects to {target}, which is not https")


def _version(url: str, response: httpx2.Response) -> Version:
    etag, modified, size = (
        response.headers.get(name, "") for name in ("ETag", "Last-Modified", "Content-Length")
    )
    return Version(url, etag, modified, int(size) if size.isdecimal() else 0)


def _resumes(response: httpx2.Response, stored: Version, part: Path) -> bool:
    """Return whether the response begins where ``part`` ends. False if the response has the whole
    file. ``stored`` is the version of the file to which ``part`` belongs.

    If the response begins at any other byte, ``part`` is emptied and :class:`_AttemptError` is
    raised.
    """
    found = _RANGE.match(response.headers.get("Content-Range", ""))
    if response.status_code != 206 or not found:
        return False
    if int(found[1]) != part.stat().st_size or (
        found[2] != "*" and stored.size and int(found[2]) != stored.size
    ):
        fault = "the server resumed at another position"
    elif stored.etag and stored.etag != response.headers.get("ETag", stored.etag):
        fault = "the file was changed while it was fetched"
    else:
        return True
    _clear(part)
    raise _AttemptError(fault)


def _stored_version(part: Path, url: str) -> Version:
    """Return the version that is stored beside the file ``part``. If no version is stored, or one
    of another URL, return ``Version(url)``.
    """
    with suppress(OSError, ValueError, TypeError):
        version = Version(**json.loads(_note_of(part).read_text()))
        return version if version.url == url else Version(url)
    return Version(url)


def _note_of(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _clear(part: Path) -> None:
    part.write_bytes(b"")
    _note_of(part).unlink(missing_ok=True)


def _status(response: httpx2.Response) -> str:
    return f"the server answers with HTTP status {response.status_code}"


def _reason(error: Exception) -> str:
    if isinstance(error, httpx2.TimeoutException):
        return "the server has stopped sending"
    texts = (cause.strerror for cause in causes(error) if isinstance(cause, OSError))
    return f"cannot be fetched: {next(filter(None, texts), None) or error}".partition("\n")[0]
