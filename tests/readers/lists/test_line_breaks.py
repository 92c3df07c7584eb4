"""References in a block of lines without numbers and bullets."""

from __future__ import annotations

import pytest

from citeproof.readers.lists.items import split_text


@pytest.mark.parametrize(
    "lines",
    [
        (  # a year in brackets, a number and a venue begin a line
            "Ann Lee. 2019. On winter in old towns and villages. Snow Letters 8, 4",
            "(2019), 15–138.",
        ),
        ("Ann Lee and Bo Ray. 2019. On winter in old towns.", "Snow Letters 8, 4 (2019), 2–184."),
        ("Ann Lee, Bo Ray, Kim Fox, and Bob Hill. 2019.", "On winter in old towns. SnowConf 8."),
        ("Lee, Ann, et al. “On winter in old towns and", "Villages.” Snow, vol. 3, 2019."),
        ("Lee A., Ray B. On winter in old towns // Snow.", "– 2019. – Vol. 9. – P. 58-151."),
        ("On winter in old towns (Ann Lee, Bo Ray, Snow", "2019)"),
        (
            "Lee, A., Ray, B.: On winter in the old towns. In:",
            "Fox, K. (ed.) On Foxes and Towns (2019)",
        ),
        ("Ann Lee and Bo Ray. 2019. On winter in towns.", "J. Snow Eng. 30, 8 (2019), 20–29."),
        (
            "Ann van der Moor, Jun Lee, and Hana J. Ray. 2019.",
            "On winter in old towns. J. Snow 8 (2019).",
        ),
        ("Lee, A., & Ray, B. (2019). On snow and winter:", "VLSI Design. Snow Letters, 8, 15–38."),
        (
            "Ann Lee, Jun Kim, Bo Fox, Fay Ray, and Alan H.",
            "Moor. 2019. Beyond old towns. SnowConf 2, 5.",
        ),
    ],
)
def test_split_text_keeps_a_wrapped_reference_whole(lines: tuple[str, str]) -> None:
    block = "\n".join(lines)
    found = split_text("\n\n".join([block] * 3))
    assert [item.text for item in found.items] == [block] * 3
    assert found.others == []
