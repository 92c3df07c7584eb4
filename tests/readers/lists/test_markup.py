"""Text without the markup of Markdown."""

import pytest

from citeproof.readers.lists.markup import without_markup


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("A. Lee. *On ice*. **Snow**, 2019.", "A. Lee. On ice. Snow, 2019."),
        ("A. Lee. ***On ice***. __Snow__, _2019_.", "A. Lee. On ice. Snow, 2019."),
        ("snow_and_ice and a*b", "snow_and_ice and a*b"),
        (r"a \*b\* c\_d", "a *b* c_d"),
        (r"C:\ice \[x\]", r"C:\ice [x]"),
        (
            "[On ice](https://example.org/ice). Snow, 2019.",
            "On ice. Snow, 2019. https://example.org/ice",
        ),
        ("[https://example.org/ice](https://example.org/ice)", "https://example.org/ice"),
        ("[1](#ref1) On ice", "1 On ice"),
        ("[a](b) [c](d)", "a c b d"),
        ("On ice <https://example.org/ice>.", "On ice https://example.org/ice."),
        ("On ice <b> 3 < 4", "On ice <b> 3 < 4"),
        ("On ice [2019] (Snow)", "On ice [2019] (Snow)"),
    ],
)
def test_without_markup_leaves_words_and_addresses(written: str, text: str) -> None:
    assert without_markup(written) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("**On winter in towns** (A. Lee, 2019)", "“On winter in towns” (A. Lee, 2019)"),
        ("**On winter in towns.** by A. Lee", "“On winter in towns” by A. Lee"),
        ("**Is it winter?** - A. Lee", "“Is it winter?” - A. Lee"),
        ("**On “winter” in towns** – A. Lee", "«On “winter” in towns» – A. Lee"),
        ("**On winter in towns** and more", "On winter in towns and more"),
        ("**On ice** (A. Lee)", "On ice (A. Lee)"),
        ("**Glaciology** (A. Lee)", "Glaciology (A. Lee)"),
        ("**Lee, Ann Mary** (2019). On ice", "Lee, Ann Mary (2019). On ice"),
        ("**Lee and Ray et al.** (2019). On ice", "Lee and Ray et al. (2019). On ice"),
        ("**SnowConf Oslo 2019** (A. Lee)", "SnowConf Oslo 2019 (A. Lee)"),
    ],
)
def test_without_markup_quotes_a_title_in_bold_before_people(written: str, text: str) -> None:
    assert without_markup(written) == text
