"""Going online for references that the database does not confirm: each query once, and resumed
after a stop.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from citeproof import read, to_dict
from citeproof.screen.checking import Keeper
from citeproof.settings import load
from citeproof.verification.startup import open_session
from tests.online.faults import server_error
from tests.online.server import Served, serve
from tests.online.works import GARDENS, MAPS, TABLES, WORLD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from citeproof.model.verdict import Verdict
    from citeproof.screen.checking import Checked
    from tests.scenarios.screen.conftest import Screen

BOTH = "crossref,openalex"
HELD = ("Time, clocks, and the ordering of events in a distributed system", "Leslie Lamport", 1978)
"""A work in the sample."""
UNKNOWN = (
    "Umbrellas considered helpful in typed rain",
    "Velvet calculus of walnuts under quarrelsome moonbeams",
)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serve(WORLD) as served:
        yield served


@pytest.fixture
def served(server: Served, manual_clock: Any, monkeypatch: pytest.MonkeyPatch) -> Served:
    """Return unused sources whose pace does not delay the test."""
    server.requests.clear()
    server.faults.clear()
    monkeypatch.setenv("CITEPROOF_SOURCE_URLS", json.dumps(server.urls("crossref", "openalex")))
    monkeypatch.setenv("CITEPROOF_OPENALEX_KEY", "k")
    monkeypatch.setenv("CITEPROOF_KEY_HOSTS", "127.0.0.1")
    monkeypatch.setenv("CITEPROOF_CONTACT", "me@example.org")
    monkeypatch.setattr("citeproof.verification.online_chain.Clock", lambda: manual_clock)
    return server


def cite(screen: Screen, name: str, *entries: tuple[str, str, int]) -> None:
    """Write a paper that cites works by title, author and year."""
    path = screen.papers / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "\n".join(
            f"@article{{k{n}, title={{{title}}}, author={{{author}}}, year={year}}}"
            for n, (title, author, year) in enumerate(entries)
        )
    )


def statuses(screen: Screen) -> dict[str, str]:
    """Return the status of each distinct reference, by its title and year."""
    verdicts = {row["reference"]: row["status"] for row in screen.table("verdicts")}
    return {
        f"{row['title']} {row['year']}": verdicts[row["reference"]]
        for row in screen.table("references")
    }


def report(run: Callable[..., Any], screen: Screen, paper: str) -> Any:
    """Return the report on ``paper``."""
    return json.loads(run("report", screen.folder, paper, "--format", "json").output)["results"]


def test_screen_online_sends_each_query_once(
    screen: Screen, run: Callable[..., Any], served: Served
) -> None:
    author = " and ".join(TABLES.authors)
    cite(screen, "one.bib", (TABLES.title, author, 2011), HELD)
    cite(
        screen,
        "two.bib",
        (TABLES.title, author, 2010),
        *((title, "Ann Nobody", 2017) for title in UNKNOWN),
    )
    cite(
        screen,
        "three.bib",
        (TABLES.title, author, 2011),
        *((title, "Ann Nobody", 2016) for title in UNKNOWN),
    )
    screen(sources=BOTH)
    assert [(each.references, each.questions) for each in screen.expected] == [(6, 24)]
    found = statuses(screen)
    assert [found[f"{TABLES.title} 2011"], found[f"{HELD[0]} 1978"]] == ["VALID", "VALID"]
    # By title, and for what nobody knows by author and words; other years of the same works are the
    # same questions.
    once = {"crossref": 1 + 2 * len(UNKNOWN), "openalex": 1 + 2 * len(UNKNOWN)}
    assert dict(served.requests) == once
    screen(sources=BOTH)
    assert dict(served.requests) == once
    assert [each.questions for each in screen.expected] == [24, 0]
    assert statuses(screen) == found
    asked, known = [(one["status"], one["decided_by"]) for one in report(run, screen, "one.bib")]
    # The cache, where the same work of another year, which is at work at the same time, was
    # confirmed first.
    assert asked in {("VALID", "api"), ("VALID", "cache")}
    assert known == ("VALID", "bibliographic_database")


def test_screen_online_has_the_verdicts_of_verify(
    screen: Screen, run: Callable[..., Any], served: Served, tmp_path: Path
) -> None:
    cite(
        screen,
        "one.bib",
        (GARDENS.title, GARDENS.authors[0], 1999),
        (MAPS.title, MAPS.authors[0], MAPS.year),
    )
    screen(sources=BOTH)
    settings = load(enable_online=True, sources=BOTH, cache=tmp_path / "other.db")
    with open_session(settings) as session:
        expected = to_dict(session.check([read(screen.papers / "one.bib")]))["results"]
    shown = report(run, screen, "one.bib")
    assert len(shown) == len(expected) == 2
    for one, other in zip(shown, expected, strict=True):
        for name in ("status", "reason", "issues", "best_match", "meant", "decided_by"):
            assert one[name] == other[name]
    assert served.requests


def test_screen_online_repeats_no_query_after_a_stop(
    screen: Screen, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = dict.fromkeys(screen.titles(55))
    cite(screen, "one.bib", *((title, "Ann Nobody", 2017) for title in titles))
    left = iter(range(10))

    class Stopped(Keeper):
        def checked(self, verdict: Verdict) -> Checked:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return super().checked(verdict)

    with monkeypatch.context() as patched:
        patched.setattr("citeproof.screen.run.Keeper", Stopped)
        with pytest.raises(KeyboardInterrupt):
            screen(sources="crossref")
    assert 0 < served.requests.total() < 2 * len(titles)
    screen(sources="crossref")
    assert [each.references for each in screen.expected] == [len(titles), len(titles) - 10]
    assert served.requests.total() == 2 * len(titles)
    assert set(statuses(screen).values()) == {"UNVERIFIED"}


def test_screen_online_asks_a_failed_source_again_in_the_next_run(
    screen: Screen, served: Served
) -> None:
    cite(
        screen,
        "one.bib",
        (TABLES.title, " and ".join(TABLES.authors), 2011),
        (UNKNOWN[0], "Ann Nobody", 2017),
    )
    served.faults["crossref"] = server_error
    screen(sources="crossref")
    assert set(statuses(screen).values()) == {"ERROR"}
    served.faults.clear()
    screen(sources="crossref")
    assert sorted(statuses(screen).values()) == ["UNVERIFIED", "VALID"]


def test_screen_online_asks_an_added_source(screen: Screen, served: Served) -> None:
    cite(
        screen,
        "one.bib",
        (TABLES.title, " and ".join(TABLES.authors), 2011),
        (UNKNOWN[0], "Ann Nobody", 2017),
    )
    screen(sources="crossref")
    first = served.requests["crossref"]
    screen(sources=BOTH)
    assert (served.requests["crossref"], served.requests["openalex"]) == (first, 2)
    with gzip.open(screen.folder / "evidence.jsonl.gz", "rt") as lines:
        assert len(list(lines)) == 5, "two from the database, two from Crossref, one from both"


def test_screen_offline_keeps_online_verdicts(screen: Screen, served: Served) -> None:
    cite(screen, "one.bib", (TABLES.title, " and ".join(TABLES.authors), 2011))
    screen(sources=BOTH)
    before = served.requests.total()
    screen()
    assert set(statuses(screen).values()) == {"VALID"}
    assert served.requests.total() == before > 0


@pytest.mark.slow
def test_screen_online_prints_an_estimate_first(
    screen: Screen, run: Callable[..., Any], served: Served
) -> None:
    cite(screen, "one.bib", HELD, (UNKNOWN[0], "Ann Nobody", 2017))
    words = (
        screen.papers,
        "-o",
        screen.folder,
        "--processes",
        "1",
        "--enable-online",
        "--sources",
        BOTH,
    )
    done = run(*words)
    assert done.exit_code == 0, done.exception
    assert done.output.startswith(
        "citeproof: 1 reference is looked up online, with at most 4 requests: less than a minute"
        " at the rates of the sources"
    )
    assert "Note: Sent authors, title to 127.0.0.1 (4 requests)." in done.output
    assert "looked up online" not in run(*words).output
    told = run("report", screen.folder, "one.bib").output
    assert "Sent: authors, title to 127.0.0.1 (4 requests)." in told
    assert "Nothing left this machine" not in told
    assert served.requests.total() == 4


def test_screen_refuses_sources_without_enable_online(
    screen: Screen, run: Callable[..., Any]
) -> None:
    done = run(screen.papers, "-o", screen.folder, "--sources", "crossref")
    assert "--sources names online sources; it needs --enable-online" in done.output
