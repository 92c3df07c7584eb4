"""From settings to the online links: which there are, how they play together, and who is sent
what.
"""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from citeproof.model.errors import ConfigurationError
from citeproof.model.findings import Findings
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.online.sources import SOURCES
from citeproof.settings import load
from citeproof.verification.online_chain import build_client, build_online, withheld_keys
from citeproof.verification.pipeline import Pipeline
from citeproof.verification.validator import Validator
from tests.online.faults import FAULTS
from tests.online.replay import Reply
from tests.online.transport import HOMES, Replay
from tests.online.works import GARDENS, WORLD, cite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from citeproof.model.verdict import Verdict
    from citeproof.verification.online_chain import OnlineChain

SEARXNG = {"searxng_url": "http://searx.lan:8888"}
LLM = {"llm_url": "http://localhost:11434/v1", "llm_model": "qwen3:8b"}
PAMPHLET = Reference(
    "p",
    "A pamphlet on umbrellas in the rain",
    ("Drop, Ida",),
    year=1911,
    raw="Drop, Ida: A pamphlet",
)
KEYS = {
    f"{name}_key": f"secret-of-{name}"
    for name in ("openalex", "semantic_scholar", "brave", "serpapi", "scrapingdog")
}
OWN_HOSTS = {
    "openalex": "api.openalex.org",
    "semantic_scholar": "api.semanticscholar.org",
    "brave": "api.search.brave.com",
    "serpapi": "serpapi.com",
    "scrapingdog": "api.scrapingdog.com",
    "llm": "localhost",
}


class World:
    """The replayed sources, a SearXNG, a language model, and paid engines that find nothing."""

    def __init__(self) -> None:
        self.sources = Replay(WORLD, {})
        self.requests: list[httpx2.Request] = []
        self.fields: dict[str, Any] = {}
        self.faults: dict[str, str] = {}
        """What is wrong with which host."""

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        if request.url.host in HOMES:
            return self.sources(request)
        response = self.beyond(request)
        if fault := self.faults.get(request.url.host):
            reply = FAULTS[fault](
                Reply(response.status_code, response.content, {"content-type": "application/json"})
            )
            return httpx2.Response(reply.status, content=reply.body, headers=reply.headers)
        return response

    def beyond(self, request: httpx2.Request) -> httpx2.Response:
        """Answer for an engine or the model."""
        if request.url.host == "searx.lan":
            hit = {
                "title": PAMPHLET.title,
                "url": "https://library.example/1",
                "content": "by Ida Drop, 1911",
            }
            found = [hit] if PAMPHLET.title in request.url.params["q"] else []
            return httpx2.Response(200, json={"results": found})
        if request.url.host == "localhost":
            return httpx2.Response(
                200, json={"choices": [{"message": {"content": json.dumps(self.fields)}}]}
            )
        nothing = {"type": "search", "scholar_results": [], "organic_results": []}
        return httpx2.Response(200, json=nothing)

    def asked(self, host: str) -> int:
        return sum(request.url.host == host for request in self.requests)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def build(world: World, manual_clock: Any, tmp_path: Path) -> Iterator[Any]:
    chains: list[OnlineChain] = []

    def make(*local: Any, **settings: Any) -> OnlineChain:
        transport, cache = httpx2.MockTransport(world), tmp_path / "cache.db"
        chains.append(
            build_online(load(**settings), cache, local, clock=manual_clock, transport=transport)
        )
        return chains[-1]

    yield make
    for chain in chains:
        chain.close()


def verify(chain: OnlineChain, reference: Reference) -> Verdict:
    return Pipeline(chain.strategies, Validator(today=lambda: date(2026, 11, 20))).verify(reference)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, ["api"]),
        (SEARXNG, ["api", "web_search"]),
        ({"brave_key": "k"}, ["api", "web_search"]),
        (LLM, ["api", "llm_reparse"]),
        ({"llm_url": LLM["llm_url"]}, ["api"]),
        ({**LLM, **SEARXNG}, ["api", "web_search", "llm_reparse"]),
    ],
)
def test_build_online_omits_what_is_not_configured(
    build: Any, settings: dict[str, Any], names: list[str]
) -> None:
    assert [link.name for link in build(**settings).strategies] == names


class Local:
    """A database without the work, whose titles know "early"."""

    name = "local"

    def search(self, reference: Reference) -> Findings:
        return Findings()

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        return tuple((word, 9 * (word == "early")) for word in words)


def test_build_online_finds_a_misspelt_title_by_the_local_database(build: Any) -> None:
    misspelt = cite(GARDENS, title=GARDENS.title.replace("early", "ealry"), doi="")
    verdict = verify(build(Local()), misspelt)
    assert (verdict.status, [issue.code for issue in verdict.issues]) == (
        Status.VALID,
        ["title.misspelt"],
    )
    assert [issue.code for issue in verify(build(), misspelt).issues] == ["title.word_changed"]


def test_build_online_searches_the_web_for_unknown_works(build: Any, world: World) -> None:
    chain = build(**SEARXNG)
    verdict = verify(chain, PAMPHLET)
    assert (verdict.status, verdict.flags, verdict.decided_by) == (
        Status.VALID,
        ("weak_web_match",),
        "web_search",
    )
    assert world.asked("searx.lan") == 1
    assert not any(request.url.host == "library.example" for request in world.requests), (
        "pages are not fetched"
    )
    assert verify(chain, cite(GARDENS)).flags == ()
    assert world.asked("searx.lan") == 1


def test_build_online_queries_the_sources_with_a_second_reading(build: Any, world: World) -> None:
    raw = f"{GARDENS.authors[0]}. {GARDENS.title}. {GARDENS.venue}, {GARDENS.year}."
    world.fields = {"title": GARDENS.title, "authors": list(GARDENS.authors), "year": GARDENS.year}
    chain = build(**LLM)
    verdict = verify(chain, Reference("g", f"{GARDENS.authors[0]} {GARDENS.year}", raw=raw))
    assert (verdict.status, verdict.decided_by) == (Status.VALID, "llm_reparse")
    assert verdict.reference.title == GARDENS.title
    sent = {sent.host: sent.fields for sent in chain.sent()}
    assert sent["localhost"] == ("raw",)
    assert all("raw" not in fields for host, fields in sent.items() if host != "localhost")


MISREAD = Reference(
    "m", f"Clara Autumn. {GARDENS.title}", raw=f"Clara Autumn. {GARDENS.title}. {GARDENS.year}"
)
UNKNOWN = Reference(
    "u", "Umbrellas considered helpful in typed rain", ("Nobody, Ann",), raw="Ann Nobody. Umbrellas"
)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("host", ["searx.lan", "localhost"])
def test_build_online_outage_changes_verdicts_only_to_error(
    build: Any, world: World, host: str, fault: str
) -> None:
    world.fields = {"title": GARDENS.title, "authors": ["Clara Autumn"], "year": GARDENS.year}
    references = (PAMPHLET, MISREAD, UNKNOWN)
    expected = [
        verify(build(**SEARXNG, **LLM, max_age=0.0), reference).status for reference in references
    ]
    assert expected == [Status.VALID, Status.VALID, Status.UNVERIFIED]
    world.faults = {host: fault}
    chain = build(**SEARXNG, **LLM, max_age=0.0)
    for reference, status in zip(references, expected, strict=True):
        for _ in range(2):  # also when asked again at the end of the run
            verdict = verify(chain, reference)
            assert verdict.status in {status, Status.ERROR}, (
                reference.key,
                verdict.reason,
                verdict.evidence,
            )
            assert verdict.status is status or verdict.reason == "source_failed"
            chain.reopen()


def test_build_online_sends_a_key_only_to_its_host(build: Any, world: World) -> None:
    chain = build(**KEYS, **LLM, llm_key="secret-of-llm", contact="me@example.org")
    verify(chain, PAMPHLET)
    verify(chain, cite(GARDENS, year=1990))
    seen = set()
    for request in world.requests:
        everything = f"{request.url} {dict(request.headers)} {request.content!r}"
        for name, host in OWN_HOSTS.items():
            if f"secret-of-{name}" in everything:
                assert request.url.host == host
                seen.add(name)
    assert seen == set(OWN_HOSTS)
    assert "secret-of" not in f"{chain} {load(**KEYS)!r}"


@pytest.mark.parametrize(
    ("url", "key_hosts", "sent"),
    [
        ("https://mirror.example", "", False),
        ("https://mirror.example", "other.example, mirror.example", True),
        ("https://api.openalex.org:8443", "", True),
        ("http://api.openalex.org", "", False),
        ("https://api.openalex.org.mirror.example", "api.openalex.org", False),
    ],
)
def test_withheld_keys_access_to_has_the_key_for_its_own_host_and_for_those_that_the_user_names(
    build: Any, world: World, url: str, key_hosts: str, sent: bool
) -> None:
    settings = {"source_urls": {"openalex": url}, "openalex_key": "s3cret", "key_hosts": key_hosts}
    verify(build(sources="openalex", **settings), cite(GARDENS))
    asked = " ".join(f"{request.url} {dict(request.headers)}" for request in world.requests)
    assert world.requests
    assert ("s3cret" in asked) is sent
    assert len(withheld_keys(load(**settings))) == (not sent)


@pytest.mark.parametrize(
    "settings",
    [
        {"source_urls": {"crossref": "ftp://x"}},
        {"source_urls": {"libgen": "https://x.example"}},
        {"searxng_url": "searx.lan"},
        {"llm_url": "localhost:11434"},
        {"llm_url": "http://[::1"},
        {"llm_url": "http://localhost:99999"},
        {"llm_url": "http://local host/"},
        {"searxng_url": "http://[::g]/"},
        {"source_urls": {"crossref": "http://x:y"}},
    ],
)
def test_build_client_names_an_invalid_url(build: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(settings))):
        build(**settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"contact": "me@example.org\r\nX-Evil: 1"},
        {"contact": "m\u00fcller@example.org"},
        {"openalex_key": "s3cret\n"},
        {"brave_key": "s3cret s3cret"},
        {"llm_key": "s3cr\u00e9t"},
    ],
)
def test_build_client_names_an_invalid_header_value_without_showing_it(
    build: Any, settings: dict[str, str]
) -> None:
    with pytest.raises(
        ConfigurationError, match=f"^setting {next(iter(settings))}: contains a space or"
    ) as caught:
        build(**settings)
    assert "s3cr" not in str(caught.value)


@pytest.mark.parametrize(
    "title", ["Otters\r\nX-Evil: 1", "Otters & anvils = lanterns # 3? /../..", "Otters\0 %0d%0a"]
)
def test_build_online_encodes_a_title_as_one_parameter(
    build: Any, world: World, title: str
) -> None:
    verify(
        build(**KEYS, **SEARXNG),
        Reference("r", title, ("Drop\r\nX-Evil, Ida",), doi="10.1234/x?y#z&q=1"),
    )
    assert len({request.url.host for request in world.requests}) >= 6
    for request in world.requests:
        assert not {name for name in request.headers if "evil" in name}
        assert not {"y", "X-Evil"} & set(request.url.params)
        assert b"#" not in request.url.raw_path
        assert b"\r" not in request.url.raw_path


@pytest.mark.parametrize("doi", ["10.1234/../../users", "10.1234/./x", "10.1234/x/.."])
def test_build_online_sends_no_doi_that_changes_the_path(
    build: Any, world: World, doi: str
) -> None:
    verify(build(**KEYS), Reference("r", "Otters and anvils and lanterns", ("Drop, Ida",), doi=doi))
    assert world.requests
    assert not [
        request.url
        for request in world.requests
        if "users" in str(request.url) or "10.1234" in str(request.url)
    ]


def test_build_client_follows_redirects_only_to_hosts_of_sources(manual_clock: Any) -> None:
    client = build_client(load(), manual_clock)
    homes = {httpx2.URL(source.home).host for source in SOURCES.values()}
    assert client._known == homes | {
        host for source in SOURCES.values() for host in source.redirects
    }
    client.close()
