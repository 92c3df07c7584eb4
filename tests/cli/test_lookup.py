"""The titles that ``lookup`` is given, and the work that ``search --add`` writes."""

import io
from pathlib import Path

import pytest

from citeproof.cli import lookup
from citeproof.database.search import Found
from citeproof.model.errors import InputError
from citeproof.model.record import Record
from citeproof.text.normalize import LONGEST_TITLE

WORK = Record("k", "On Tables", ("Ada Almgren", "Bo Berg", "Cy Chan", "Di Dahl"), 2001, "J. ACM")


@pytest.mark.parametrize(
    ("given", "queries"),
    [
        (("On", "Tables"), ["On Tables"]),
        (("On Tables", "Trees"), ["On Tables", "Trees"]),
        (("10.1145/362384.362685", "Trees"), ["10.1145/362384.362685", "Trees"]),
        (("  On \n Tables ",), ["On Tables"]),
    ],
)
def test_queries_joins_single_words_and_spaces(given: tuple[str, ...], queries: list[str]) -> None:
    assert list(lookup._queries(given)) == queries


def test_queries_of_standard_input_skips_empty_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("On Tables\n\nOn Trees\n"))
    assert list(lookup._queries(("First One", "-"))) == ["First One", "On Tables", "On Trees"]


def test_queries_refuses_a_text_without_letters_or_with_too_many() -> None:
    longest = "x" * LONGEST_TITLE
    assert list(lookup._queries((longest,))) == [longest]
    with pytest.raises(InputError, match="has no letter or digit"):
        list(lookup._queries(("!?",)))
    with pytest.raises(InputError, match="has 2,001 letters; a title has at most 2,000"):
        list(lookup._queries((longest + "x",)))


def test_several_numbers_works_as_pick_takes_them() -> None:
    said = lookup._several("2 works fit", [Found(WORK, ()), Found(Record("l", "On Trees"), ())])
    assert said.splitlines() == [
        "2 works fit, or pick one:",
        "  --pick 1: On Tables, Ada Almgren, Bo Berg, Cy Chan and others, J. ACM, 2001",
        "  --pick 2: On Trees",
    ]


@pytest.mark.parametrize(
    ("before", "between"),
    [(b"", b""), (b"@comment{x}\n", b"\n"), (b"@comment{x}", b"\n\n")],
)
def test_add_appends_an_entry_after_an_empty_line(
    tmp_path: Path, before: bytes, between: bytes
) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(before)
    lookup._add(path, WORK)
    start = before + between + b"@"
    assert path.read_bytes().startswith(start)
    assert path.read_bytes().endswith(b"}\n")


def test_add_keeps_line_ends_and_takes_a_free_key(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    lookup._add(path, WORK)
    key = path.read_text().partition("{")[2].partition(",")[0]
    other = "@misc{%s, title = {Unlike Anything},\r\n author = {Ed Ek}}\r\n"
    taken = "".join(other % one for one in (key.upper(), f"{key}2"))
    path.write_bytes(taken.encode())
    lookup._add(path, WORK)
    added = path.read_bytes().removeprefix(taken.encode())
    assert added.startswith(b"\r\n@")
    assert f"{{{key}3,".encode() in added
    assert added.count(b"\n") == added.count(b"\r\n") > 3


def test_add_refuses_a_work_that_is_there_under_its_doi_or_title(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    for entry in (
        "@article{a, title = {On tables}, author = {A. Almgren and B. Berg and C. Chan and D."
        " Dahl}, journal = {J. ACM}, year = 2001}",
        "@misc{a, title = {Something}, doi = {10.1/x}}",
    ):
        path.write_text(entry)
        record = Record("k", WORK.title, WORK.authors, 2001, WORK.venue, doi="10.1/x")
        with pytest.raises(InputError, match=r":1 a: is already this work: On Tables, "):
            lookup._add(path, record)
        assert path.read_text() == entry


def test_add_refuses_a_file_in_another_format(tmp_path: Path) -> None:
    for name, data in [
        ("refs.ris", b"TY  - JOUR\nTI  - On Tables\nER  - \n"),
        ("refs.bib", b"%PDF-1.7\n\0"),
    ]:
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(InputError, match=rf"{name}: is not a BibTeX file; --add needs one"):
            lookup._add(path, WORK)
        assert path.read_bytes() == data
