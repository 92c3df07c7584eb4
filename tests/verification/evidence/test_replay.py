from dataclasses import replace
from pathlib import Path

import pytest

from citeproof.model.verdict import Status
from citeproof.verification.evidence.line import Evidence
from citeproof.verification.evidence.replay import replay, verdict_of
from citeproof.verification.policy_files import chosen_policy

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
    assert said[1] == "no longer says year.off"
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
