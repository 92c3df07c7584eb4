"""The online part of the chain: settings become a client, sources and strategies.

Nothing here is imported, and no connection can be opened, in a run that stays offline.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from citeproof.errors import ConfigurationError
from citeproof.net.client import Client
from citeproof.net.clock import SystemClock
from citeproof.online.registry import SOURCES, chosen_sources
from citeproof.online.source import Access, Source
from citeproof.search_cache import SearchCache
from citeproof.strategies.api import ApiStrategy

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pydantic import SecretStr

    from citeproof.models import Departure
    from citeproof.net.client import Transport
    from citeproof.net.clock import Clock
    from citeproof.online.source import Memory
    from citeproof.pipeline import Strategy
    from citeproof.settings import Settings


@dataclass(frozen=True, slots=True)
class OnlineChain:
    """The links of the chain that go online, with what they hold open."""

    strategies: tuple[Strategy, ...]
    client: Client
    memory: SearchCache
    executor: ThreadPoolExecutor

    def reopen(self) -> bool:
        """Let sources that were given up be asked again; return whether there were any."""
        return self.client.second_chance()

    def departures(self) -> tuple[Departure, ...]:
        """Return what left the machine so far."""
        return self.client.ledger.departures()

    def close(self) -> None:
        """Close the connections and the cache."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.client.close()
        self.memory.close()


def build_online(
    settings: Settings, cache: Path, *, clock: Clock | None = None, transport: Transport | None = None
) -> OnlineChain:
    """Return the online links that ``settings`` describe; their answers are kept in ``cache``.

    Raises :class:`ConfigurationError` where they cannot be used.
    """
    clock = clock or SystemClock()
    with_key = {name for name in SOURCES if access_to(settings, name).key}
    names = chosen_sources(settings.sources, with_key)
    client = build_client(settings, clock, transport)
    memory = SearchCache(cache, lambda: datetime.now(UTC), timedelta(days=settings.max_age))
    sources = build_sources(settings, names, client, clock, memory)
    executor = ThreadPoolExecutor(2 * settings.concurrent, thread_name_prefix="source")
    return OnlineChain((ApiStrategy(sources, executor),), client, memory, executor)


def access_to(settings: Settings, name: str) -> Access:
    """Return how ``settings`` reach the source ``name``."""
    secret: SecretStr | None = getattr(settings, f"{name}_key", None)
    key = secret.get_secret_value() if secret else ""
    return Access(settings.source_urls.get(name, ""), key, settings.contact)


def build_client(settings: Settings, clock: Clock, transport: Transport | None = None) -> Client:
    """Return the client that all sources of a run share."""
    for name, url in settings.source_urls.items():
        if name not in SOURCES or not _host(url):
            raise ConfigurationError(f"setting source_urls: {name} = {url} is not a source with an http address")
    known = {host for source in SOURCES.values() for host in (_host(source.home), *source.redirects)}
    return Client(
        clock,
        contact=settings.contact,
        known_hosts=known,
        configured_hosts={_host(url) for url in settings.source_urls.values()},
        transport=transport,
    )


def build_sources(
    settings: Settings, names: Iterable[str], client: Client, clock: Clock, memory: Memory | None = None
) -> list[Source]:
    """Return the sources ``names``, ready to be asked."""
    return [SOURCES[name](client, clock, access_to(settings, name), memory) for name in names]


def _host(url: str) -> str:
    parts = urlsplit(url)
    return (parts.hostname or "") if parts.scheme in {"http", "https"} else ""
