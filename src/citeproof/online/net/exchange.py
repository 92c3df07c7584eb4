"""Send one request and read the whole response, within limits of time and size. Every failure is a SourceError."""

import re
import ssl
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from email.utils import parsedate_to_datetime

import httpx2

from citeproof.model.verdict import OutgoingRequests
from citeproof.online.net.clock import Clock
from citeproof.online.net.service import NOTHING_SENT, Kind, SourceError
from citeproof.online.net.transport import read_deadline

MAX_BODY = 5 * 1024 * 1024
"""Maximum bytes of a response body after decompression."""
MAX_SECONDS = 60.0
"""Maximum seconds of a response. A host that sends one byte at a time cannot block a thread for ever."""
_SECONDS = re.compile(r"\s*(\d+)(?:\.\d+)?\s*(?:,|$)")
_LOST = {
    httpx2.ReadError: "the connection was closed",
    httpx2.WriteError: "the connection was closed",
    httpx2.RemoteProtocolError: "its answer is cut off, or not HTTP",
}
"""Messages for lost connections. The messages of the library may quote a header, which may contain a key."""


def retry_after(header: str, now: float) -> float | None:
    """Return the seconds of a ``Retry-After`` header; None if it is empty or invalid.

    ``now`` is in seconds since the epoch. A header that was sent twice is read as ``5, 5``.
    """
    if seconds := _SECONDS.match(header):
        return float(seconds[1])
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (ValueError, IndexError):
        return None


class RequestCounter:
    """Counts sent requests, including retries and redirects, for the report of a run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = Counter[tuple[str, frozenset[str]]]()

    @contextmanager
    def counted(self, host: str, fields: Iterable[str]) -> Iterator[None]:
        """Context manager that counts the request in its block, which sends ``fields`` of a reference to ``host``.

        The request counts from its start, so that the report of an interrupted run includes pending requests. It is
        subtracted if the connection cannot be opened.
        """
        request = (host, frozenset(fields))
        with self._lock:
            self._requests[request] += 1
        try:
            yield
        except SourceError as failure:
            if failure.kind in NOTHING_SENT:
                with self._lock:
                    self._requests[request] -= 1
            raise

    def by_host(self) -> tuple[OutgoingRequests, ...]:
        """Return the number of requests and the sent fields of each host, sorted by host."""
        with self._lock:
            sent = +self._requests
        return tuple(
            OutgoingRequests(
                host,
                sum(count for (to, _), count in sent.items() if to == host),
                tuple(sorted({field for to, fields in sent if to == host for field in fields})),
            )
            for host in sorted({host for host, _ in sent})
        )


def exchange(http: httpx2.Client, request: httpx2.Request, clock: Clock) -> tuple[httpx2.Response, bytes]:
    """Send ``request``; return the response and its decompressed body. Any failure is a :class:`SourceError`."""
    host = request.url.host
    deadline = clock.monotonic() + MAX_SECONDS
    try:
        with read_deadline(deadline), closing(http.send(request, stream=True)) as response:
            return response, _body(response)
    except (httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ConnectError, httpx2.ProxyError) as error:
        proxy = request.extensions.get("proxy")
        place = f"{host} through the proxy {proxy}" if proxy else host
        raise SourceError(Kind.CONNECTION, f"{place}{_connection_failure(error)}") from error
    except httpx2.TimeoutException as error:
        late = clock.monotonic() > deadline
        reason = f"{host}: no complete answer in {MAX_SECONDS:.0f} s" if late else f"{host} stopped responding"
        raise SourceError(Kind.TIMEOUT, reason) from error
    except httpx2.DecodingError as error:
        raise SourceError(Kind.BAD_ANSWER, f"{host}: invalid compression") from error
    except httpx2.TransportError as error:
        raise SourceError(Kind.LOST, f"{host}: {_LOST.get(type(error), 'no response')}") from error
    except PermissionError as error:
        raise SourceError(Kind.FORBIDDEN_ADDRESS, str(error)) from error


def _body(response: httpx2.Response) -> bytes:
    chunks = []
    size = 0
    for chunk in response.iter_bytes():  # the library decompresses at most 1 MiB at a time
        size += len(chunk)
        if size > MAX_BODY:
            raise SourceError(Kind.TOO_LARGE, f"more than {MAX_BODY // 1024 // 1024} MiB")
        chunks.append(chunk)
    return b"".join(chunks)


def _connection_failure(error: httpx2.TransportError) -> str:
    """Return why no connection could be opened, in the words of the operating system or of the TLS library."""
    if isinstance(error, httpx2.TimeoutException):
        return " does not respond"
    if isinstance(error, httpx2.ProxyError):
        return f": {error}"
    for cause in causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f": its certificate is refused: {cause.verify_message.rstrip('.')}"
        if isinstance(cause, ssl.SSLError):
            return ": TLS fails"
        if isinstance(cause, OSError) and cause.strerror:
            return f": {cause.strerror[0].lower()}{cause.strerror[1:]}"
    return ": refused"


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield ``error`` and the exceptions that have caused it."""
    while error:
        yield error
        error = error.__cause__ or error.__context__
