from dataclasses import replace

from citeproof.model.reference import Severity
from citeproof.verification.validation.policy import DEFAULT, WEIGHTS, Difference, Policy, Weight

NEAR = Difference("year.near", "2020", "2021", "cited as 2020, recorded as 2021")
OFF = Difference("year.off", "2010", "2021", "the year does not agree")
OPEN = Difference("venue.not_confirmed", "COG", "ICS", "appeared in ICS")
SPELLING = Difference("title.spelling", "color", "colour", "spelled a little differently")


def test_issue_the_severity_of_an_issue_follows_from_its_weight() -> None:
    assert [DEFAULT.issue(item).severity for item in (NEAR, OPEN, OFF)] == [
        Severity.NOTE,
        Severity.NOTE,
        Severity.ISSUE,
    ]


def test_heaviest_the_heaviest_issue_decides() -> None:
    assert DEFAULT.heaviest(DEFAULT.weigh([NEAR, OFF])) is Weight.ISSUE
    assert DEFAULT.heaviest(()) is Weight.NOTE


def test_weigh_issues_stand_in_the_order_of_the_weights() -> None:
    assert [item.code for item in DEFAULT.weigh([OPEN, NEAR, SPELLING])] == [
        "title.spelling",
        "year.near",
        "venue.not_confirmed",
    ]


def test_issue_another_policy_weighs_otherwise() -> None:
    strict = Policy({**WEIGHTS, "year.near": Weight.ISSUE})
    assert strict.issue(NEAR).severity is Severity.ISSUE
    assert replace(DEFAULT, complete=1.0).complete > DEFAULT.complete
