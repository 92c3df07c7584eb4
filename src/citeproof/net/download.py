"""Download one large file over HTTP: resumed where it was cut, and never taken for what it is not.

It uses ``urllib`` of the standard library, so that a database can be fetched with the base install; the client
of the online sources guards against private addresses and ignores proxies, and a download needs the opposite: the
address is the user's own, a mirror may be in the same network, and a proxy of the environment is honoured.

What has arrived lies in ``<name>.part``, and beside it ``<name>.part.json`` says of which version of the file it is the
beginning. Example: 300 MB arrive and the line breaks. The next request asks for ``bytes=300000000-`` under the
condition that the file still has the same ETag (``If-Range``). A server that has a new file answers with all of it, and
the download begins anew.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import ssl
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from time import sleep
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from citeproof.errors import BuildError
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

ATTEMPTS = 5
"""So many attempts in a row may bring nothing before the download is given up."""
FIRST_PAUSE = 1.0
"""Seconds before the second attempt in a row; twice as long before each further one."""
LONGEST_PAUSE = 60.0
"""No server is waited for longer, whatever it asks for."""
STALL_SECONDS = 60.0
"""After so many seconds without a byte the connection is closed and the download resumed."""
CHUNK_BYTES = 1 << 18
_PART = ".part"
_BEGINNING_BYTES = 1024
_PAGE = re.compile(rb"\s*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE)
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_DIGEST = re.compile(r"\b[0-9a-f]{32,128}\b", re.IGNORECASE)
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which another attempt may succeed."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a server says of the file at an address; two equal ones mean the same bytes."""

    url: str
    etag: str = ""
    modified: str = ""
    """The header ``Last-Modified`` as it was sent."""
    size: int = 0
    """Bytes; 0 where the server does not say."""

    @property
    def condition(self) -> str:
        """What ``If-Range`` takes: a strong ETag, else the date; empty where neither is known."""
        return self.etag if self.etag and not self.etag.startswith("W/") else self.modified

    def is_same(self, other: Version) -> bool:
        """Whether ``other`` is the same file, as far as both servers say."""
        if self.etag and other.etag:
            return self.etag == other.etag
        return bool(self.modified) and (self.modified, self.size) == (other.modified, other.size)


@dataclass(frozen=True, slots=True)
class Arrived:
    """How far a download has come."""

    bytes: int
    size: int
    """Bytes of the whole file; 0 where the server does not say."""


class Downloader:
    """Fetches files into a folder."""

    def __init__(
        self,
        folder: Path,
        *,
        progress: Callable[[Arrived], None] = lambda _: None,
        pause: Callable[[float], None] = sleep,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        self._folder = folder
        self._progress = progress
        self._pause = pause
        self._stall_seconds = stall_seconds
        self._opener = _opener()

    def look(self, url: str, known: Version | None = None) -> Version | None:
        """Return what there is at ``url``; None where it is what ``known`` says.

        Raises :class:`BuildError` where nothing can be fetched from there. A server that does not answer HEAD
        is believed to have something of unknown size.
        """
        headers = {}
        if known and known.url == url:
            headers = _only({"If-None-Match": known.etag, "If-Modified-Since": known.modified})
        try:
            with self._open(url, headers, "HEAD") as response:
                found = _version(url, response.headers)
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return None
            if error.code in {403, 405, 501}:
                return Version(url)
            raise BuildError(f"{url}: {_status(error)}") from None
        except (OSError, http.client.HTTPException) as error:
            raise BuildError(f"{url}: {_reason(error)}") from None
        return None if known and known.url == url and known.is_same(found) else found

    def fetch(self, url: str, checksum: str = "") -> tuple[Path, Version]:
        """Return the file at ``url``, complete, and which version it is.

        ``checksum`` is the address at which its MD5 or SHA is published, if it is. Raises :class:`BuildError`, after
        which the next call resumes where that can be. No other process may use the folder meanwhile.
        """
        part = self._folder / f"{_name(url)}{_PART}"
        self._folder.mkdir(parents=True, exist_ok=True)
        part.touch()
        version = self._complete(url, part)
        if checksum and (fault := self._differs(part, checksum)):
            _forget(part)
            raise BuildError(f"{url}: {fault}; what was fetched is thrown away. Fetch it again")
        done = part.with_suffix("")
        part.replace(done)
        return done, version

    def drop(self, path: Path) -> None:
        """Remove a file that :meth:`fetch` returned."""
        path.unlink(missing_ok=True)
        _note_of(path.with_name(path.name + _PART)).unlink(missing_ok=True)

    def keep(self, path: Path) -> None:
        """Let the next :meth:`fetch` have a file that this one returned, if it is still what is at its address."""
        path.replace(path.with_name(path.name + _PART))

    def _complete(self, url: str, part: Path) -> Version:
        """Fetch until all is there; what keeps failing without bringing a byte is given up."""
        failures = most = 0
        while True:
            before = part.stat().st_size
            most = max(most, before)
            try:
                return self._attempt(url, part)
            except urllib.error.HTTPError as error:
                if error.code == 416:  # there is nothing behind what is there: it is all, or no beginning of the file
                    held = _held(part, url)
                    if held and before and before == held.size:
                        return held
                    _forget(part)
                elif error.code not in _PASSING:
                    raise BuildError(f"{url}: {_status(error)}") from None
                reason, wait = _status(error), _seconds(error.headers.get("Retry-After"))
            except _CutError as error:
                reason, wait = str(error), 0.0
            except _ChangedError as error:
                _forget(part)
                reason, wait = str(error), 0.0
            except ssl.SSLCertVerificationError as error:
                raise BuildError(f"{url}: {_reason(error)}") from None
            except (OSError, http.client.HTTPException) as error:
                if isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError):
                    raise BuildError(f"{url}: {_reason(error)}") from None
                reason, wait = _reason(error), 0.0
            failures = 1 if part.stat().st_size > most else failures + 1
            if failures == ATTEMPTS:
                kept = part.stat().st_size
                again = f"; {kept:,} bytes are kept, run it again to go on" if kept else ""
                raise BuildError(f"{url}: {reason}{again}")
            self._pause(min(max(wait, FIRST_PAUSE * 2 ** (failures - 1)), LONGEST_PAUSE))

    def _attempt(self, url: str, part: Path) -> Version:
        """Fetch what is missing in one request; raise what went wrong."""
        held = _held(part, url)
        have = part.stat().st_size if held and held.condition else 0
        headers = {"Range": f"bytes={have}-", "If-Range": held.condition} if held and have else {}
        with self._open(url, headers) as response:
            version = _version(url, response.headers)
            resumed = held is not None and have > 0 and _goes_on(response, held, have)
            if resumed and held:
                version = replace(version, size=held.size)
            else:
                have = 0
            _refuse_page(url, response.headers)
            with part.open("r+b") as file:
                file.truncate(have)
                file.seek(have)
                _note_of(part).write_text(json.dumps(asdict(version)))
                for chunk in iter(lambda: response.read1(CHUNK_BYTES), b""):
                    if not have and _PAGE.match(chunk[:_BEGINNING_BYTES]):
                        file.truncate(0)
                        raise BuildError(f"{url}: is a web page, not a dump; open the address in a browser")
                    file.write(chunk)
                    have += len(chunk)
                    self._progress(Arrived(have, version.size))
        if version.size and have < version.size:
            raise _CutError(f"the server says {version.size:,} bytes and has sent {have:,}")
        if not have:
            raise _CutError("the server has sent nothing")
        return replace(version, size=have)

    def _differs(self, path: Path, address: str) -> str:
        """Return how the file at ``path`` differs from its published checksum; empty where it agrees or none is there.

        A mirror need not have the checksum.
        """
        try:
            with self._open(address, {}) as response:
                published = _DIGEST.search(response.read(CHUNK_BYTES).decode("latin-1"))
        except (OSError, http.client.HTTPException):
            return ""
        if not published:
            return ""
        digest = hashlib.new(_ALGORITHMS[len(published[0])], usedforsecurity=False)
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                digest.update(chunk)
        if digest.hexdigest() == published[0].lower():
            return ""
        return f"does not agree with the checksum at {address}"

    @contextmanager
    def _open(self, url: str, headers: Mapping[str, str], method: str = "GET") -> Iterator[Any]:
        sent = {"User-Agent": f"citeproof/{__version__}", "Accept-Encoding": "identity", **headers}
        request = urllib.request.Request(url, headers=sent, method=method)  # noqa: S310 - the opener knows http(s) alone
        with self._opener.open(request, timeout=self._stall_seconds) as response:
            yield response


class _CutError(Exception):
    """The answer ended before the file did."""


class _ChangedError(Exception):
    """What the server sends now does not go on where the other part ends."""


_ALGORITHMS = {32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}
"""Digits of a published checksum to what it is."""


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but none that gives TLS up."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme not in {"https", urlsplit(req.full_url).scheme}:
            raise BuildError(f"{req.full_url}: redirects to {newurl}, which is not https")
        followed = super().redirect_request(req, fp, code, msg, headers, newurl)
        if followed:
            followed.method = req.get_method()
        return followed


def _opener() -> urllib.request.OpenerDirector:
    """Return what opens http and https, by the proxies of the environment, and nothing else."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


def _version(url: str, headers: Any) -> Version:
    size = str(headers.get("Content-Length") or "")
    return Version(
        url, headers.get("ETag") or "", headers.get("Last-Modified") or "", int(size) if size.isdecimal() else 0
    )


def _goes_on(response: Any, held: Version, have: int) -> bool:
    """Whether the answer is the rest of what is there, and not another file or all of it."""
    found = _RANGE.match(response.headers.get("Content-Range") or "")
    if response.status != 206 or not found:
        return False
    if int(found[1]) != have or (found[2] != "*" and held.size and int(found[2]) != held.size):
        raise _ChangedError("the server resumes at another place")
    etag = response.headers.get("ETag") or ""
    if etag and held.etag and etag != held.etag:
        raise _ChangedError("the file was changed while it was fetched")
    return True


def _refuse_page(url: str, headers: Any) -> None:
    if "text/html" in str(headers.get("Content-Type") or "").lower():
        raise BuildError(f"{url}: is a web page, not a dump; open the address in a browser")


def _held(part: Path, url: str) -> Version | None:
    """Return of what ``part`` is the beginning; None where that is unknown or another address."""
    with suppress(OSError, ValueError, TypeError):
        version = Version(**json.loads(_note_of(part).read_text()))
        return version if version.url == url else None
    return None


def _note_of(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _forget(part: Path) -> None:
    """Empty ``part``, which stays locked."""
    with part.open("r+b") as file:
        file.truncate(0)
    _note_of(part).unlink(missing_ok=True)


def _name(url: str) -> str:
    """Return a plain file name for what is at ``url``."""
    last = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    return re.sub(r"[^\w.-]", "_", last)[-100:].lstrip(".") or "dump"


def _only(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if value}


def _seconds(retry_after: str | None) -> float:
    return float(retry_after) if retry_after and retry_after.strip().isdecimal() else 0.0


def _status(error: urllib.error.HTTPError) -> str:
    return f"the server answers with HTTP status {error.code}"


def _reason(error: Exception) -> str:
    inner = getattr(error, "reason", None) or error
    if isinstance(inner, TimeoutError):
        return "the server has stopped sending"
    if isinstance(inner, OSError) and inner.strerror:
        return f"cannot be fetched: {inner.strerror}"
    return f"cannot be fetched: {str(inner) or type(inner).__name__}".partition("\n")[0]
