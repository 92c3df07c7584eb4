import pytest

from citeproof.text.given_names import is_syllabic, same_given_name


@pytest.mark.parametrize(
    "name",
    [
        "li",
        "lingxiao",
        "xuezhi",
        "zhong",
        "hsiang",
        "tzong",
        "seunghyun",
        "kyung",
        "youngjin",
        "masato",
        "guang",
    ],
)
def test_is_syllabic_accepts_east_asian_names(name: str) -> None:
    assert is_syllabic(name)


@pytest.mark.parametrize(
    "name", ["alexandros", "animashree", "octavian", "frederik", "vijay", "pierre", "bernd", ""]
)
def test_is_syllabic_refuses_other_names(name: str) -> None:
    assert not is_syllabic(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [("tony", "antony"), ("tony", "a"), ("w", "bill"), ("shmuel", "m"), ("b", "b")],
)
def test_same_given_name_accepts_variants_and_their_initials(name: str, other: str) -> None:
    assert same_given_name(name, other)
    assert same_given_name(other, name)


@pytest.mark.parametrize(
    ("name", "other"), [("tony", "b"), ("w", "b"), ("shmuel", "d"), ("lingxiao", "x")]
)
def test_same_given_name_refuses_other_initials(name: str, other: str) -> None:
    assert not same_given_name(name, other)
