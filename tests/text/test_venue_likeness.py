import pytest

from citeproof.text.venue_likeness import (
    acronyms_in,
    acronyms_spelled,
    contains_name,
    is_like,
    is_workshop,
    shares_words,
)

HOTNETS = "ACM SIGCOMM Workshop on Hot Topics in Networks"


def test_contains_name_finds_a_name_among_words_of_its_kind() -> None:
    assert contains_name(HOTNETS, "HotNets", ["hot topics networks"], decides=True)
    assert contains_name("BMC Bioinformatics", "Bioinformatics", [], decides=False)
    assert not contains_name("BMC Bioinformatics", "Bioinformatics", [], decides=True)


def test_acronyms_are_those_with_two_capitals() -> None:
    assert acronyms_in("ESEC / SIGSOFT FSE", ("conf/fse",)) == {"esec", "sigsoft", "fse"}
    assert acronyms_spelled("Human Language Technology", "HLT-NAACL") == ["HLT"]
    assert acronyms_spelled("IEEE Computer", "FUZZ-IEEE") == []


@pytest.mark.parametrize(
    ("name", "other", "like"),
    [
        ("Symposium on Neural Wool", "Conference on Neural Wool Yarn", True),
        ("WOOLL", "WOOL", True),
        ("Symposium on Neural Wool", "Conference on Sheep", False),
    ],
)
def test_is_like_shares_half_of_the_words_or_differs_by_a_typo(
    name: str, other: str, *, like: bool
) -> None:
    assert is_like(name, other) is like


def test_shares_words_counts_beginnings_of_words() -> None:
    assert shares_words("Congress of Shepherds", ["shepherding conference"])
    assert not shares_words("Congress of Neural Goat Shepherds", ["shepherding conference"])


def test_is_workshop_judges_by_most_full_names() -> None:
    assert is_workshop(["workshop on wool", "wool workshop", "wool meeting"])
    assert not is_workshop(["wool meeting", "sheep meeting", "workshop on wool"])
