"""``citeproof verify --policy``: the page's bibliography under each policy, files, and what is said
of them.
"""

from __future__ import annotations

import json
import re
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.verification.policy_files import POLICIES

if TYPE_CHECKING:
    from tests.program import Program

PAGE = (Path(__file__).parents[3] / "docs" / "policies.md").read_text("utf-8")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of the most cited works and of a whole volume, STOC 2003, as the built-in
    sample holds it.
    """
    folder = tmp_path_factory.mktemp("policies")
    papers = "".join(
        f"""<inproceedings key="conf/stoc/Quarrel{first}" mdate="2024-01-01">
        <author>Paula Quarrel</author><title>Lanterns of order {first}.</title>
        <pages>{first}-{first + 9}</pages><year>2003</year><booktitle>STOC</booktitle>
        <crossref>conf/stoc/2003</crossref></inproceedings>"""
        for first in range(1, 800, 10)
    )
    volume = folder / "stoc.xml"
    volume.write_text(
        f"""<dblp><proceedings key="conf/stoc/2003" mdate="2024-01-01"><title>Proceedings of the
        35th Annual ACM Symposium on Theory of Computing.</title><booktitle>STOC</booktitle>
        <year>2003</year></proceedings>{papers}</dblp>""",
        "utf-8",
    )
    with as_file(files("citeproof.database.building") / "sample.xml") as landmarks:
        build([landmarks, volume], folder / "works.db")
    return folder / "works.db"


@pytest.fixture
def shown(citeproof: Program, database: Path) -> Program:
    citeproof.environment["CITEPROOF_BIB_DB"] = str(database)
    (citeproof.folder / "refs.bib").write_text(
        PAGE.partition("```bibtex\n")[2].partition("```")[0], "utf-8"
    )
    return citeproof


def report(program: Program, policy: str) -> dict[str, dict[str, object]]:
    done = program("verify", "refs.bib", "--no-cache", "--policy", policy, "--format", "json")
    run = json.loads(done.stdout)
    assert run["policy"] == policy
    return {result["key"]: result for result in run["results"]}


@pytest.mark.parametrize("policy", POLICIES)
def test_the_page_shows_what_each_policy_says(shown: Program, policy: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \|((?: [A-Z]+ \|){7})$", PAGE, re.MULTILINE)
    said = {
        key: statuses.replace("|", "").split()[POLICIES.index(policy)] for key, statuses in rows
    }
    results = report(shown, policy)
    assert {key: result["status"] for key, result in results.items()} == said
    assert len(said) == 9
    assert {result["policy"] for result in results.values()} == {policy}
    assert ({result["confidence"] for result in results.values()} == {0.5}) is (policy != "default")


def test_invented_reports_what_it_does_not_count(shown: Program) -> None:
    for key, result in report(shown, "invented").items():
        counted = [issue["severity"] for issue in result["issues"]]  # type: ignore[attr-defined]
        assert (counted == []) is (key == "right")
        assert ("issue" in counted) is (result["status"] == "SUSPICIOUS")


def test_a_file_decides_and_is_named_at_the_end_of_the_table(shown: Program) -> None:
    (shown.folder / "house.toml").write_text(
        PAGE.partition("```toml\n")[2].partition("```")[0], "utf-8"
    )
    statuses = {key: result["status"] for key, result in report(shown, "house.toml").items()}
    assert (statuses["near"], statuses["pages"]) == ("SUSPICIOUS", "VALID")
    table = " ".join(
        shown("verify", "refs.bib", "--no-cache", "--policy", "house.toml").stdout.split()
    )
    assert (
        "Policy: house.toml. How often verdicts are right was measured only under the policy"
        " default." in table
    )
    assert "% sure" not in table
    assert "Policy" not in shown("verify", "refs.bib", "--no-cache").stdout


def test_what_a_policy_lets_pass_is_not_valid_in_a_later_run(shown: Program) -> None:
    for policy, status in (("editor", "VALID"), ("default", "SUSPICIOUS")):
        done = shown(
            "verify", "refs.bib", "--cache", "kept.db", "--policy", policy, "--format", "jsonl"
        )
        results = {
            result["key"]: result["status"] for result in map(json.loads, done.stdout.splitlines())
        }
        assert results["year"] == status


def test_the_policy_of_a_settings_file_is_beside_it(shown: Program) -> None:
    (shown.folder / "house.toml").write_text('[weights]\n"year.near" = "issue"\n')
    (shown.folder / "citeproof.toml").write_text('policy = "house.toml"\n')
    done = shown("verify", "refs.bib", "--no-cache", "--format", "json")
    assert json.loads(done.stdout)["policy"] == "house.toml"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "[weights]\npages.difer = 'issue'",
            "unknown code 'pages.difer'; perhaps 'pages.differ' was meant",
        ),
        (
            "[weights]\npages.differ = 'heavy'",
            "pages.differ: weight 'heavy' is not one of note, open, issue",
        ),
        (
            "[weights]\npages.differ = 'conflict'",
            "pages.differ: weight 'conflict' is not one of note, open, issue",
        ),
        (
            "[weights]\nauthors.other_people = 'note'",
            "authors.other_people: weight 'note' is not one of open, conf",
        ),
        ("[weights]\nprogram.fault = 'note'", "unknown code 'program.fault'"),
        ("[weight]\npages.differ = 'note'", "unknown key 'weight'; perhaps 'weights' was meant"),
        ("weights = 3", "weights: is not a table; write [weights], then one line for each value"),
        ("not_compared = ['page']", "unknown field 'page'; perhaps 'pages' was meant"),
        ("not_compared = 'pages'", "not_compared: is not a list"),
        ("[thresholds]\nproved = 0.5", "proved: 0.5 is not a number from 0.9975 to 1"),
        ("[thresholds]\nproved = true", "proved: True is not a number from 0.9975 to 1"),
        ("about = 3", "about: is not a string"),
        ("source = 3", "source: is not a string"),
        ("date = '2026-05-26'", "date: is not a date such as 2026-05-26 (without quotes)"),
        ("weights = ", "cannot be read: "),
        ("a = " + "[" * 5000, "cannot be read: it is nested too deeply"),
    ],
)
def test_one_line_says_what_is_wrong_with_a_file(shown: Program, content: str, said: str) -> None:
    (shown.folder / "house.toml").write_text(content)
    done = shown("verify", "refs.bib", "--policy", "house.toml")
    assert done.returncode == 2
    assert f"policy house.toml: {said}" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless file")
def test_a_policy_is_a_regular_file(shown: Program) -> None:
    (shown.folder / "house.toml").symlink_to("/dev/zero")
    done = shown("verify", "refs.bib", "--policy", "house.toml")
    assert done.returncode == 2
    assert "house.toml: is not a regular file" in done.stderr


def test_one_line_says_which_policies_there_are(shown: Program) -> None:
    done = shown("verify", "refs.bib", "--policy", "nature")
    assert done.returncode == 2
    assert (
        "policy 'nature': is not one of default, author, editor, lenient, strict, acl-2026,"
        " invented" in done.stderr
    )
    assert (
        "policy no.toml: cannot be read: No such file"
        in shown("verify", "refs.bib", "--policy", "no.toml").stderr
    )


@pytest.mark.parametrize("policy", ["strict", "house.toml"])
def test_evidence_keeps_the_policy_and_is_decided_again_under_it(
    shown: Program, policy: str
) -> None:
    (shown.folder / "house.toml").write_text('not_compared = ["year", "pages"]\n')
    shown("verify", "refs.bib", "--no-cache", "--policy", policy, "--evidence", "kept.jsonl")
    (shown.folder / "house.toml").unlink()
    kept = [
        json.loads(line) for line in (shown.folder / "kept.jsonl").read_text("utf-8").splitlines()
    ]
    assert [line["policy"]["name"] for line in kept] == [policy] * 9
    assert "9 equal, 0 differ" in shown("replay", "kept.jsonl").stdout
