"""What is fuzzed: each reader of a format, and what readers share, as a function of bytes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from citeproof.model.errors import InputError
from citeproof.model.reference import NOWHERE, Bibliography, Diagnostic, Place, Reference
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.lists import Line, join_lines, vocabulary
from citeproof.readers.lists.entries import split_entries
from citeproof.readers.lists.sections import reference_lists
from citeproof.readers.opening import open_bytes
from citeproof.readers.papers import papers_of
from citeproof.readers.strings.reference import reference_of_string
from tests.readers.formats.pdf.typeset import Text, pdf
from tests.word import word_document

if TYPE_CHECKING:
    from collections.abc import Callable

BESIDE = {
    "refs.bib": b"@misc{a, title={A Title about Winter}, author={Ann Lee}, year=2001}",
    "main.bbl": (
        b"\\begin{thebibliography}{1}\\bibitem{a} A. Lee. \\newblock A title."
        b" 2001.\\end{thebibliography}"
    ),
}
"""What lies beside each fuzzed document; it also finds itself, as ``self.tex``."""


def _neighbour(own: bytes, name: str) -> Document | None:
    """Return the neighbour ``name`` of a fuzzed document with the data ``own``."""
    data = own if name.startswith("self.") else BESIDE.get(name)
    return None if data is None else Document.of(name, data, neighbour=partial(_neighbour, own))


def document(name: str, data: bytes) -> Document:
    """Return ``data`` as a document that the format ``name`` reads."""
    return Document.of("fuzzed", data, neighbour=partial(_neighbour, data))


def in_word(data: bytes) -> bytes:
    """Return a Word document whose body is ``data``, unless it is one by itself."""
    return data if data.startswith(b"PK") else word_document(data.decode("utf-8", "replace"))


def in_pdf(data: bytes) -> bytes:
    """Return a PDF of the lines of ``data``, unless it is one by itself.

    Each line gives its left edge, the distance to the line above, the size of its letters and its
    text, the first three as letters: ``b"HMJ[1] A. Lee."``. A line with less begins a page.
    """
    if data.startswith(b"%PDF"):
        return data
    pages: list[list[Text]] = [[]]
    bottom = 760.0
    for line in data.decode("cp1252", "replace").encode("cp1252", "replace").split(b"\n"):
        if len(line) < 4:
            pages.append([])
            bottom = 760.0
        else:
            bottom -= line[1] - 65
            pages[-1].append(
                Text(
                    (line[0] - 65) * 9.0, bottom, line[3:].decode("cp1252", "replace"), line[2] - 64
                )
            )
    return pdf(pages)


def read_format(name: str, data: bytes) -> tuple[Document, Bibliography]:
    """Read ``data`` in the format ``name``."""
    wrapped = {"docx": in_word, "pdf": in_pdf}.get(name, bytes)(data)
    made = document(name, wrapped)
    return made, formats.read(made, name)


def detected(data: bytes) -> tuple[Document, Bibliography]:
    """Read ``data`` in the format that it looks like."""
    made = document("", data)
    return made, formats.read(made)


def archive(data: bytes) -> tuple[Document, Bibliography]:
    """Read the papers of an archive; all in one bibliography."""
    try:
        read = formats.read_all(papers_of([open_bytes("fuzzed", data)]))
    except InputError as error:
        return document("", b""), Bibliography(
            (Diagnostic(NOWHERE, "document.refused", str(error)),)
        )
    entries = tuple(
        replace(entry, place=replace(entry.place, span=None, fields=()))
        for one in read
        for entry in one.entries
    )
    return document("", data), Bibliography(
        entries or (Diagnostic(NOWHERE, "document.left_out", "only notes"),)
    )


def plain(data: bytes) -> tuple[Document, Bibliography]:
    """Read ``data`` as one reference string."""
    made = document("", data)
    return made, Bibliography((reference_of_string(made.text, "1", Place("fuzzed", 1)),))


def lists(data: bytes) -> tuple[Document, Bibliography]:
    """Part the lines of ``data`` into lists and entries; its first byte chooses the layout."""
    made = document("", data[1:])
    layout = data[0] if data else 0
    lines = [
        Line(
            text=line.strip(),
            number=number // 40 + 1 if layout & 1 else number,
            left=6.0 * (len(line) - len(line.lstrip())),
            right=6.0 * len(line),
            bottom=780.0 - (12 + 3 * (layout & 2)) * (number % 40),
            height=10.0 + (line[:1].isupper() if layout & 4 else 0),
            column=number // 20 % 2 if layout & 8 else 0,
            broken_word=line.endswith("-"),
        )
        for number, line in enumerate(made.text.split("\n"), start=1)
        if line.strip()
    ]
    known = vocabulary(lines)
    found_lists, beside = reference_lists(lines)
    entries = [entry for found in found_lists for entry in split_entries(found)]
    join_lines(beside, known)
    return made, Bibliography(
        tuple(
            Reference(
                entry.label,
                raw=join_lines(entry.lines, known),
                place=Place("fuzzed", entry.lines[0].number),
            )
            for entry in entries
        )
        or (Diagnostic(NOWHERE, "list.none", "no list"),)
    )


TARGETS: dict[str, Callable[[bytes], tuple[Document, Bibliography]]] = {
    **{name: lambda data, name=name: read_format(name, data) for name in formats.names()},  # type: ignore[misc]
    "archive": archive,
    "detected": detected,
    "lists": lists,
    "plain": plain,
}
"""Each name to what reads bytes: the document that they make, and what it holds."""
