"""What is added to a verdict: similar works, and the chance that the reference is invented."""

from dataclasses import replace

from citeproof.model.record import Candidate, MatchKind
from tests.verification.demos import BY_TITLE, OTHER, REFERENCE, VALIDATOR, found


def test_explain_names_the_works_that_may_be_meant_unless_valid() -> None:
    findings = found(Candidate(OTHER, 0.6, MatchKind.NEARBY))
    verdict = VALIDATOR.decide(replace(REFERENCE, title="Nobody ever wrote this one"), findings)
    verdict = VALIDATOR.explain(verdict, findings)
    assert [candidate.record.title for candidate in verdict.meant] == [OTHER.title]


def test_explain_adds_only_a_chance_to_what_is_valid() -> None:
    findings = found(BY_TITLE)
    verdict = VALIDATOR.decide(REFERENCE, findings)
    explained = VALIDATOR.explain(verdict, findings)
    assert explained.chance
    assert explained.chance.invented < 0.001
    assert replace(explained, chance=None) == verdict
