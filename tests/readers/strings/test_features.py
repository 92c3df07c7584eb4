"""What a title may hold is found, and a title ends where a sign with a fixed weight says."""

import pytest

from citeproof.readers.strings import read_reference
from citeproof.readers.strings.features import CONTENTS, contents


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "Lee, Ann. A Guide to Modern Snow. Second. New York: Wiley, 2004.",
            "A Guide to Modern Snow",
        ),
        ("Lee, A. (2004). A guide to modern snow (Second). Wiley.", "A guide to modern snow"),
        (
            "A. Lee, Applied Linear Snow Models, Third. Boston: Irwin, 1990.",
            "Applied Linear Snow Models",
        ),
        (
            "Ann Lee. A Guide to Modern Snow. Wiley, New York, second edition, 2004.",
            "A Guide to Modern Snow",
        ),
        ("A. Lee, Design of Winters. New York: Hafner, 1935.", "Design of Winters"),
        (
            (
                "Lee, A. & Fox, K. Ranks of Snow in Winter Data in Proceedings of the Fifth ACM"
                " Conference on Ice (ACM, Chicago, USA, 2011), 297–300."
            ),
            "Ranks of Snow in Winter Data",
        ),
        (
            (
                "Lee, A. & Fox, K. Rank and Relevance of Snow in ColdSys ’11 (ACM, New York, NY,"
                " USA, 2011), 109–116."
            ),
            "Rank and Relevance of Snow",
        ),
        (
            "Ann Lee. Regulating a queue when it snows, 2014a. arXiv:2510.15754.",
            "Regulating a queue when it snows",
        ),
    ],
    ids=["ordinal", "in brackets", "after a comma", "edition", "place", "venue", "acronym", "date"],
)
def test_a_rare_sign_ends_the_title(text: str, title: str) -> None:
    assert read_reference(text)[0].title == title


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
    (
        "has:volume",
        "On snow. 3 vols. Translated by",
        ["On snow. 3 vols", "On snow. 3 vols. Translated by"],
    ),
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
