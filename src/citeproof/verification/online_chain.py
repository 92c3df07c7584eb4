"""Build the strategies that search online sources, from settings.

An offline run does not import this module.
"""

import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from citeproof.model.errors import ConfigurationError
from citeproof.model.verdict import OutgoingRequests
from citeproof.online.language_model import Reader
from citeproof.online.net.client import Client, Transport
from citeproof.online.net.service import Access, Clock, SourceError, http_host
from citeproof.online.papers import fetch_paper
from citeproof.online.search_engines import ENGINES, Engine
from citeproof.online.source import Source
from citeproof.online.sources import SOURCES, chosen_sources
from citeproof.settings import SETTINGS, Settings
from citeproof.settings.values import Secret
from citeproof.store.cache import AnswerCache
from citeproof.store.sql import ServerAddress
from citeproof.verification.pipeline import Strategy
from citeproof.verification.strategies.llm_reparse import LlmReparseStrategy
from citeproof.verification.strategies.online import ApiStrategy, WebSearchStrategy
from citeproof.verification.validation.identity import is_surely_of


@dataclass(frozen=True, slots=True)
class OnlineChain:
    """The strategies that search online sources, with their HTTP connections and the cache of
    answers.
    """

    strategies: tuple[Strategy, ...]
    client: Client
    cache: AnswerCache | None
    executor: ThreadPoolExecutor
    clock: Clock
    sources: tuple[Source, ...] = ()
    engines: tuple[Engine, ...] = ()
    arxiv_url: str = SOURCES["arxiv"].home  # base URL for fetching papers

    @property
    def asked(self) -> tuple[str, ...]:
        """Sorted names of all sources, search engines and language models that may be asked."""
        readers = (link for link in self.strategies if isinstance(link, LlmReparseStrategy))
        return tuple(
            sorted(each.name for some in (self.sources, self.engines, readers) for each in some)
        )

    def reopen(self) -> bool:
        """Enable the sources that were disabled after failures.

        Return whether any source was disabled.
        """
        return self.client.close_circuits()

    def stop(self) -> None:
        """Make all pending requests fail at once."""
        self.clock.stop()

    def paper(self, arxiv_id: str) -> bytes | str:
        """Return the content of the arXiv paper with this id, or a text that says why it could not
        be fetched.
        """
        try:
            return fetch_paper(self.client, self.arxiv_url, arxiv_id)
        except SourceError as error:
            return f"could not be fetched: {error}"

    def sent(self) -> tuple[OutgoingRequests, ...]:
        """Return the number of requests sent so far to each host."""
        return self.client.outgoing.by_host()

    def close(self) -> None:
        """Cancel all pending requests, and close the connections and the cache."""
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
    """Return the strategies that search online sources.

    ``cache`` is the file or server that stores answers.

    ``local`` are the strategies that search local databases. They search again for a reference that
    a language model has parsed again. Raises :class:`ConfigurationError` if ``settings`` cannot be
    used.
    """
    clock = clock or Clock()
    names = chosen_sources(
        settings.sources, {name for name in SOURCES if access_to(settings, name).key}
    )
    client = build_client(settings, clock, transport)
    answers = (
        AnswerCache(cache, lambda: datetime.now(UTC), timedelta(days=settings.max_age))
        if cache
        else None
    )
    sources = build_sources(settings, names, client, clock, answers)
    engines = build_engines(settings, client, clock, answers)
    executor = ThreadPoolExecutor(2 * settings.concurrent, thread_name_prefix="source")
    links: list[Strategy] = [ApiStrategy(sources, executor, local)]
    if engines:
        links.append(WebSearchStrategy(engines))
    if reader := build_reader(settings, client):
        links.append(LlmReparseStrategy(reader, (*local, *links), clock, settings.llm_budget))
    home = access_to(settings, "arxiv").base_url or SOURCES["arxiv"].home
    return OnlineChain(
        tuple(links), client, answers, executor, clock, tuple(sources), tuple(engines), home
    )


def access_to(settings: Settings, name: str) -> Access:
    """Return the URL and API key for a source or search engine.

    The key is empty if the host must not get the key.
    """
    secret: Secret | None = getattr(settings, f"{name}_key", None)
    key = secret.value if secret and _may_have_key(settings, name) else ""
    url = settings.searxng_url if name == "searxng" else settings.source_urls.get(name, "")
    return Access(url, key, settings.contact)


def withheld_keys(settings: Settings) -> tuple[str, ...]:
    """Return a message for each API key that is not sent to the configured host. The message states
    the reason.
    """
    return tuple(
        f"The key in the setting {name}_key is not sent to {http_host(url)}, which is not the host"
        " of this service. To allow this, add the host to the setting key_hosts"
        for name, url in settings.source_urls.items()
        if getattr(settings, f"{name}_key", None) and not _may_have_key(settings, name)
    )


def _may_have_key(settings: Settings, name: str) -> bool:
    """Return whether the API key may be sent to the URL configured for ``name``.

    ``key_hosts`` lists allowed hosts.
    """
    url = settings.source_urls.get(name, "")
    home = (SOURCES.get(name) or ENGINES[name]).home
    own = http_host(url) == http_host(home) and url.startswith("https:")
    return (
        not url
        or own
        or http_host(url) in {host.strip().lower() for host in settings.key_hosts.split(",")}
    )


def build_client(settings: Settings, clock: Clock, transport: Transport | None = None) -> Client:
    """Return the HTTP client of a run.

    Raises :class:`ConfigurationError` for an invalid URL or header value.
    """
    for name, url in settings.source_urls.items():
        if name not in SOURCES and name not in ENGINES:
            raise ConfigurationError(f"setting source_urls: there is no source {name}")
        if not http_host(url):
            raise ConfigurationError(
                f"setting source_urls: the value for {name} is not an http address"
            )
    for setting in ("searxng_url", "llm_url"):
        if (url := getattr(settings, setting)) and not http_host(url):
            raise ConfigurationError(
                f"setting {setting}: is not an http address, such as http://localhost:8080"
            )
    keys = {
        name: value.value
        for name in SETTINGS
        if isinstance(value := getattr(settings, name), Secret)
    }
    # a line break would start another header
    for setting, text in {"contact": settings.contact, **keys}.items():
        if not re.fullmatch(r"[!-~]*", text):
            raise ConfigurationError(
                f"setting {setting}: contains a space or a character that is not ASCII"
            )
    urls = (*settings.source_urls.values(), settings.searxng_url, settings.llm_url)
    known = {
        host for source in SOURCES.values() for host in (http_host(source.home), *source.redirects)
    }
    own = set(filter(None, map(http_host, urls)))
    return Client(
        clock,
        contact=settings.contact,
        known_hosts=known,
        configured_hosts=own,
        transport=transport,
    )


def build_sources(
    settings: Settings,
    names: Iterable[str],
    client: Client,
    clock: Clock,
    known: AnswerCache | None = None,
) -> list[Source]:
    """Return the online sources with the given names."""
    return [
        SOURCES[name](client, clock, access_to(settings, name), known, is_surely_of)
        for name in names
    ]


def build_engines(
    settings: Settings, client: Client, clock: Clock, known: AnswerCache | None = None
) -> list[Engine]:
    """Return the configured search engines: SearXNG if its URL is set, and each other engine if its
    API key is set.
    """
    accesses = {name: access_to(settings, name) for name in ENGINES}
    usable = (
        name
        for name, access in accesses.items()
        if access.key or (name == "searxng" and access.base_url)
    )
    return [ENGINES[name](client, clock, accesses[name], known) for name in usable]


def build_reader(settings: Settings, client: Client) -> Reader | None:
    """Return the configured language model. None if the settings name no model."""
    if not settings.llm_url or not settings.llm_model:
        return None
    key = settings.llm_key.value if settings.llm_key else ""
    return Reader(client, Access(settings.llm_url, key), settings.llm_model)
