"""What ``sources`` shows of each online service."""

from dataclasses import replace

import pytest

from citeproof.cli import sources
from citeproof.online.net.service import Kind, SourceError
from citeproof.settings import Settings
from citeproof.settings.values import Secret


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (
            "https://me:secret@mirror.example:8080/api?key=abc#part",
            "https://mirror.example:8080/api",
        ),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
    ],
)
def test_shown_leaves_out_what_may_be_secret(url: str, shown: str) -> None:
    assert sources._shown(url) == shown


def _states(settings: Settings) -> dict[str, str]:
    return {name: state for name, _, state in sources._rows(settings)}


def test_rows_say_which_services_are_asked_and_which_have_a_key() -> None:
    states = _states(Settings())
    assert states["crossref"] == "asked, needs no key"
    assert states["semantic_scholar"].endswith(", no key")
    assert states["searxng"] == states["brave"] == states["llm"] == "not configured"
    configured = replace(
        Settings(),
        sources="dblp",
        semantic_scholar_key=Secret("k"),
        brave_key=Secret("k"),
        searxng_url="http://localhost",
        source_urls={"dblp": "https://u:p@mirror.example"},
        llm_url="http://u:p@localhost/v1",
        llm_model="small",
    )
    states = _states(configured)
    assert states["dblp"] == "asked, needs no key, at https://mirror.example"
    assert states["crossref"] == "not asked, needs no key"
    assert states["semantic_scholar"] == "not asked, key set"
    assert states["searxng"] == states["brave"] == "asked last"
    assert states["llm"] == "asked last, small at http://localhost/v1"
    assert _states(replace(configured, llm_model=""))["llm"] == "not configured"


def test_check_returns_the_failure_of_a_service_as_text() -> None:
    def refused() -> None:
        raise SourceError(Kind.TIMEOUT, "no answer")

    assert sources._check(("dblp", refused))[:2] == ("dblp", "timed out: no answer")
    assert sources._check(("arxiv", lambda: None))[:2] == ("arxiv", "")
