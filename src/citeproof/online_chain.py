"""The online part of the chain: settings become a client, sources and strategies.

Nothing here is imported, and no connection can be opened, in a run that stays offline.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from citeproof.cache.opening import open_answer_cache
from citeproof.errors import ConfigurationError
from citeproof.llm.reader import Reader
from citeproof.net.client import Client
from citeproof.net.clock import SystemClock
from citeproof.net.service import Access, http_host
from citeproof.online.registry import SOURCES, chosen_sources
from citeproof.setting_values import Secret
from citeproof.settings import SETTINGS
from citeproof.strategies.api import ApiStrategy, WordCounter
from citeproof.strategies.llm_reparse import LlmReparseStrategy
from citeproof.strategies.web_search import WebSearchStrategy
from citeproof.websearch.registry import ENGINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from citeproof.cache import AnswerCache
    from citeproof.models import OutgoingRequests
    from citeproof.net.client import Transport
    from citeproof.net.clock import Clock
    from citeproof.net.known_answers import KnownAnswers
    from citeproof.online.source import Source
    from citeproof.pipeline import Strategy
    from citeproof.server_address import ServerAddress
    from citeproof.settings import Settings
    from citeproof.websearch.engine import Engine

_PLAIN = re.compile(r"[!-~]*")


@dataclass(frozen=True, slots=True)
class OnlineChain:
    """The links of the chain that go online, with what they hold open."""

    strategies: tuple[Strategy, ...]
    client: Client
    cache: AnswerCache | None
    executor: ThreadPoolExecutor
    clock: Clock
    sources: tuple[Source, ...] = ()
    engines: tuple[Engine, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of all that may be asked, sorted."""
        readers = (link for link in self.strategies if isinstance(link, LlmReparseStrategy))
        return tuple(sorted(each.name for some in (self.sources, self.engines, readers) for each in some))

    def reopen(self) -> bool:
        """Let sources that were given up be asked again; return whether there were any."""
        return self.client.close_circuits()

    def stop(self) -> None:
        """End all waiting: what has no answer yet fails at once."""
        self.clock.stop()

    def sent(self) -> tuple[OutgoingRequests, ...]:
        """Return what left the machine so far."""
        return self.client.outgoing.by_host()

    def close(self) -> None:
        """Close the connections and the cache; what is still waiting for its turn gives up."""
        self.stop()
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.client.close()
        if self.cache:
            self.cache.close()


def build_online(
    settings: Settings,
    cache: Path | ServerAddress | None,
    local: Sequence[Strategy] = (),
    *,
    clock: Clock | None = None,
    transport: Transport | None = None,
) -> OnlineChain:
    """Return the online links that ``settings`` describe; their answers are kept in ``cache``, if there is one.

    ``local`` are the links before them, which a second reading of a reference goes through again.

    Raises :class:`ConfigurationError` where they cannot be used.
    """
    clock = clock or SystemClock()
    with_key = {name for name in SOURCES if access_to(settings, name).key}
    names = chosen_sources(settings.sources, with_key)
    client = build_client(settings, clock, transport)
    max_age = timedelta(days=settings.max_age)
    answers = open_answer_cache(cache, lambda: datetime.now(UTC), max_age) if cache else None
    sources = build_sources(settings, names, client, clock, answers)
    executor = ThreadPoolExecutor(2 * settings.concurrent, thread_name_prefix="source")
    links: list[Strategy] = [ApiStrategy(sources, executor, [link for link in local if isinstance(link, WordCounter)])]
    engines = build_engines(settings, client, clock, answers)
    if engines:
        links.append(WebSearchStrategy(engines))
    if reader := build_reader(settings, client):
        links.append(LlmReparseStrategy(reader, (*local, *links), clock, settings.llm_budget))
    return OnlineChain(tuple(links), client, answers, executor, clock, tuple(sources), tuple(engines))


def access_to(settings: Settings, name: str) -> Access:
    """Return how ``settings`` reach the source ``name``."""
    secret: Secret | None = getattr(settings, f"{name}_key", None)
    key = secret.value if secret else ""
    return Access(settings.source_urls.get(name, ""), key, settings.contact)


def build_client(settings: Settings, clock: Clock, transport: Transport | None = None) -> Client:
    """Return the client that all sources of a run share."""
    for name, url in settings.source_urls.items():
        if name not in SOURCES and name not in ENGINES:
            raise ConfigurationError(f"setting source_urls: there is no source {name}")
        if not http_host(url):
            raise ConfigurationError(f"setting source_urls: what is set for {name} is no http address")
    for setting in ("searxng_url", "llm_url"):
        if (url := getattr(settings, setting)) and not http_host(url):
            raise ConfigurationError(f"setting {setting}: is no http address, such as http://localhost:8080")
    for setting, text in _header_texts(settings):
        if not _PLAIN.fullmatch(text):
            raise ConfigurationError(f"setting {setting}: holds a space or a character beyond ASCII")
    own = (*settings.source_urls.values(), settings.searxng_url, settings.llm_url)
    known = {host for source in SOURCES.values() for host in (http_host(source.home), *source.redirects)}
    return Client(
        clock,
        contact=settings.contact,
        known_hosts=known,
        configured_hosts=set(filter(None, map(http_host, own))),
        transport=transport,
    )


def build_sources(
    settings: Settings, names: Iterable[str], client: Client, clock: Clock, known: KnownAnswers | None = None
) -> list[Source]:
    """Return the sources ``names``, ready to be asked."""
    return [SOURCES[name](client, clock, access_to(settings, name), known) for name in names]


def build_engines(settings: Settings, client: Client, clock: Clock, known: KnownAnswers | None = None) -> list[Engine]:
    """Return the web search engines that are configured: those with a key, and a SearXNG with an address."""
    found = []
    for name, engine in ENGINES.items():
        access = access_to(settings, name)
        if name == "searxng":
            access = replace(access, base_url=settings.searxng_url)
        if access.key or (name == "searxng" and access.base_url):
            found.append(engine(client, clock, access, known))
    return found


def build_reader(settings: Settings, client: Client) -> Reader | None:
    """Return the language model that is configured, if one is."""
    if not settings.llm_url or not settings.llm_model:
        return None
    key = settings.llm_key.value if settings.llm_key else ""
    return Reader(client, Access(settings.llm_url, key), settings.llm_model)


def _header_texts(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the settings that go into the head of a request, where a line break would begin another field."""
    yield "contact", settings.contact
    for name in SETTINGS:
        value = getattr(settings, name)
        if isinstance(value, Secret):
            yield name, value.value
