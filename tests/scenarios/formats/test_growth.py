"""Hostile documents: time grows no faster than their size, and memory stays within a multiple of
it.
"""

import gc
import tracemalloc
from time import process_time

import pytest

from benchmarks import bibliographies
from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers import formats
from citeproof.readers.document import Document
from tests.word import word_document

PATTERNS = {
    "bibtex": [
        "@a{",
        "@a{{",
        "\n@a{",
        "@a{}",
        "@a{k}",
        "\n@a{k,",
        "\n@article",
        "@a(",
        "@a{k,t={",
        '@a{k,t="',
        "{",
        "}",
        "@",
        "@string{a=b#a}",
        "@misc{k,title=jacm#jacm}",
        "@misc{k,crossref=k}",
        "@a{k,",
        't="a',
        "%\n",
        "\n}",
        "@a{k,author={a and }}",
        "@misc{k,title={a}}\n",
        "t=jacm#",
        "@comment{",
    ],
    "json-list": [
        "[",
        '{"',
        "{}",
        "{}\n",
        "1,",
        '"a"\n',
        '{"a":',
        '{"a":\n',
        "]",
        "}\n",
        '{"title":"a"}',
        "x\n",
        "[1]\n",
        '"\n',
    ],
    "csl-json": ["[", "{}", '{"title":"a"}\n', '{"title":', "x\n", '{"author":[{"family":"a"}]}'],
    "bbl": [
        "\\bibitem{k}",
        "\\bibitem[",
        "\\bibinfo{a}{",
        "\\bibinfo{title}{a}",
        "\\newblock a",
        "``",
        "{\\em a}",
        "%\n",
        "\\entry{a}{b}",
        "a. ",
    ],
    "latex": [
        "\\cite{",
        "\\cite{k}",
        "\\cite[",
        "\\cites",
        "\\cite[a]",
        "\\input{",
        "\\input{a}",
        "\\bibliography{a}",
        "\\cite",
        "\\begin{thebibliography}",
        "%",
        "\n",
        "\\begin{filecontents}{a}",
    ],
    "latex-aux": [
        "\\citation{",
        "\\citation{k}\n",
        "\\abx@aux@cite{0}",
        "\\bibdata{a}\n",
        "\\@input{a}\n",
        "\\@input{",
        "\n",
    ],
    "csl-yaml": [
        "- title: a\n",
        "- ",
        "[",
        "{",
        "{a: ",
        "*_",
        "? ",
        "- &a [*a]\n",
        "- |\n",
        "'",
        "#\n",
        "-\n",
        "a: ",
        "- title: [a]{.b\n",
    ],
    "docx": [
        "<w:p>",
        "<w:p/>",
        "<w:p><w:t>a</w:t></w:p>",
        '<w:fldChar w:fldCharType="begin"/>',
        "<w:tag w:val='CSL_CITATION'/>",
        '<w:fldSimple w:instr="ADDIN EN.CITE &lt;record&gt;"/>',
        "<w:instrText>{</w:instrText>",
    ],
    "html": [
        "<",
        "<!--",
        "<a ",
        "</",
        "&",
        "&#",
        "<![",
        "<?",
        "<p>",
        "<li>",
        "<li><li>",
        "<div>",
        "<a b='",
        "<script>",
        "<li class=csl-entry>",
        "<br>",
    ],
    "markdown": [
        "[",
        "*",
        "_",
        "`",
        "@",
        "@a",
        "[a](",
        "- a\n",
        "# a\n",
        "\n",
        "```\n",
        "a\n---\n",
        "@{",
        "\\",
        "<http://",
    ],
    "ris": ["TY  - A\n", "ER  -\n", "AU  - A\n", "a\n", "TY  - A\nTI  - a\nER  -\n"],
    "csv": ["a,", "a,b\n", '"', '"a\n', "\n", ",\n", "a\tb\n"],
    "endnote-xml": [
        "<record>",
        "<record><a>",
        "<record/>",
        "<record></record>",
        "<a>",
        "&amp;",
        "a ",
        "</record>",
    ],
    "medline": ["PMID- 1\n", "TI  - a\n", "      a\n", "\n", "AU  - Lee A\n", "a\n"],
    "cff": ["- title: a\n", "- ", "  a: b\n", " \n", "\n", "preferred-citation:\n", "{", "#\n"],
    "enw": ["%0 A\n", "%T a\n", "%A Lee, A\n", "a\n", "\n", "%", "% \n"],
    "hayagriva": ["a:\n", "a:\n  type: book\n", "  ", " \n", "  b: {", "'", "\n", "a: "],
    "rtf": ["{", "}", "\\par ", "a", "\\'e9", "\\u8211 ?", "{\\*\\a ", "\\trowd\\cell\\row ", "\n"],
    "typst": [
        "@a ",
        "#cite(",
        "cite(<a>)",
        "//",
        "/*",
        "`",
        "<a>",
        "bibliography(",
        '#include "a.typ"\n',
    ],
    "word-sources": [
        "<b:Source>",
        "<b:Source></b:Source>",
        "</b:Source>",
        "<Source><a>",
        "&",
        "<b:a>",
    ],
    "text": ["A. B. ", "a.", "(", "1"],
    "titles": ["a\n", "\\'", "{\\'e}", "$", "a ", "&#1;", "<i>", "\\alpha", "a: "],
}
BEGINNINGS = {
    "bibtex": [
        "",
        "@misc{k,title={",
        "@misc{k,author={",
        "@misc{p,title={T},journal={" + "j" * 1900 + "}}",
    ],
    "json-list": ["", '["', '{"title":"', '{"title":"T","authors":['],
    "csl-json": ["", '[{"title":"a"}'],
    "bbl": ["", "\\begin{thebibliography}{1}\\bibitem{k} "],
    "latex": ["\\documentclass{a}"],
    "csl-yaml": ["", "references:\n- title: ", "references: "],
    "latex-aux": ["", "\\relax\n\\bibdata{"],
    "docx": ["", "<w:p><w:t>References</w:t></w:p>"],
    "html": ["", "<h1>References</h1>"],
    "markdown": ["# References\n", "---\nbibliography: a\n---\n"],
    "ris": ["TY  - A\nTI  - a\n"],
    "csv": ["title,year\n", 'title,authors\n"'],
    "endnote-xml": ["<xml><records>", "<xml><records><record><titles><title>"],
    "medline": ["", "PMID- 1\nTI  - a\n"],
    "cff": ["cff-version: 1\nreferences:\n", "cff-version: 1\npreferred-citation:\n"],
    "enw": ["%0 A\n%T a\n"],
    "hayagriva": ["", "a:\n  type: book\n  title: T\n"],
    "rtf": ["{\\rtf1 ", "{\\rtf1 References\\par "],
    "typst": ['#bibliography("a.bib")\n', "#bibliography("],
    "word-sources": ["<b:Sources xmlns:b='officeDocument/2006/bibliography'>"],
    "text": ["", "[1] "],
    "titles": [""],
}
CASES = [
    (name, start, piece)
    for name, pieces in PATTERNS.items()
    for piece in pieces
    for start in BEGINNINGS[name]
]
SMALL, LARGE = 3_000, 24_000
DENSE = [
    ("bibtex", "@a{"),
    ("bibtex", "\n@a{k,"),
    ("bibtex", "@a{}"),
    ("bibtex", "@misc{k,crossref=k}"),
    ("bibtex", "@misc{k,title=jacm#jacm}"),
    ("bibtex", "\n@article"),
    ("json-list", "{}\n"),
    ("json-list", '"a"\n'),
    ("titles", "a\n"),
]


def document(name: str, start: str, piece: str, size: int) -> Document:
    text = start + piece * (size // len(piece))
    return (
        Document.of("hostile", word_document(text))
        if name == "docx"
        else Document.of_text(text, "hostile")
    )


def seconds(name: str, made: Document) -> float:
    begin = process_time()
    formats.read(made, name)
    return process_time() - begin


@pytest.mark.parametrize(("name", "start", "piece"), CASES)
def test_eight_times_the_text_takes_no_more_than_some_eight_times_as_long(
    name: str, start: str, piece: str
) -> None:
    small, large = (document(name, start, piece, size) for size in (SMALL, LARGE))
    rounds = (seconds(name, large) / max(seconds(name, small), 0.002) for _ in range(3))
    # quadratic is 64; the first round is enough on a quiet machine
    assert any(ratio < 24 for ratio in rounds)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "piece"), DENSE)
def test_memory_is_bounded_by_the_size(name: str, piece: str) -> None:
    made = document(name, "", piece, 250_000)
    gc.collect()
    tracemalloc.start()
    bibliography = formats.read(made, name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert bibliography.entries
    assert peak < 50 * len(made.text) + 5_000_000


@pytest.mark.slow
def test_a_pdf_of_eight_times_the_references_takes_some_eight_times_as_long() -> None:
    small, large = (
        bibliographies.document("pdf", bibliographies.works(count)) for count in (30, 240)
    )
    assert len(formats.read(large, "pdf").references) == 240
    rounds = (seconds("pdf", large) / seconds("pdf", small) for _ in range(3))
    assert any(ratio < 16 for ratio in rounds)


@pytest.mark.slow
def test_the_memory_of_a_pdf_grows_with_its_references() -> None:
    peaks = []
    for count in (15, 120):
        made = bibliographies.document("pdf", bibliographies.works(count))
        gc.collect()
        tracemalloc.start()
        assert len(formats.read(made, "pdf").references) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert peaks[-1] < 50 * len(made.data) + 20_000_000
    assert peaks[1] < 12 * peaks[0]


def test_a_title_of_more_than_2000_letters_is_no_title_and_a_note_says_so() -> None:
    text = "@misc{a, title={" + "w" * 2001 + "}, year=2001}\n@misc{b, title={" + "w " * 1000 + "}}"
    bibliography = formats.read(Document.of_text(text, "f.bib"), "bibtex")
    assert [(one.title != "", one.year, one.oversized) for one in bibliography.references] == [
        (False, 2001, ("title",)),
        (True, None, ()),
    ]
    (note,) = bibliography.diagnostics
    assert (note.code, note.line) == ("document.field_too_long", 1)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "{\\'e}" * 200_000),
        ("author", " and ".join(["A. Lee"] * 10_001)),
        ("author", "x" * 1_001),
        ("author", "x" * 1_000_001),
        ("journal", "x" * 20_001),
    ],
)
def test_a_field_that_is_too_long_is_read_as_absent(field: str, value: str) -> None:
    bibliography = formats.read(
        Document.of_text(f"@article{{a, doi={{10.1000/x}}, {field}={{{value}}}}}"), "bibtex"
    )
    (reference,) = bibliography.references
    assert reference.oversized == (field,)
    assert (reference.title, reference.authors, reference.venue, reference.doi) == (
        "",
        (),
        "",
        "10.1000/x",
    )
    assert [note.code for note in bibliography.diagnostics] == ["document.field_too_long"]


def test_authors_of_the_largest_collaborations_are_no_fault() -> None:
    text = (
        "@article{a, author={" + " and ".join(f"A. Name{number}" for number in range(5154)) + "}}"
    )
    (reference,) = formats.read(Document.of_text(text), "bibtex").references
    assert len(reference.authors) == 5154
    assert reference.oversized == ()


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("bibtex", "@a{"),
        ("bibtex", "@a{}"),
        ("bibtex", "\n@article"),
        ("json-list", "{}\n"),
        ("titles", "a\n"),
    ],
)
def test_a_million_beginnings_are_read_up_to_what_a_bibliography_may_hold(
    name: str, piece: str
) -> None:
    text = piece * (1_000_000 // len(piece))
    last = formats.read(Document.of_text(text, "f"), name).entries[-1]
    assert isinstance(last, Diagnostic)
    assert last.code == "document.too_many_entries"
    assert last.line == 1 + text.count("\n", 0, last.place.span.start if last.place.span else 0)


@pytest.mark.slow
def test_every_entry_of_a_long_and_honest_bibliography_is_read() -> None:
    text = "@misc{k,title={A Title}}" * 100_000
    entries = formats.read(Document.of_text(text), "bibtex").entries
    assert len(entries) == 100_000
    assert all(isinstance(entry, Reference) for entry in entries)
