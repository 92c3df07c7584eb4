"""Files that are a PDF, a damaged one or none."""

from io import BytesIO

import pytest
from pypdf import PdfWriter

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers import formats
from citeproof.readers.document import Document
from tests.readers.formats.pdf.test_paper import ENTRIES, HEADING, TITLES, read, titles
from tests.readers.formats.pdf.typeset import Text, column, pdf


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"%PDF-1.7\n1 0 obj\n", "pdf.damaged"),
        (b"%PDF-", "pdf.damaged"),
        (b"<html>log in</html>", "pdf.no_pdf"),
        (pdf([[]]), "pdf.without_text"),
        (pdf([column(["A paper", "without a list"])]), "pdf.without_list"),
        (pdf([[HEADING]]), "pdf.without_list"),
    ],
)
def test_read_what_cannot_be_read_says_why(data: bytes, code: str) -> None:
    (entry,) = read(data).entries
    assert isinstance(entry, Diagnostic)
    assert (entry.code, entry.of_document) == (code, True)
    assert str(entry).startswith("paper.pdf: ")


def test_read_a_file_cut_anywhere_is_read_or_refused() -> None:
    data = pdf([[HEADING, *column(ENTRIES)]])
    for length in range(0, len(data), 97):
        for entry in formats.read(Document.of("paper.pdf", data[:length])).entries:
            assert isinstance(entry, Reference | Diagnostic)


def test_read_a_page_that_is_damaged_costs_itself_and_is_named() -> None:
    data = pdf([[HEADING, *column(ENTRIES)], [Text(72, 700, "Appendix")]])
    damaged = data.replace(b"5 0 obj\n<< /Type /Page ", b"5 0 obj\n<< /Type /Pogo ").replace(
        b"/MediaBox [0 0 612 792] /Resources << /Font << /F 7 0 R >> >> /Contents 6 0 R", b""
    )
    bibliography = read(damaged)
    assert titles(bibliography) == TITLES
    assert [(note.code, note.place.page) for note in bibliography.diagnostics] == [
        ("pdf.damaged_page", 2)
    ]


def test_read_no_sign_in_a_pdf_commands_a_terminal() -> None:
    lines = [line.replace("theory", "the\x1b[31mory") for line in ENTRIES]
    first = read(pdf([[HEADING, *column(lines)]])).references[0]
    assert (first.title, "\x1b" in first.raw) == ("A the [31mory of the learnable", False)


def test_read_a_file_that_needs_a_password_says_so() -> None:
    writer, locked = PdfWriter(), BytesIO()
    writer.add_blank_page(200, 200)
    writer.encrypt("a secret", algorithm="RC4-128")
    writer.write(locked)
    (diagnostic,) = read(locked.getvalue()).entries
    assert isinstance(diagnostic, Diagnostic)
    assert diagnostic.code == "pdf.protected"


@pytest.mark.parametrize("before", [10, 1_500, 50_000])
def test_read_a_paper_behind_what_a_server_put_there_is_read(before: int) -> None:
    bibliography = read(
        b"X-Header: 1\r\n".ljust(before, b"\n") + pdf([[HEADING, *column(ENTRIES)]])
    )
    assert titles(bibliography) == TITLES


def test_accepts_a_text_that_speaks_of_pdf_files_is_none() -> None:
    text = b"Words about files. " * 100 + b"%PDF-1.7 is how they begin.\n"
    assert not formats.load("pdf").accepts(Document.of("notes.txt", text))
