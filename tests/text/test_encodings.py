"""Decoding of bytes, and removal of control characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.text.encodings import (
    NotTextError,
    decode,
    resolve_entities,
    without_invisibles,
    without_marks,
    words_in,
)


def test_without_marks_removes_only_bidirectional_controls() -> None:
    marks = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    turning = [
        chr(code) for code in range(0x11000) if unicodedata.bidirectional(chr(code)) in marks
    ]
    assert len(turning) == 9
    assert without_marks("a" + "".join(turning) + "\u200e\u200f\u061cb") == "ab"
    kept = "שלום עולם, Ünï\u200dcode"
    assert without_marks(kept) == kept


def test_decode_reads_single_bytes_of_another_encoding() -> None:
    text = "Über Größe und Maß\n"
    assert decode(text.encode() + b"M\xfcller \x96 x\n") == (text + "Müller – x\n", "utf-8")
    assert decode(text.encode("cp1252"))[1] == "cp1252"
    assert decode("Luís".encode() + b" \xef\xac? \xe9") == ("Luís ï¬? é", "utf-8")


def test_without_invisibles_keeps_joiners() -> None:
    assert without_invisibles("a\u200bb\u00adc\ufeff\u2060 می\u200cشود") == "abc می\u200cشود"


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("R&amp;D", "R&D"),
        ("&eacute;&#233;&#xE9;", "ééé"),
        ("a & b", "a & b"),
        ("&nosuch;", "&nosuch;"),
        ("plain", "plain"),
        ("a&#x8D;b&#13;c", "a b c"),
    ],
)
def test_resolve_entities(text: str, resolved: str) -> None:
    assert resolve_entities(text) == resolved


def test_resolve_entities_keeps_a_reference_of_too_many_digits() -> None:
    text = "&#" + "9" * 5000 + ";"
    assert resolve_entities(text) == text


@given(st.text(alphabet="&#xX019aF;lt ", max_size=80))
def test_resolve_entities_reads_any_text(text: str) -> None:
    assert isinstance(resolve_entities(text), str)


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
def test_decode_returns_the_same_text_for_every_encoding(data: bytes, encoding: str) -> None:
    assert decode(data) == (GERMAN, encoding)


def test_decode_reads_other_bytes_as_latin_1() -> None:
    assert decode(b"caf\xe9 \x81.") == ("café  .", "latin-1")


def test_decode_replaces_control_characters() -> None:
    assert decode(b"a\tb\n\x1b[31mred\x07 \xc2\x9b, and \x7f" + b"plain text " * 10)[0].startswith(
        "a\tb\n [31mred   , and  "
    )


@pytest.mark.parametrize(
    "data", [b"%PDF-1.5\0\0", b"PK\x03\x04\0", bytes(range(32)) * 4, b"\xff\xfe\x00"]
)
def test_decode_refuses_binary_data(data: bytes) -> None:
    with pytest.raises(NotTextError):
        decode(data)


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_decode_returns_utf_8(text: str) -> None:
    assert decode(text.encode())[0] == text.removeprefix("\ufeff")


@given(st.binary())
def test_decode_reads_or_refuses_any_bytes(data: bytes) -> None:
    try:
        text, _ = decode(data)
    except NotTextError:
        return
    assert not any(ord(sign) < 32 and sign not in "\t\n" for sign in text)


@pytest.mark.parametrize("letters", ["a", "ä", "文"])
@pytest.mark.parametrize("sign", ["\x01", "\x7f", "\x9b"])
@pytest.mark.parametrize("before", [0, 65_535, 65_536, 150_000])
def test_decode_without_controls_finds_controls_anywhere(
    letters: str, sign: str, before: int
) -> None:
    text = letters * before + sign + letters * 70_000
    assert decode(text.encode())[0] == text.replace(sign, " ")


@pytest.mark.parametrize("before", [0, 65_530, 65_535, 131_072])
def test_words_in_ignores_case_and_position(before: int) -> None:
    text = "é" * before + "CrossRef = {x}" + " " * 70_000
    assert words_in(text, (b"crossref", b"xdata")) == {b"crossref"}
    assert words_in(text + "XDATA", (b"crossref", b"xdata")) == {b"crossref", b"xdata"}
