import tomllib
from importlib.resources import files

import pytest

from citeproof.verification import policy_files
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


@pytest.mark.parametrize("value", [True, "0.99", None, 0.5, 1.01, [0.99]])
def test_policy_of_refuses_a_threshold_that_is_no_share_above_the_default(value: object) -> None:
    with pytest.raises(ValueError, match=r"complete: .* is not a number from "):
        policy_files._share("complete", value)


@pytest.mark.parametrize("value", [DEFAULT.complete, 0.99, 1])
def test_policy_of_takes_a_threshold_from_the_default_to_1(value: float) -> None:
    share = policy_files._share("complete", value)
    assert (share, type(share)) == (value, float)


def test_weight_of_a_conflict_may_be_open_and_no_other_may_be_a_conflict() -> None:
    conflict = next(
        code
        for code, weight in DEFAULT.weights.items()
        if weight is Weight.CONFLICT and code not in FIXED
    )
    assert policy_files._weight(conflict, "open") is Weight.OPEN
    for code, word in ((conflict, "note"), ("year.off", "conflict"), ("year.off", 3)):
        with pytest.raises(ValueError, match=rf"{code}: weight .* is not one of "):
            policy_files._weight(code, word)
    assert policy_files._weight("year.off", "note") is Weight.NOTE


def test_one_of_suggests_a_similar_name_or_lists_the_first_ten() -> None:
    names = [f"name{n}" for n in range(12)]
    assert policy_files._one_of("name3", names, "code") == "name3"
    with pytest.raises(ValueError, match="unknown code 'nmae3'; perhaps 'name3' was meant"):
        policy_files._one_of("nmae3", names, "code")
    with pytest.raises(ValueError, match=r"unknown code 7; there are name0, .*, name9$"):
        policy_files._one_of(7, names, "code")
