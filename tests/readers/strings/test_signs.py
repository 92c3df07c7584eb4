"""Strings whose titles end where a sign with a fixed weight says."""

import pytest

from citeproof.readers.strings import read_reference


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Lee, Ann. A Guide to Modern Snow. Second. New York: Wiley, 2004.", "A Guide to Modern Snow"),
        ("Lee, A. (2004). A guide to modern snow (Second). Wiley.", "A guide to modern snow"),
        ("A. Lee, Applied Linear Snow Models, Third. Boston: Irwin, 1990.", "Applied Linear Snow Models"),
        ("Ann Lee. A Guide to Modern Snow. Wiley, New York, second edition, 2004.", "A Guide to Modern Snow"),
        ("A. Lee, Design of Winters. New York: Hafner, 1935.", "Design of Winters"),
        (
            "Lee, A. & Fox, K. Ranks of Snow in Winter Data in Proceedings of the Fifth ACM Conference on Ice "
            "(ACM, Chicago, USA, 2011), 297–300.",
            "Ranks of Snow in Winter Data",
        ),
        (
            "Lee, A. & Fox, K. Rank and Relevance of Snow in ColdSys ’11 (ACM, New York, NY, USA, 2011), 109–116.",
            "Rank and Relevance of Snow",
        ),
        ("Ann Lee. Regulating a queue when it snows, 2014a. arXiv:2510.15754.", "Regulating a queue when it snows"),
    ],
    ids=["ordinal", "in brackets", "after a comma", "edition", "place", "venue", "acronym", "date"],
)
def test_a_rare_sign_ends_the_title(text: str, title: str) -> None:
    assert read_reference(text)[0].title == title
