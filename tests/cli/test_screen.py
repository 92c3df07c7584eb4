"""The command line of ``screen``, and what it says before and after a run."""

import sys
from pathlib import Path

import click
import pytest

from citeproof.cli import screen
from citeproof.model.errors import InputError, MissingExtraError
from citeproof.screen.results import Results
from citeproof.screen.run import Estimate
from citeproof.screen.signals import KINDS
from citeproof.screen.store import opened
from citeproof.settings import Settings, load
from citeproof.verification.session import Session


@pytest.mark.parametrize(
    ("arguments", "parsed"),
    [
        (["papers", "-o", "results"], ["run", "papers", "-o", "results"]),
        (["-o", "results", "papers"], ["run", "-o", "results", "papers"]),
        (["report", "results", "12.pdf"], ["report", "results", "12.pdf"]),
        (["run", "papers"], ["run", "papers"]),
    ],
)
def test_parse_args_puts_run_before_everything_else(
    arguments: list[str], parsed: list[str]
) -> None:
    context = click.Context(screen.command)
    screen.command.parse_args(context, arguments)
    assert [*context._protected_args, *context.args] == parsed


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (Estimate(1, 0, 0, 0), "1 reference is looked up online; all answers are in the cache."),
        (
            Estimate(1_200, 3_000, 300, 7_200 * 2),
            "1,200 references are looked up online, with at most 3,000 requests: 5 minutes to 4"
            " hours at the rates of the sources. You can stop the command at any time; the same"
            " command continues.",
        ),
        (
            Estimate(2, 4, 10, 20),
            "2 references are looked up online, with at most 4 requests: less than a minute at the"
            " rates of the sources. You can stop the command at any time; the same command"
            " continues.",
        ),
    ],
)
def test_expected_says_how_long_the_questions_take(estimate: Estimate, said: str) -> None:
    assert screen._expected(estimate) == said


def test_kept_refuses_a_folder_without_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no results of a screening"):
        screen._kept(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_lines_count_papers_references_and_signals(tmp_path: Path) -> None:
    with opened(tmp_path / "results") as store:
        store.execute("INSERT INTO papers VALUES (1, 'a.pdf', 'a.pdf', 0, '')")
        store.execute("INSERT INTO papers VALUES (2, 'b.pdf', 'b.pdf', 0, 'is damaged')")
        for number, status in ((1, "VALID"), (2, "UNVERIFIED")):
            reference = (number, bytes([number]), '{"title": "T"}')
            store.execute("INSERT INTO distinct_references VALUES (?, ?, ?)", reference)
            details = '{"issues": [], "match": null, "flags": [], "held": 0, "odds": null}'
            verdict = (number, "basis", status, "title_not_found", 0.5, details, "", None, None)
            store.execute("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", verdict)
            place = (1, number, number, f"k{number}", "a.pdf", 0, 1, "", 0)
            store.execute("INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", place)
        lines = list(screen._lines(Results(store, KINDS), ("old",), tmp_path))
    assert lines[:4] == [
        "2 papers, 2 references, 2 of them distinct",
        "1 valid, 1 unverified",
        "1 paper could not be read; see the overview",
        "failing together: 0",
    ]
    assert lines[-2:] == ["Note: old", f"{tmp_path / 'overview.html'} shows them"]


def test_asker_is_none_without_online_sources(tmp_path: Path) -> None:
    notes: list[str] = []
    with screen._asker(load(no_cache=True), tmp_path, notes) as asker:
        assert asker is None
    assert (notes, list(tmp_path.iterdir())) == ([], [])


def test_workers_are_processes_of_this_machine_or_need_an_extra(
    sample_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(processes=3)
    with screen._workers(None, settings, sample_session, (), []) as pool:
        assert pool.count == 3
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "citeproof.screen.cluster", raising=False)
    cluster = screen._workers("tcp://localhost:1", settings, sample_session, (), [])
    with pytest.raises(MissingExtraError, match="--scheduler"), cluster:
        pass
