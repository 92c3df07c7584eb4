from dataclasses import replace
from pathlib import Path

import pytest

from citeproof.model.verdict import Status
from citeproof.verification.evidence.line import Evidence, Figures
from citeproof.verification.evidence.replay import Replay, replay, verdict_of
from citeproof.verification.policy_files import chosen_policy
from citeproof.verification.validation.policy import DEFAULT, Weight

EXAMPLES = Path(__file__).parents[2] / "data" / "evidence" / "examples" / "references.jsonl"


@pytest.fixture
def flagged() -> Evidence:
    """Return the evidence for a reference with the wrong year."""
    lines = map(Evidence.unpacked, EXAMPLES.read_text("utf-8").splitlines())
    return next(
        line for line in lines if any(issue.code == "year.off" for issue in line.verdict.issues)
    )


def test_replay_of_unchanged_evidence_gives_the_same_verdict(flagged: Evidence) -> None:
    again = replay(flagged)
    assert again.equal
    assert (again.why, list(again.differences())) == ("", [])
    assert verdict_of(flagged).status is flagged.verdict.status is Status.SUSPICIOUS


def test_replay_says_what_is_different_if_the_evidence_was_changed(flagged: Evidence) -> None:
    (year,) = {one.record.year for one in flagged.findings.candidates[:1]}
    changed = flagged.model_copy(update={"reference": replace(flagged.reference, year=year)})
    again = replay(changed)
    said = list(again.differences())
    assert not again.equal
    assert said[0] == "was SUSPICIOUS (metadata_mismatch), is VALID (record_agrees)"
    assert said[1] == "no longer reports year.off"
    assert again.why


def test_replay_under_another_policy_names_the_policy_alone(flagged: Evidence) -> None:
    lenient = chosen_policy("lenient")
    again = replay(flagged, lenient)
    assert again.now.confidence == flagged.verdict.confidence
    assert again.equal or again.why.startswith("other policy: default then, lenient now")


def test_verdict_of_uses_the_given_base_rate(flagged: Evidence) -> None:
    rare, frequent = (verdict_of(flagged, rate).chance for rate in (0.01, 0.2))
    assert rare
    assert frequent
    assert (rare.base_rate, frequent.base_rate) == (0.01, 0.2)
    assert rare.invented < frequent.invented


def test_replay_decides_by_the_recorded_policy_if_it_is_not_the_default(
    flagged: Evidence,
) -> None:
    figures = Figures.of(chosen_policy("default"))
    weights = {**figures.weights, "year.off": int(Weight.NOTE)}
    own = figures.model_copy(update={"name": "own", "weights": weights})
    now = replay(flagged.model_copy(update={"policy": own})).now
    assert now.status is Status.VALID
    renamed = figures.model_copy(update={"weights": weights})
    assert replay(flagged.model_copy(update={"policy": renamed})).equal


def test_replay_names_a_changed_figure_of_the_policy_as_the_cause(flagged: Evidence) -> None:
    lenient = {**flagged.policy.weights, "year.off": int(Weight.NOTE), "gone.code": 1}
    old = flagged.policy.model_copy(update={"weights": lenient})
    said = flagged.verdict.model_copy(update={"status": Status.VALID})
    again = replay(flagged.model_copy(update={"policy": old, "verdict": said}))
    assert "year.off 0 then, 2 now" in again.why
    assert "gone.code 1 then, nothing now" in again.why


def test_differences_show_lists_and_what_is_missing(flagged: Evidence) -> None:
    said = flagged.verdict.model_copy(
        update={"flags": ("a", "b"), "best_match": None, "meant": (("dblp", "k"),), "searched": "x"}
    )
    lines = list(Replay(flagged, flagged.verdict).differences())
    assert lines == []
    lines = list(
        Replay(flagged.model_copy(update={"verdict": said}), flagged.verdict).differences()
    )
    assert "flags: was a, b, is none" in lines
    assert lines[1].startswith("best_match: was none, is ")
    assert lines[2].startswith("meant: was dblp:k, is ")
    assert lines[3].startswith("searched: was x, is ")


def test_policy_of_figures_takes_defaults_for_what_was_not_recorded(flagged: Evidence) -> None:
    figures = Figures.of(DEFAULT)
    weights = {code: weight for code, weight in figures.weights.items() if code != "year.off"}
    few = figures.model_copy(
        update={"weights": weights, "thresholds": {"complete": 0.99, "x": 1.0}}
    )
    policy = few.policy()
    assert policy.weights["year.off"] is DEFAULT.weights["year.off"]
    assert (policy.complete, policy.given) == (0.99, DEFAULT.given)
    assert figures.policy() == DEFAULT
