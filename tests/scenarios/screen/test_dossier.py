"""``citeproof dossier``: one file with everything behind the findings on a paper, which ``replay``
makes again.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from citeproof.cli import main, replay
from citeproof.cli.screen import dossier

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.scenarios.screen.conftest import Screen

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"


@pytest.fixture
def html(screen: Screen, run: Callable[..., Any]) -> Path:
    """Return the dossier on the examples as HTML; the JSON is beside it."""
    assert run(EXAMPLES, "-o", screen.folder, "--processes", "1").exception is None
    for suffix in ("html", "json"):
        path = screen.folder.parent / f"dossier.{suffix}"
        done = CliRunner().invoke(dossier, [str(screen.folder), EXAMPLES.name, "-o", str(path)])
        assert (done.exception, done.exit_code) == (None, 0)
    return screen.folder.parent / "dossier.html"


def replayed(path: Path, text: str | None = None) -> tuple[int, str]:
    """Return exit code and output of ``citeproof replay`` on ``path``, which ``text`` replaces
    before.
    """
    if text is not None:
        path.write_text(text, "utf-8")
    done = CliRunner().invoke(replay.command, [str(path)], standalone_mode=False)
    return done.return_value, done.output


def test_dossier_says_what_the_findings_rest_on(html: Path) -> None:
    page, values = html.read_text("utf-8"), json.loads(html.with_suffix(".json").read_text("utf-8"))
    assert len(values["results"]) == values["statistics"]["entries"] > 20
    raised = {issue["code"] for one in values["results"] for issue in one["issues"]}
    assert {law["code"] for law in values["laws"]} == raised >= {"year.off"}
    assert [one["given"] >= one["right"] >= 0 for one in values["reliability"]].count(True) > 3
    assert values["database"]["digest"]
    assert "path" not in values["database"]
    for said in (
        *values["objection"],
        values["sha256"],
        values["database"]["digest"],
        values["laws"][0]["code"],
    ):
        assert said in page
    assert not re.search(r'(?:src|href)="(?!https?://|#|data:)', page)


@pytest.mark.parametrize("arguments", [["dossier", "-h"], ["screen", "dossier", "-h"]])
def test_dossier_shows_its_own_help_beside_screen_too(arguments: list[str]) -> None:
    shown = CliRunner().invoke(main.main, arguments, prog_name="citeproof").output
    assert shown.startswith(f"Usage: citeproof {' '.join(arguments[:-1])} [OPTIONS] RESULTS PAPER")


def test_dossier_refuses_a_suffix_that_is_no_format_of_it(screen: Screen, html: Path) -> None:
    path = html.with_suffix(".docx")
    done = CliRunner().invoke(dossier, [str(screen.folder), EXAMPLES.name, "-o", str(path)])
    assert "a dossier is .html or .json" in str(done.exception)
    assert not path.exists()


def test_replay_makes_a_dossier_again_byte_for_byte(html: Path) -> None:
    assert replayed(html) == (0, f"{html}: the same, byte for byte\n")
    assert replayed(html.with_suffix(".json")) == (
        0,
        f"{html.with_suffix('.json')}: the same, byte for byte\n",
    )


def test_replay_finds_a_sentence_that_was_changed(html: Path) -> None:
    code, said = replayed(html, html.read_text("utf-8").replace("SUSPICIOUS", "INVALID", 1))
    assert code == 1
    assert "is not what this version of citeproof writes from the evidence" in said


def test_replay_finds_evidence_that_was_changed(html: Path) -> None:
    code, said = replayed(
        html, html.read_text("utf-8").replace('"status":"SUSPICIOUS"', '"status":"INVALID"', 1)
    )
    assert code == 1
    assert "was INVALID" in said
    assert "the evidence was changed" in said


def test_replay_of_a_dossier_with_broken_evidence_is_one_line(html: Path) -> None:
    html.write_text(html.read_text("utf-8").replace('"findings":', '"found":', 1), "utf-8")
    done = CliRunner().invoke(replay.command, [str(html)])
    assert "its evidence cannot be read" in str(done.exception)


def test_dossier_lists_an_entry_that_could_not_be_read(screen: Screen) -> None:
    screen.papers.mkdir()
    (screen.papers / "broken.bib").write_text(
        "@article{a, title={One}}\n@article{b, title={Two", "utf-8"
    )
    screen()
    path = screen.folder.parent / "broken.html"
    CliRunner().invoke(dossier, [str(screen.folder), "broken.bib", "-o", str(path)])
    assert "unreadable_entry" in path.read_text("utf-8")
    assert replayed(path)[0] == 0


def test_dossier_refuses_a_folder_without_results(tmp_path: Path) -> None:
    done = CliRunner().invoke(dossier, [str(tmp_path), "one.bib"])
    assert "has no results of a screening" in str(done.exception)
