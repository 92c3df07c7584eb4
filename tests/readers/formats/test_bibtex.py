"""The BibTeX reader: hard entries with expected results, and laws that hold for any text."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citeproof.model.reference import Diagnostic
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex

DATA = Path(__file__).parents[2] / "data" / "formats"
CASES = tomllib.loads((DATA / "bibtex" / "cases.toml").read_text(encoding="utf-8"))["case"]

NOISE = st.text(alphabet='@{}(),="#\\% \na', max_size=200)
PIECES = st.lists(
    st.sampled_from(
        [
            "@article{",
            "@misc(",
            "@string{",
            "@comment{",
            "\n",
            "k,",
            "title=",
            "{",
            "}",
            '"',
            ")",
            "#",
            ",",
            "x",
        ]
    ),
    max_size=40,
).map("".join)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_read_hard_entries(case: dict[str, Any]) -> None:
    entries = bibtex.read(Document.of_text(case["input"], "f.bib")).entries
    found = [
        {name: _plain(getattr(entry, name, None)) for name in expected}
        for entry, expected in zip(entries, case["expected"], strict=True)
    ]
    assert found == case["expected"]
    assert [isinstance(entry, Diagnostic) for entry in entries] == [
        "code" in one for one in case["expected"]
    ]


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


@given(NOISE | PIECES)
@example("@a{" * 3)
@example('@a{k,t="' + '"' * 5)
@example("@string{a=b#a}@misc{k,title=a}")
@example("\n@string{}")
def test_read_any_text_is_read_and_accounted_for(text: str) -> None:
    entries = bibtex.read(Document.of_text(text, "f.bib")).entries
    lines = text.split("\n")
    assert all("@" in lines[entry.line - 1] for entry in entries)
    assert [entry.line for entry in entries] == sorted(entry.line for entry in entries)
    assert sum(len(entry.raw) for entry in entries) <= len(text)
    assert all(entry.raw in text for entry in entries)
    assert all(entry.code in bibtex.CODES for entry in entries if isinstance(entry, Diagnostic))


@given(NOISE | PIECES, st.integers(min_value=0, max_value=3))
def test_read_an_entry_survives_whatever_stands_before_it(noise: str, braces: int) -> None:
    text = noise + "\n" + "}" * braces + "\n@article{survivor,\n title = {A Title}\n}\n"
    last = bibtex.read(Document.of_text(text)).entries[-1]
    assert (last.key, getattr(last, "title", "")) == ("survivor", "A Title")


WORD = st.text(alphabet="abcXYZ 019äßé-.:?", min_size=1, max_size=30).filter(
    lambda text: text.strip()
)
KEY = st.text(alphabet="abcXYZ019:-_/", min_size=1, max_size=12)


@given(
    st.lists(st.tuples(KEY, WORD, st.integers(min_value=1000, max_value=2999)), max_size=6),
    st.booleans(),
)
def test_read_what_is_written_is_read(works: list[tuple[str, str, int]], in_quotes: bool) -> None:
    left, right = '""' if in_quotes else "{}"
    text = "\n".join(
        f"@misc{{{key},\n title = {left}{title}{right},\n year = {year}}}"
        for key, title, year in works
    )
    read = [
        (entry.key, entry.title, entry.year)
        for entry in bibtex.read(Document.of_text(text)).references
    ]
    assert read == [(key, _as_text(title), year) for key, title, year in works]


def _as_text(title: str) -> str:
    return re.sub("--", "–", re.sub("---", "—", " ".join(title.split())))


@given(
    st.lists(
        st.sampled_from(["@misc{a, title={A}}", "@misc{b, title={B}", "@misc{c", '@misc{d,t="D}']),
        max_size=8,
    )
)
def test_entries_at_line_starts_are_counted_whatever_breaks(lines: list[str]) -> None:
    assert len(bibtex.read(Document.of_text("\n".join(lines))).entries) == len(lines)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000,
        "@a{" * 100_000,
        "\n@a{{" * 30_000,
        "\n@a(k,t={" * 30_000,
        "@a{k,t=" + "{" * 200_000 + "}" * 200_000 + "}",
        '@a{k,t="' + 'b="x' * 100_000 + "}",
        "@comment{" * 100_000,
        "@" + " " * 200_000,
        "@xdata{a,xdata={" + "b," * 100_000 + "}}" + "@a{k,xdata={a}}" * 100,
        '@string{a0="'
        + "x" * 1000
        + '"}'
        + "".join(f"@string{{a{i + 1}=a{i}#a{i}}}" for i in range(60))
        + "@misc{k,title=a60}",
    ],
    ids=[
        "braces",
        "openings",
        "broken",
        "parentheses",
        "nesting",
        "quotes",
        "comments",
        "blanks",
        "containers",
        "macro bomb",
    ],
)
@pytest.mark.timeout(60)
def test_read_hostile_text_ends_soon(text: str) -> None:
    assert sum(
        len(getattr(entry, "title", "")) for entry in bibtex.read(Document.of_text(text)).entries
    ) < len(text)


def test_read_a_value_is_replaced_in_place() -> None:
    text = (
        '@article{k,\n title = "A" # { {B}},\n year=2019,Journal = tcs , doi={10.1/x}\n}\n@misc{l,'
        " title={é}}"
    )
    document = Document.of_text(text)
    first, second = bibtex.read(document).references
    written = {name: text[span.start : span.end] for name, span in first.place.fields}
    assert written == {"title": '"A" # { {B}}', "year": "2019", "journal": "tcs", "doi": "{10.1/x}"}
    place = second.place.field("title")
    assert place
    assert text[place.start : place.end] == "{é}"
    assert second.place.field("year") is None


@given(st.lists(st.tuples(KEY, WORD), min_size=1, max_size=4), NOISE)
def test_read_the_place_of_a_field_is_inside_its_entry(
    works: list[tuple[str, str]], noise: str
) -> None:
    text = noise + "\n" + "\n".join(f"@misc{{{key}, title = {{{title}}}}}" for key, title in works)
    for reference in bibtex.read(Document.of_text(text)).references:
        span = reference.place.span
        assert span
        assert text[span.start : span.end] == reference.raw
        assert all(
            span.start < field.start <= field.end < span.end for _, field in reference.place.fields
        )


@pytest.mark.parametrize(
    ("field", "name", "value"),
    [
        ('title = {On} # " sheep"', "title", "On sheep"),
        ('title = {On} # "line"', "title", "Online"),
        ("title = {On} # line", "title", "On line"),
        ('title = {On} "sheep"', "title", "On sheep"),
        ("title = {On sheep} year = 2001", "title", "On sheep"),
        ("title = {On sheep} year = 2001", "year", 2001),
        ("title = {On sheep} % checked\n, year = 2001", "year", 2001),
        ("title = nobody", "title", "nobody"),
        ("title = nobody % who\n", "title", "nobody"),
        ("author = nobody % who\n, title = {T}", "authors", ()),
        ("author = nobody, title = {T}", "authors", ()),
        ("author = {nobody}, title = {T}", "authors", ("nobody",)),
        ('author = nobody # " Lee", title = {T}', "authors", ("nobody Lee",)),
        ("title = {}, title = {On sheep}", "title", "On sheep"),
    ],
)
def test_read_joins_the_strings_of_a_value(field: str, name: str, value: object) -> None:
    (found,) = bibtex.read(Document.of_text(f"@misc{{a, {field}}}")).references
    assert getattr(found, name) == value


def test_read_takes_what_an_entry_lacks_from_its_parents() -> None:
    text = """@inproceedings{a, title={Paper}, crossref={V}}
    @proceedings{v, title={Volume}, year=1999, doi={10.1/v}, crossref={s}}
    @proceedings{s, title={Series}, year=1990, publisher={Press}, crossref={v}}
    @inproceedings{alone, title={Own}, crossref={nowhere}}"""
    found = {one.key: one for one in bibtex.read(Document.of_text(text)).references}
    paper = found["a"]
    assert (paper.title, paper.venue, paper.year, paper.doi) == ("Paper", "Volume", 1999, "")
    assert paper.publisher == "Press"
    assert (found["alone"].title, found["alone"].venue) == ("Own", "")


@pytest.mark.parametrize(
    ("head", "key", "title"),
    [
        ("lee", "lee", "On sheep"),
        ("the lee", "the lee", "On sheep"),
        ("the old lee", "the old lee", "On sheep"),
    ],
)
def test_read_keeps_a_key_of_several_words_without_a_comma(head: str, key: str, title: str) -> None:
    (found,) = bibtex.read(Document.of_text(f"@book{{{head} title = {{{title}}}}}")).references
    assert (found.key, found.title) == (key, title)


@pytest.mark.parametrize(
    ("text", "name", "score"),
    [
        ("@electronic{a, title = {On ribbons}}", "a.bib", 2),
        ("@electronic{a, title = {On ribbons}}", "a.txt", 1),
        ("@electronic{a: no field}", "a.bib", 1),
        ("@article{a, title = {On ribbons}}", "a.txt", 2),
    ],
)
def test_accepts_an_entry_of_another_kind_is_certain_by_the_name(
    text: str, name: str, score: int
) -> None:
    assert bibtex.accepts(Document.of(name, text.encode())) == score


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("@misc{}", "bibtex.no_fields"),
        ("@misc{a}", "bibtex.no_fields"),
        ("% @misc{a, title = {A}}", "bibtex.commented_out"),
        ("@misc{a, title = {A}", "bibtex.unbalanced"),
        ('@misc{a, title = "A}', "bibtex.unclosed_quote"),
        ("@string{a = {A}", "bibtex.unbalanced"),
    ],
)
def test_read_says_why_an_entry_is_no_reference(text: str, code: str) -> None:
    entries = bibtex.read(Document.of_text(f"@misc{{b, title = {{B}}}}\n{text}")).entries
    assert [one.code for one in entries if isinstance(one, Diagnostic)] == [code]


def test_read_notes_entries_that_inherit_from_themselves() -> None:
    text = "@book{a, title = {A}, crossref = {b}}\n@book{b, title = {B}, crossref = {A}}\n"
    found = bibtex.read(Document.of_text(text))
    assert [one.title for one in found.references] == ["A", "B"]
    assert [(one.code, one.key) for one in found.diagnostics] == [
        ("bibtex.circular_crossref", "a"),
        ("bibtex.circular_crossref", "b"),
    ]


def test_read_a_macro_holds_until_it_is_defined_again_and_before_it_is_defined() -> None:
    text = (
        "@article{a, journal = j}\n@string{j = {Ice}}\n@article{b, journal = j}\n"
        "@string{j = {Snow}}\n@article{c, journal = j}\n"
        f"@string{{long = {{{'x' * 2001}}}}}\n@string{{most = {{{'x' * 2000}}}}}\n"
        "@article{d, journal = long}\n@article{e, journal = most}\n@string{open = {Ice}\n"
        "@article{f, journal = open}"
    )
    found = bibtex.read(Document.of_text(text)).references
    assert [one.venue for one in found] == ["Snow", "Ice", "Snow", "long", "x" * 2000, "open"]


def test_read_many_entries_may_not_grow_without_limit_by_macros_or_parents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bibtex, "_FREE_ADDITIONS", 10_000)
    macro = f"@string{{m = {{{'x' * 2000}}}}}\n"
    parent = f"@book{{p, title = {{P}}, publisher = {{{'x' * 2000}}}}}\n"
    for before, field in ((macro, "publisher = m"), (parent, "crossref = {p}")):
        entries = [f"@misc{{k{number}, title = {{T}}, {field}}}\n" for number in range(99)]
        found = bibtex.read(Document.of_text(before + "".join(entries))).references
        grown = [len(one.publisher) == 2000 for one in found if one.title == "T"]
        assert len(grown) == 99
        assert 6 <= sum(grown) <= 12
        assert grown == sorted(grown, reverse=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@string{a = {A}}\n@string{b = {B}}\n", {"bibtex.only_macros": 0}),
        ("@string{a = {A}}\n@misc{k, title = {T}}\n", {}),
        ("@string{a = {A}}\n@misc{k}\n", {"bibtex.no_fields": 17}),
        ("@comment{a}\n@preamble{b}\n", {}),
        (
            "@string{a = {A}}\n@article k, title = {T}\n",
            {"bibtex.no_brace": 17, "bibtex.only_macros": 0},
        ),
        ("@article k, title = {T}\n@misc{k, title = {T}}", {"bibtex.no_brace": 0}),
    ],
)
def test_read_says_what_a_file_without_entries_has(text: str, said: dict[str, int]) -> None:
    entries = bibtex.read(Document.of_text(text)).entries
    found = [one for one in entries if isinstance(one, Diagnostic)]
    assert {one.code: one.place.span.start for one in found if one.place.span} == said
