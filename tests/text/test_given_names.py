from __future__ import annotations

import pytest

from citeproof.text.given_names import is_syllabic


@pytest.mark.parametrize(
    "name",
    ["li", "lingxiao", "xuezhi", "zhong", "hsiang", "tzong", "seunghyun", "kyung", "youngjin", "masato", "guang"],
)
def test_is_syllabic_accepts_east_asian_names(name: str) -> None:
    assert is_syllabic(name)


@pytest.mark.parametrize("name", ["alexandros", "animashree", "octavian", "frederik", "vijay", "pierre", "bernd", ""])
def test_is_syllabic_refuses_other_names(name: str) -> None:
    assert not is_syllabic(name)
