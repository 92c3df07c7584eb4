from __future__ import annotations

import pytest

from citeproof.text.syllables import is_syllabic


@pytest.mark.parametrize(
    "name",
    ["li", "lingxiao", "xuezhi", "zhong", "hsiang", "tzong", "seunghyun", "kyung", "youngjin", "masato", "guang"],
)
def test_east_asian_names_are_made_of_syllables(name: str) -> None:
    assert is_syllabic(name)


@pytest.mark.parametrize("name", ["alexandros", "animashree", "octavian", "frederik", "vijay", "pierre", "bernd", ""])
def test_other_names_are_not(name: str) -> None:
    assert not is_syllabic(name)
