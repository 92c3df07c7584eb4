"""From names to references: which format, which encoding, and what is refused with one line."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import Exit, InputError
from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.document import Document
from citeproof.readers.formats import names, read, read_all, suffixes
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.model.reference import Bibliography


def read_input(source: str, name: str | None = None) -> Bibliography:
    (bibliography,) = read_all(papers_of(open_documents([source], name)))
    return bibliography


BIB = "@misc{k, title={Über}}\n"
CSL = '[{"title": "Über", "issued": {"raw": "2001"}}]'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.bib", BIB),
        ("A.BIB", BIB),
        ("a.json", CSL),
        ("a.json", '["Über"]'),
        ("a.jsonl", '{"title": "Über"}\n'),
        ("a.txt", "Über\n"),
        ("no_suffix", BIB),
        ("strange.suffix", CSL),
        ("strange.suffix", '["Über"]'),
    ],
)
def test_read_all_the_format_is_found(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    (reference,) = read_input(str(path)).references
    assert (reference.title, reference.file, reference.line) == ("Über", str(path), 1)


def test_read_all_a_named_format_outranks_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text("One title\nAnother\n", encoding="utf-8")
    assert [reference.title for reference in read_input(str(path), "titles").references] == [
        "One title",
        "Another",
    ]


@pytest.mark.parametrize(
    ("name", "content"), [("titles", "Über"), ("bibtex", BIB), (None, BIB), (None, CSL)]
)
def test_read_all_standard_input(
    monkeypatch: pytest.MonkeyPatch, name: str | None, content: str
) -> None:
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode()), encoding="ascii")
    )
    (reference,) = read_input("-", name).references
    assert (reference.title, reference.file, reference.line) == ("Über", "<stdin>", 1)


def test_read_all_single_bytes_that_are_not_utf_8_are_said_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(
        BIB.encode() + "@misc{l, title={Maß}}".encode() + b"\n@misc{m, title={f\xfcr}}"
    )
    found = read_input(str(path))
    assert [reference.title for reference in found.references] == ["Über", "Maß", "für"]
    assert [(note.code, note.place.line) for note in found.diagnostics] == [
        ("document.guessed_encoding", 3)
    ]


@pytest.mark.parametrize(("encoding", "notes"), [("utf-8-sig", 0), ("utf-16", 0), ("cp1252", 1)])
def test_read_all_other_encodings_are_read_and_said(
    tmp_path: Path, encoding: str, notes: int
) -> None:
    path = tmp_path / "a.bib"
    path.write_bytes(BIB.encode(encoding))
    bibliography = read_input(str(path))
    assert bibliography.references[0].title == "Über"
    assert len(bibliography.notes) == notes


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.bib", b"no entries here", "no entry found"),
        ("a.bib", b"", "is empty"),
        ("a.bib", b"{" * 10_000_000, "no entry found"),
        ("a.bib", b"@comment{only}", "no entry found"),
        ("a.json", b"{" * 1_000_000, "not JSON"),
        ("a.json", b"[" * 1_000_000, "not JSON"),
        ("a.json", b"[]", "no entry found"),
        ("a.txt", b"# nothing\n\n", "no entry found"),
        ("a.pdf", b"%PDF-1.5\n\0\0\0", "is damaged"),
        ("a.bin", b"\x00\x01\x02\x03", "binary"),
        ("a.pdf", b"\x00\x01\x02\x03", "is not a readable PDF"),
        ("a.DOCX", b"\x00\x01\x02\x03", "is not a readable Word document"),
        ("a.html", b"<!DOCTYPE html><p>Hello", "--from"),
        ("a.csv", b"title,year\n", "--from"),
    ],
)
def test_read_all_what_cannot_be_read_is_refused_in_one_line(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    _refused(str(path), None, says)


def test_read_all_missing_files_directories_and_unknown_formats_are_refused(tmp_path: Path) -> None:
    _refused(str(tmp_path / "missing.bib"), None, "No such file")
    _refused(str(tmp_path), None, "has no paper")
    _refused("nul\0byte.bib", None, "cannot be read")
    (tmp_path / "a.bib").write_text(BIB)
    _refused(str(tmp_path / "a.bib"), "endnote", ", ".join(names()))


def _refused(source: str, name: str | None, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_input(source, name)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert len(message) < 400
    assert caught.value.exit_code is Exit.USAGE


@pytest.mark.parametrize("name", ["refs.txt", "refs.json", "refs"])
def test_read_all_a_bibtex_file_of_another_name_is_read_as_bibtex(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_text("Exported by hand\n\n@article{k,\n title={One}\n}\n@book{l, title={Two}}\n")
    assert [reference.title for reference in read_input(str(path)).references] == ["One", "Two"]


def test_read_all_a_list_that_begins_with_a_number_in_brackets_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("[1] A. Lee. One Title. 2001.\n[2] B. Ray. Another Title. 2002.\n")
    assert [reference.year for reference in read_input(str(path)).references] == [2001, 2002]
    _refused(str(path), "json-list", "not JSON: more text after the end of the array")


def test_read_all_text_behind_a_json_array_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('["One"]\n["Two"]\n')
    one, rest = read_input(str(path)).entries
    assert isinstance(one, Reference)
    assert isinstance(rest, Diagnostic)
    assert (rest.code, rest.line, rest.raw) == ("json-list.malformed", 2, '["Two"]\n')


def test_read_all_one_malformed_line_costs_itself_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{oops}\n{"title": "One"}\n{"title":\n {"title": "Two"}\n')
    found = [(entry.line, getattr(entry, "title", "")) for entry in read_input(str(path)).entries]
    assert found == [(1, ""), (2, "One"), (3, ""), (4, "Two")]


def test_read_all_what_a_document_says_twice_is_read_twice_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text(
        "@misc{a, title={One Work}, author={A. Lee}, year=2001}\n@misc{A, title={Another},"
        " author={A. Lee}}\n@misc{c, title={{One} work.}, author={A. Lee}, year=2001}\n@misc{d,"
        " title={Editorial}}\n@misc{e, title={Editorial}}\n@misc{f, doi={10.1000/x}}\n@misc{g,"
        " doi={10.1000/X}}\n"
    )
    bibliography = read_input(str(path))
    assert len(bibliography.references) == 7
    assert [(note.code, note.line) for note in bibliography.diagnostics] == [
        ("document.repeated_key", 2),
        ("document.repeated_work", 3),
        ("document.repeated_work", 7),
    ]
    assert f"{path}:3: 'c' seems to be the same work as 'a' in line 1" in bibliography.notes


def test_read_all_a_circular_crossref_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text(
        "@misc{a, crossref=b}\n@misc{b, crossref={A}}\n@misc{c, title={T}, crossref=a}\n"
    )
    bibliography = read_input(str(path))
    assert [(note.code, note.line) for note in bibliography.diagnostics] == [
        ("bibtex.circular_crossref", 1),
        ("bibtex.circular_crossref", 2),
    ]


def test_read_all_many_notes_of_one_kind_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text("".join(f"@misc{{a, title={{T{number}}}}}\n" for number in range(30)))
    notes = read_input(str(path)).notes
    assert len(notes) == 6
    assert notes[-1] == "... and 24 more: document.repeated_key"


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ("Lee19", "the key 'Lee19' is also that of the entry in line 1"),
        (
            "lee19",
            "the key 'lee19' is equal to that of 'Lee19' in line 1, ignoring upper and lower case",
        ),
    ],
)
def test_read_a_key_that_is_used_again_is_told_with_the_first_place(second: str, said: str) -> None:
    text = f"@misc{{Lee19, title={{On winter}}}}\n@misc{{{second}, title={{On foxes}}}}\n"
    found = read(Document.of_text(text, "refs.bib"))
    assert [diagnostic.message for diagnostic in found.diagnostics] == [said]


@pytest.mark.parametrize(
    ("name", "data", "advice"),
    [
        ("a.doc", b"\xd0\xcf\x11\xe0\0", "save it as .docx"),
        ("a.ods", b"PK\x03\x04mimetype\0", "save it as .xlsx or .csv"),
        ("a.enl", b"\0\1\2", "export it from EndNote as .xml or .ris"),
        ("a.ps", b"%!PS-Adobe-3.0\n", "convert it to PDF"),
        ("a.png", b"\x89PNG\0", "run an OCR program over it"),
    ],
)
def test_read_a_file_of_an_unknown_kind_is_named_with_what_to_save_it_as(
    name: str, data: bytes, advice: str
) -> None:
    (entry,) = read(Document.of(name, data)).entries
    assert isinstance(entry, Diagnostic)
    assert advice in entry.message


@pytest.mark.parametrize(
    ("name", "chosen", "says"),
    [
        ("feed.xml", "", "no entry found, read as endnote-xml by its suffix alone; name"),
        ("feed.xml", "endnote-xml", "no entry found, read as endnote-xml; name"),
    ],
)
def test_read_says_if_a_format_was_chosen_by_the_suffix_alone(
    name: str, chosen: str, says: str
) -> None:
    (entry,) = read(Document.of_text("<feed/>", name), chosen or None).entries
    assert isinstance(entry, Diagnostic)
    assert entry.message.startswith(says)


def test_read_a_document_whose_format_the_user_named_was_not_chosen_by_its_suffix() -> None:
    document = replace(Document.of_text("<feed/>", "feed.xml"), format="endnote-xml")
    (entry,) = read(document).entries
    assert getattr(entry, "message", "").startswith("no entry found, read as endnote-xml; name")


def test_suffixes_of_one_format_and_of_all() -> None:
    assert suffixes("odt") == {".odt", ".ott"}
    assert suffixes("odt") | {".bib", ".pdf"} <= suffixes()
