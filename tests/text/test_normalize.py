"""Normalisation of titles: equal and different results, and its laws."""

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citeproof.text.normalize import normalize_title, plain_text

LATEX_LIKE = st.text(alphabet="\\{}$&;<>/_^~`'\"-i abcé#+ı̈0", max_size=60)


@pytest.mark.parametrize(
    ("written", "normalized"),
    [
        ("Attention Is All You Need.", "attention is all you need"),
        ("Schrödinger's cat", "schrodingers cat"),
        ('Schr{\\"o}dinger’s {C}at', "schrodingers cat"),
        ("Eﬃcient ﬁnite ﬂows", "efficient finite flows"),
        ("“Why Should I Trust You?”", "why should i trust you"),
        ("graph-based—and tree‐based", "graph based and tree based"),
        ("O(n<sup>2</sup>) sorting", "o n2 sorting"),
        ("$O(n^{2})$ sorting", "o n2 sorting"),
        ("<I class='x'>Pure</I> <b/>markup, but the <i, j>-th <u̇>", "pure markup but the i j th u"),
        ("R&amp;D in C++ and C#", "r d in c++ and c#"),
        ("Straße, Łódź, Ærø, Þór", "strasse lodz aero thor"),
        ("Ⅳ ½ ²", "iv 1 2 2"),
        ("Методы ВЫЧИСЛЕНИЯ", "методы вычисления"),
        ("深度学习，综述", "深度学习 综述"),
        ("ŉ ΐ İ", "n ι i"),
        ("  tab\tand\nline  ", "tab and line"),
        ("trans\u00adformer zero\u200bwidth \u200eleft", "transformer zerowidth left"),
        ("…?!", ""),
        ("", ""),
    ],
)
def test_normalize_title(written: str, normalized: str) -> None:
    assert normalize_title(written) == normalized


def test_normalize_title_keeps_different_words_different() -> None:
    assert normalize_title("Supervised learning") != normalize_title("Unsupervised learning")
    assert len({normalize_title(name) for name in ("C", "C++", "C#")}) == 3


@given(st.one_of(st.text(), LATEX_LIKE))
def test_normalize_title_is_idempotent(title: str) -> None:
    once = normalize_title(title)
    assert normalize_title(once) == once


@pytest.mark.slow
def test_normalize_title_is_idempotent_for_every_character() -> None:
    unsettled = [
        code
        for code in range(sys.maxunicode + 1)
        if not 0xD800 <= code < 0xE000
        and normalize_title(once := normalize_title(chr(code))) != once
    ]
    assert not unsettled


@given(st.text(), st.sampled_from(["NFC", "NFD"]))
@example("<Ù>", "NFD")
def test_normalize_title_ignores_the_unicode_normal_form(title: str, form: str) -> None:
    composed = unicodedata.normalize(form, title)  # type: ignore[arg-type]
    assert normalize_title(composed) == normalize_title(unicodedata.normalize("NFC", title))


@given(
    st.lists(st.text(alphabet="abcXYZ019äßé", min_size=1), max_size=8),
    st.sampled_from([" ", "  ", "-", ": ", ", "]),
)
def test_normalize_title_ignores_separators(words: list[str], separator: str) -> None:
    assert normalize_title(separator.join(words)) == " ".join(
        normalize_title(word) for word in words
    )


@given(st.text())
def test_normalize_title_is_empty_without_letters_digits_and_kept_signs(title: str) -> None:
    text = unicodedata.normalize("NFKD", plain_text(title))
    assert bool(normalize_title(title)) == any(
        sign in "+#" or (sign.isalnum() and sign not in "ʼ")
        for sign in text
        if unicodedata.category(sign) not in {"Mn", "Mc", "Me", "Cf"}
    )


@given(st.text(alphabet="abc ABC 012.,:;!?()[]|@*=+#éß"))
def test_plain_text_returns_text_without_markup_unchanged(text: str) -> None:
    assert plain_text(text) == text
