"""The transport below the client: TLS verified, no proxy of the environment, addresses guarded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpcore2
import httpx2

from citeproof.errors import ConfigurationError
from citeproof.net.addresses import GuardedBackend

if TYPE_CHECKING:
    import ssl
    from collections.abc import Collection

    from citeproof.net.clock import Clock

_CONNECTIONS = 50
_KEPT = 20
_KEPT_SECONDS = 30.0


class GuardedTransport(httpx2.HTTPTransport):
    """httpx2's transport over a pool whose connections pass :class:`~citeproof.net.addresses.GuardedBackend`."""

    def __init__(self, configured: Collection[str], clock: Clock) -> None:
        """Raises :class:`ConfigurationError` where the variables for certificates name what cannot be read."""
        context = _trusted()
        super().__init__(verify=context)
        if not isinstance(getattr(self, "_pool", None), httpcore2.ConnectionPool):
            raise ConfigurationError("this release of httpx2 keeps its connections where they cannot be guarded")
        # The pool's network backend is httpcore2's public way in; httpx2 has none of its own to it.
        self._pool = httpcore2.ConnectionPool(
            ssl_context=context,
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_KEPT,
            keepalive_expiry=_KEPT_SECONDS,
            network_backend=GuardedBackend(configured, clock),
        )


def _trusted() -> ssl.SSLContext:
    """Return a context that trusts this machine's authorities, or those of ``SSL_CERT_FILE`` or ``SSL_CERT_DIR``."""
    try:
        return httpx2.create_ssl_context()
    except OSError as error:
        reason = error.strerror or error
        raise ConfigurationError(f"variable SSL_CERT_FILE or SSL_CERT_DIR: cannot be read: {reason}") from error
