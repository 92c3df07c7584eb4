"""One request and its whole answer, within limits of time and size; what goes wrong is a SourceError in plain words."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

import httpx2

from citeproof.net.failure import Kind, SourceError
from citeproof.net.streams import answered_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.net.clock import Clock

BODY_LIMIT = 5 * 1024 * 1024
"""Bytes, after decompression."""
WHOLE_ANSWER_SECONDS = 60.0
"""A host that sends a byte every few seconds must not keep a thread for ever."""

_LOST = {
    httpx2.ReadError: "it ended the connection",
    httpx2.WriteError: "it ended the connection",
    httpx2.RemoteProtocolError: "its answer is cut off, or not HTTP",
}
"""What became of a connection, in words; a library's own message may quote a header, and so a key."""


def exchange(http: httpx2.Client, request: httpx2.Request, clock: Clock) -> tuple[httpx2.Response, bytes]:
    """Send ``request`` and return the answer with its body; raises :class:`SourceError`."""
    host = request.url.host
    until = clock.monotonic() + WHOLE_ANSWER_SECONDS
    try:
        with answered_by(until):
            response = http.send(request, stream=True)
            try:
                return response, _body(response)
            finally:
                response.close()
    except (httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
        raise SourceError(Kind.CONNECTION, f"{host} does not answer") from error
    except httpx2.ConnectError as error:
        raise SourceError(Kind.CONNECTION, f"{host}: {_why(error)}") from error
    except httpx2.TimeoutException as error:
        late = clock.monotonic() > until
        reason = f"{host}: no complete answer in {WHOLE_ANSWER_SECONDS:.0f} s" if late else f"{host} is silent"
        raise SourceError(Kind.TIMEOUT, reason) from error
    except httpx2.DecodingError as error:
        raise SourceError(Kind.BAD_ANSWER, f"{host}: not compressed as it says") from error
    except httpx2.TransportError as error:
        raise SourceError(Kind.LOST, f"{host}: {_LOST.get(type(error), 'no answer')}") from error
    except PermissionError as error:
        raise SourceError(Kind.FORBIDDEN_ADDRESS, str(error)) from error


def _body(response: httpx2.Response) -> bytes:
    chunks = []
    size = 0
    for chunk in response.iter_bytes():  # the library inflates at most a mebibyte at a time
        size += len(chunk)
        if size > BODY_LIMIT:
            raise SourceError(Kind.TOO_LARGE, f"more than {BODY_LIMIT // 1024 // 1024} MiB")
        chunks.append(chunk)
    return b"".join(chunks)


def _why(error: BaseException) -> str:
    """Return why no connection could be made, in the system's words."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is refused: {cause.verify_message.rstrip('.')}"
        if isinstance(cause, ssl.SSLError):
            return "TLS fails"
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror[0].lower() + cause.strerror[1:]
    return "refused"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__
