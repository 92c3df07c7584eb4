"""``citeproof verify --evidence`` and ``citeproof replay`` from end to end, against the built-in
sample.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeproof.model.verdict import Status
from citeproof.verification.evidence.line import Evidence, Figures
from citeproof.verification.evidence.replay import replay
from citeproof.verification.validation.policy import DEFAULT, Weight

if TYPE_CHECKING:
    from tests.program import Program

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "references.bib"
CORPUS = ROOT / "tests" / "data" / "evidence"
WRONG_YEAR = (
    "@article{a, title={A Theory of the Learnable}, author={Valiant, Leslie G.}, year=1988}"
)


def kept() -> list[Evidence]:
    lines = [
        line for path in sorted(CORPUS.rglob("*.jsonl")) for line in path.read_bytes().splitlines()
    ]
    return [Evidence.unpacked(line) for line in lines]


def of(key: str) -> Evidence:
    return next(evidence for evidence in kept() if evidence.reference.key == key)


def test_what_was_kept_is_decided_again_without_a_database(citeproof: Program) -> None:
    verified = citeproof(
        "verify", EXAMPLES, "--no-cache", "--evidence", "kept.jsonl", "--format", "jsonl"
    )
    verdicts = {
        (one["key"], one["status"]) for one in map(json.loads, verified.stdout.splitlines())
    }
    lines = (citeproof.folder / "kept.jsonl").read_text("utf-8").splitlines()
    assert {
        (one["reference"]["key"], one["verdict"]["status"]) for one in map(json.loads, lines)
    } == verdicts
    elsewhere = replace(
        citeproof, environment=citeproof.environment | {"CITEPROOF_BIB_DB": "/no/such.db"}
    )
    done = elsewhere("replay", "kept.jsonl")
    assert done.returncode == 0
    assert done.stdout == f"{len(lines)} verdicts decided again: {len(lines)} equal, 0 differ.\n"


def test_the_statuses_of_the_corpus_stand() -> None:
    verdicts = [(one.evidence.verdict.status, one.now.status) for one in map(replay, kept())]
    assert {was for was, _ in verdicts} >= {
        Status.VALID,
        Status.SUSPICIOUS,
        Status.INVALID,
        Status.UNVERIFIED,
    }
    assert [was for was, _ in verdicts] == [now for _, now in verdicts]


def test_a_line_names_the_database_without_its_path_and_the_whole_policy() -> None:
    evidence = of("valiant88")
    assert evidence.database.keys() == {"build_id", "sources"}
    assert evidence.database["sources"] == {"dblp": "2026-11-20"}
    assert Figures.of(DEFAULT).policy() == DEFAULT


def test_another_policy_is_named_as_the_cause() -> None:
    lighter = replace(DEFAULT, weights={**DEFAULT.weights, "year.off": Weight.NOTE})
    one = replay(of("valiant88"), lighter)
    assert one.why.startswith("other policy: ")
    assert "year.off 2 then, 0 now" in one.why
    assert "rules" not in one.why
    assert "was SUSPICIOUS (metadata_mismatch), is VALID (record_agrees)" in list(one.differences())


def test_what_the_venue_table_is_newly_asked_is_named_as_a_cause() -> None:
    evidence = of("marrowby2008lantern")
    one = replay(evidence.model_copy(update={"venues": [], "rules": "000000000000"}))
    assert "was SUSPICIOUS (not_in_cited_volume), is UNVERIFIED (title_not_found)" in list(
        one.differences()
    )
    assert one.why.endswith(
        "the rules query the venue table for facts that the evidence does not have (resolve)"
    )


def test_other_rules_are_named_and_what_differs_is_said(citeproof: Program) -> None:
    old = json.loads(of("valiant88").packed())
    old["rules"] = "000000000000"
    old["verdict"] = {"status": "VALID", "reason": "record_agrees", "confidence": 0.5}
    (citeproof.folder / "old.jsonl").write_text(json.dumps(old))
    done = citeproof("replay", "old.jsonl")
    assert done.returncode == 1
    assert "old.jsonl:1 valiant88 (" in done.stdout
    assert (
        "  was VALID (record_agrees), is SUSPICIOUS (metadata_mismatch)\n  now reports year.off\n"
        in done.stdout
    )
    assert "1 for this reason: " in done.stdout
    assert "other rules: 000000000000 then" in done.stdout
    assert done.stdout.endswith("1 verdict decided again: 0 equal, 1 differ.\n")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "kept.jsonl:2: is not a line of evidence: Invalid JSON"),
        ('{"version": 2}', "kept.jsonl:2: is not a line of evidence"),
        ("[]", "kept.jsonl:2: is not a line of evidence"),
        (
            "venues",
            "kept.jsonl:2: is not a line of evidence: venues: the venue table has no 'guess'",
        ),
    ],
)
def test_a_line_that_is_no_evidence_costs_no_other(
    citeproof: Program, line: str, said: str
) -> None:
    good = of("valiant88").packed()
    bad = (
        json.dumps(json.loads(good) | {"venues": [["guess", [], ""]]}) if line == "venues" else line
    )
    (citeproof.folder / "kept.jsonl").write_text("\n".join([good, bad, good]))
    done = citeproof("replay", "kept.jsonl")
    assert done.returncode == 3
    assert said in done.stderr
    assert "2 verdicts decided again: 2 equal" in done.stdout


def test_a_file_that_has_no_evidence_is_bad_usage(citeproof: Program) -> None:
    (citeproof.folder / "a.bib").write_text(WRONG_YEAR)
    done = citeproof("replay", "a.bib")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("citeproof: a.bib: no line of evidence at all\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["verify", "a.bib", "--evidence", "a.bib"],
            "a.bib: is an input; --evidence takes another file",
        ),
        (
            ["verify", "a.bib", "--evidence", "o", "-o", "o"],
            "o: is the report of this run; --evidence takes another",
        ),
        (["verify", "a.bib", "--evidence", "-"], "--evidence: names a file"),
        (["verify", "a.bib", "--evidence", "no/kept.jsonl"], "no/kept.jsonl: cannot be written"),
        (["replay", "none.jsonl"], "none.jsonl: cannot be read: No such file"),
        (["replay", "."], ".: cannot be read: Is a directory"),
        (["replay", "empty.jsonl"], "empty.jsonl: no line of evidence at all"),
    ],
)
def test_a_wrong_input_is_one_line_and_writes_nothing(
    citeproof: Program, words: list[str], said: str
) -> None:
    (citeproof.folder / "a.bib").write_text(WRONG_YEAR)
    (citeproof.folder / "empty.jsonl").write_text("\n")
    done = citeproof(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert (citeproof.folder / "a.bib").read_text() == WRONG_YEAR


def test_what_differs_under_another_policy_is_said(citeproof: Program) -> None:
    (citeproof.folder / "a.bib").write_text(WRONG_YEAR)
    citeproof("verify", "a.bib", "--no-cache", "--evidence", "kept.jsonl")
    done = citeproof("replay", "kept.jsonl", "--policy", "editor")
    assert done.returncode == 1
    assert "was SUSPICIOUS (metadata_mismatch), is VALID" in done.stdout
    assert "confidence" not in done.stdout, (
        "it was not measured under this one, which is no difference"
    )
    assert "1 for this reason: other policy: default then, editor now" in done.stdout
    assert citeproof("replay", "kept.jsonl", "--policy", "default").returncode == 0
    assert (
        "policy 'edtor': is not one of default, "
        in citeproof("replay", "kept.jsonl", "--policy", "edtor").stderr
    )
