import tomllib
from importlib.resources import files

import pytest

from citeproof.verification.policy_files import FIELDS, FIXED, POLICIES, chosen_policy, policy_of
from citeproof.verification.validation.codes import CODES
from citeproof.verification.validation.policy import DEFAULT, WEIGHTS, Difference, Weight

DOI = Difference("doi.differs", "10.1/a", "10.1/b", "the DOI does not agree")
ELSEWHERE = Difference("venue.not_confirmed", "COG", "ICS", "appeared in ICS")


def test_chosen_policy_default_is_what_the_program_weighs_by_itself() -> None:
    assert chosen_policy("default") == DEFAULT


@pytest.mark.parametrize("name", POLICIES[1:])
def test_chosen_policy_no_policy_calls_invalid_what_default_does_not(name: str) -> None:
    policy = chosen_policy(name)
    assert policy != DEFAULT
    conflicts = {code for code, weight in policy.weights.items() if weight is Weight.CONFLICT}
    assert conflicts == {code for code, weight in WEIGHTS.items() if weight is Weight.CONFLICT}


@pytest.mark.parametrize("name", [name for name in POLICIES if name[-1].isdigit()])
def test_a_policy_named_after_a_venue_states_its_source(name: str) -> None:
    content = tomllib.loads(
        files("citeproof.verification").joinpath("policies", f"{name}.toml").read_text("utf-8")
    )
    assert content["source"].startswith("https://")
    assert content["date"].year == int(name[-4:])


def test_fields_that_are_not_compared_hide_no_conflict() -> None:
    left_out = {code for codes in FIELDS.values() for code in codes}
    assert left_out | FIXED <= set(CODES)
    assert not [code for code in left_out if WEIGHTS[code] is Weight.CONFLICT]


def test_policy_of_leaving_out_the_venue_leaves_open_which_version_is_meant() -> None:
    policy = policy_of({"not_compared": ["venue"]}, "house.toml", "house.toml")
    differences = [ELSEWHERE, DOI.of_another_version()]
    assert [item.code for item in DEFAULT.weigh(differences)] == [
        "venue.not_confirmed",
        "version.differs",
    ]
    assert [item.code for item in policy.weigh(differences)] == ["version.differs"]
