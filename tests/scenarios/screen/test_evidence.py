"""Replaying and reporting the verdicts of a screening without the database."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from citeproof.cli import replay
from citeproof.model.errors import InputError
from citeproof.settings import load
from citeproof.verification.startup import open_session

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.scenarios.screen.conftest import Screen

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"


def lines(screen: Screen) -> list[dict[str, Any]]:
    """Return the lines of the evidence file."""
    with gzip.open(screen.folder / "evidence.jsonl.gz", "rt") as kept:
        return [json.loads(line) for line in kept]


def replayed(path: Path) -> str:
    """Return the output of ``citeproof replay`` on ``path``."""
    return CliRunner().invoke(replay.command, [str(path)]).output


def test_replay_repeats_each_verdict_of_a_screening(screen: Screen) -> None:
    screen.paper("one.bib", "A Matter of Meadows", "Attention is All you Need")
    screen(EXAMPLES, screen.papers)
    verdicts = {row["reference"]: row["status"] for row in screen.table("verdicts")}
    assert {
        int(line["reference"]["key"]): line["verdict"]["status"] for line in lines(screen)
    } == verdicts
    assert len(lines(screen)) == len(verdicts) > 20
    said = replayed(screen.folder / "evidence.jsonl.gz")
    assert f"{len(verdicts)} verdicts decided again: {len(verdicts)} equal, 0 differ." in said


def test_screen_report_shows_the_verdicts_of_verify(
    screen: Screen, run: Callable[..., Any]
) -> None:
    screen(EXAMPLES)
    done = run("report", screen.folder, EXAMPLES.name, "--format", "json")
    shown = json.loads(done.output)["results"]
    with open_session(load(no_cache=True)) as session:
        import citeproof

        expected = citeproof.to_dict(session.check([citeproof.read(EXAMPLES)]))["results"]
    assert len(shown) == len(expected) > 20
    for one, other in zip(shown, expected, strict=True):
        for name in (
            "key",
            "status",
            "reason",
            "confidence",
            "issues",
            "best_match",
            "meant",
            "flags",
            "decided_by",
        ):
            assert one[name] == other[name]
        assert one["line"] == other["line"]


def test_screen_writes_missing_evidence_again(screen: Screen, run: Callable[..., Any]) -> None:
    screen.paper("one.bib", "A Matter of Meadows")
    screen()
    (screen.folder / "evidence.jsonl.gz").unlink()
    assert isinstance(run("report", screen.folder, "one.bib").exception, InputError)
    screen()
    assert len(lines(screen)) == 1
    assert run("report", screen.folder, "one.bib").exception is None


def test_replay_of_a_cut_file_is_one_line(screen: Screen) -> None:
    screen.paper("one.bib", "A Matter of Meadows")
    screen()
    cut = screen.folder.parent / "cut.gz"
    cut.write_bytes((screen.folder / "evidence.jsonl.gz").read_bytes()[:-20])
    done = CliRunner().invoke(replay.command, [str(cut)])
    assert isinstance(done.exception, InputError)
    assert "cut.gz: cannot be read" in str(done.exception)


def test_screen_report_of_an_incomplete_paper_is_refused(
    screen: Screen, run: Callable[..., Any]
) -> None:
    from citeproof.screen.run import Screening
    from citeproof.screen.store import opened

    screen.paper("one.bib", "A Matter of Meadows")
    with open_session(load(no_cache=True)) as session, opened(screen.folder) as store:
        Screening(store, session, screen.pool).read([str(screen.papers)])
    with pytest.raises(
        InputError, match=r"one\.bib: not all references of this paper have been checked"
    ):
        raise run("report", screen.folder, "one.bib").exception
