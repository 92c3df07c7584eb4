"""What a title may hold is found by the letters that must stand there."""

import pytest

from citeproof.readers.strings.contents import CONTENTS, contents

HELD = [
    ("has:people", "On snow, D. Lee", ["On snow, D."]),
    ("has:people", "Lee, D., Fox, E. On snow", ["Lee, D.", "Lee, D., F", "Lee, D., Fox, E."]),
    ("has:people", "D. Lee, D. On snow", ["D. Lee, D."]),
    ("has:people", "Lee, D. and Fox", ["Lee, D.", "Lee, D. and "]),
    ("has:people", "Lee, D., & Fox", ["Lee, D.", "Lee, D., & "]),
    ("has:people", "Lee et al. On snow", ["Lee et al."]),
    ("has:people", "Nonet al. dente", []),
    ("has:dated", "On snow, 1999. In winter", ["On snow, 1999. I"]),
    ("has:dated", "On snow, 2001a), In winter", ["On snow, 2001a), I"]),
    ("has:dated", "On snow, 32001. In winter", []),
    ("has:container", "On snow. Journal of Ice", ["On snow. Journal of"]),
    ("has:container", "A SubJournal of Ice", []),
    ("has:pages", "On snow, vol. 3", ["On snow, vol. 3"]),
    ("has:pages", "On snow 3(4)", ["On snow 3(4)"]),
    ("has:publisher", "On snow. Wiley", ["On snow. Wiley"]),
    ("has:place", "Snow. New York: Ice Press", ["Snow. New York: Ice Press"]),
    ("has:place", "Snow. New York: Ice", []),
    ("has:publisher", "On snow. University of Oslo Press", ["On snow. University of Oslo Press"]),
    ("has:volume", "On snow. 3 vols. Translated by", ["On snow. 3 vols", "On snow. 3 vols. Translated by"]),
    ("has:volume", "On vols", []),
    ("has:colon", "Snow: a life", ["Snow: "]),
    ("has:abbreviation", "Snow. Phys. Rev. B", ["Snow. P", "Snow. Phys. R", "Snow. Phys. Rev. B"]),
    ("has:abbreviation", "On a mountain. Snow", []),
    ("has:question", "Who? Snow", ["Who? "]),
]


@pytest.mark.parametrize(("sign", "text", "held"), HELD)
def test_where_what_a_text_holds_ends(sign: str, text: str, held: list[str]) -> None:
    spans = {found: spans for found, _, spans in contents(text)}.get(sign, [])
    assert [text[:end] for _, end in spans] == held
    assert spans == sorted(spans)


def test_each_thing_is_found() -> None:
    assert {sign for sign, _, held in HELD if held} == set(CONTENTS)
