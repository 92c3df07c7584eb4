"""Bytes as text, whatever wrote them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.text.encodings import NotTextError, decode, words_in

GERMAN = "@misc{k, title={Über Größe}}\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (GERMAN.encode(), "utf-8"),
        (GERMAN.encode("utf-8-sig"), "utf-8-sig"),
        (GERMAN.encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + GERMAN.encode("utf-16-be"), "utf-16"),
        (GERMAN.encode("utf-32"), "utf-32"),
        (GERMAN.encode("cp1252"), "cp1252"),
        (GERMAN.replace("\n", "\r\n").encode(), "utf-8"),
        (GERMAN.replace("\n", "\r").encode(), "utf-8"),
    ],
)
def test_every_encoding_gives_the_same_text(data: bytes, encoding: str) -> None:
    assert decode(data) == (GERMAN, encoding)


def test_bytes_that_windows_1252_does_not_know_are_latin_1() -> None:
    assert decode(b"caf\xe9 \x81.") == ("café  .", "latin-1")


def test_what_a_terminal_would_obey_becomes_a_space() -> None:
    assert decode(b"a\tb\n\x1b[31mred\x07 \xc2\x9b, and \x7f" + b"plain text " * 10)[0].startswith(
        "a\tb\n [31mred   , and  "
    )


@pytest.mark.parametrize("data", [b"%PDF-1.5\0\0", b"PK\x03\x04\0", bytes(range(32)) * 4, b"\xff\xfe\x00"])
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(NotTextError):
        decode(data)


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_utf_8_comes_back(text: str) -> None:
    assert decode(text.encode())[0] == text.removeprefix("\ufeff")


@given(st.binary())
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text, _ = decode(data)
    except NotTextError:
        return
    assert not any(ord(sign) < 32 and sign not in "\t\n" for sign in text)


@pytest.mark.parametrize("letters", ["a", "ä", "文"])
@pytest.mark.parametrize("sign", ["\x01", "\x7f", "\x9b"])
@pytest.mark.parametrize("before", [0, 65_535, 65_536, 150_000])
def test_a_control_character_is_found_wherever_it_stands(letters: str, sign: str, before: int) -> None:
    text = letters * before + sign + letters * 70_000
    assert decode(text.encode())[0] == text.replace(sign, " ")


@pytest.mark.parametrize("before", [0, 65_530, 65_535, 131_072])
def test_words_are_found_in_whatever_case_and_wherever_they_stand(before: int) -> None:
    text = "é" * before + "CrossRef = {x}" + " " * 70_000
    assert words_in(text, (b"crossref", b"xdata")) == {b"crossref"}
    assert words_in(text + "XDATA", (b"crossref", b"xdata")) == {b"crossref", b"xdata"}
