"""A document: its text, and where a stretch of the text stands in the bytes."""

import gzip
import io
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.model.reference import Span
from citeproof.readers.document import Document, alone, is_archive


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.bib"))
    return out.getvalue()


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.bib", "@misc{a, title={One}}")
    return out.getvalue()


@pytest.mark.parametrize(
    "data", [zipped(), gzip.compress(b"text"), tarred()], ids=["zip", "gzip", "tar"]
)
def test_is_archive_262_bytes_tell_an_archive(data: bytes) -> None:
    assert is_archive(data[:262])


@pytest.mark.parametrize("data", [b"", b"@misc{a, title={One}}", b"%PDF-1.5", b"x" * 262])
def test_is_archive_what_is_not_packed_is_no_archive(data: bytes) -> None:
    assert not is_archive(data)


LINES = st.text(alphabet="aé漢\r\n\t𝕏", max_size=30)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@given(before=LINES, inside=st.text(alphabet="aé漢𝕏", min_size=1, max_size=5), after=LINES)
def test_edits_in_bytes_a_stretch_of_the_text_is_found_in_the_bytes(
    encoding: str, before: str, inside: str, after: str
) -> None:
    document = Document.of("a.txt", f"{before}<{inside}>{after}".encode(encoding))
    start = document.text.index("<") + 1
    ((begin, end, content),) = document.edits_in_bytes([(Span(start, start + len(inside)), inside)])
    assert content == document.data[begin:end]
    assert (
        Document.of("b.txt", b"" + document.data[begin:end]).data.decode(_plain(encoding)) == inside
    )


def _plain(encoding: str) -> str:
    return {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(
        encoding, encoding
    )


def test_line_of_stray_byte_bytes_that_are_not_utf_8_stay() -> None:
    data = "Größe, Straße: A ".encode() + b"M\xfcller B\r\nC"
    document = Document.of("a.bib", data)
    assert document.text == "Größe, Straße: A Müller B\nC"
    assert document.line_of_stray_byte() == 1
    edits = [(Span(15, 16), "Ä"), (Span(24, 25), "Ö"), (Span(26, 27), "Ü")]
    edited = document.edited(edits)
    assert edited.data == "Größe, Straße: Ä ".encode() + b"M\xfcller " + "Ö\r\nÜ".encode()


def test_edits_in_bytes_windows_1252_has_its_place_too() -> None:
    document = Document.of("a.txt", b"\xe9\r\n\xe9t\xe9")
    assert (document.text, document.encoding) == ("é\nété", "cp1252")
    assert document.edits_in_bytes([(Span(2, 5), "")]) == ((3, 6, b""),)


@pytest.mark.parametrize("data", [b"%PDF-1.5\nreadable", b"PK\x03\x04abc", b"\x1f\x8bab", b"a\0b"])
def test_what_is_no_text_has_none(data: bytes) -> None:
    document = Document.of("a.txt", data)
    assert (document.is_text, document.text, document.data) == (False, "", data)


@pytest.mark.parametrize(("name", "suffix"), [("a/B.BIB", ".bib"), ("<stdin>", ""), ("a.b/c", "")])
def test_the_suffix(name: str, suffix: str) -> None:
    assert Document.of(name, b"").suffix == suffix


def test_alone_a_document_that_stands_alone_has_no_neighbours() -> None:
    assert Document.of("a", b"").neighbour("a") is alone("a") is None
