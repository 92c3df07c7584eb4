"""``citeproof sources``, and the settings that it shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.scenarios.online.here import DEAD

if TYPE_CHECKING:
    from tests.scenarios.online.here import Here


def test_sources_lists_all_and_shows_no_key(replayed: Here) -> None:
    code, out, _ = replayed("sources")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == [
        "crossref",
        "openalex",
        "semantic_scholar",
        "dblp",
        "arxiv",
        "doi_org",
        "europe_pmc",
        "open_library",
        "searxng",
        "serpapi",
        "scrapingdog",
        "brave",
        "llm",
    ]
    assert "key set" in out
    assert "s3cret" not in out


def test_sources_shows_no_password_of_an_address(here: Here) -> None:
    urls = json.dumps({"crossref": "https://me:s3cret@mirror.example:8443/x?key=s3cret#s3cret"})
    llm = {
        "llm_url": "http://me:s3cret@localhost:11434/v1",
        "llm_model": "qwen3:8b",
        "llm_key": "s3cret",
    }
    code, out, err = here("sources", source_urls=urls, **llm)
    assert (code, err) == (0, "")
    lines = " ".join(out.split())
    assert "at https://mirror.example:8443/x openalex" in lines
    assert lines.endswith("asked last, qwen3:8b at http://localhost:11434/v1")
    assert "s3cret" not in out


def test_source_urls_must_be_an_object(here: Here) -> None:
    code, out, err = here("sources", source_urls="https://me:s3cret@mirror.example")
    assert (code, out) == (2, "")
    assert (
        err == 'citeproof: setting source_urls: should be a JSON object such as {"crossref":'
        ' "https://mirror.example"}\n'
    )


def test_empty_variable_of_source_urls_counts_as_unset(here: Here) -> None:
    code, out, _ = here("sources", openalex_key="", source_urls="", llm_url="", contact="")
    assert code == 0
    assert "key set" not in out


def test_sources_check_queries_configured_sources(replayed: Here) -> None:
    code, out, _ = replayed("sources", "--check")
    assert code == 0
    assert out.endswith("\n\n2 of 2 answer.\n")
    assert [line.split(",")[0].split() for line in out.splitlines()[-4:-2]] == [
        ["crossref", "answers"],
        ["openalex", "answers"],
    ]


def test_sources_check_names_sources_that_fail(here: Here) -> None:
    code, out, _ = here("sources", "--check", source_urls=DEAD, sources="crossref")
    assert code == 3
    assert (
        "crossref          no connection: 127.0.0.1: connection refused\n\n0 of 1 answer.\n" in out
    )


def test_sources_check_is_refused_offline(here: Here) -> None:
    code, _, err = here("sources", "--check", offline="true")
    assert code == 2
    assert "offline" in err
