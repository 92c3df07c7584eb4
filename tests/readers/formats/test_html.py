"""Reference lists in HTML, as people and programs write them."""

import pytest

from citeproof.model.reference import Diagnostic
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.formats import html, text

PAGES = {
    "items": (
        "<h1>References</h1><ol><li>A. Lee. Snow. 2019.</li><li>C. Fox. Foxes."
        " 2020.</li></ol><h1>B</h1>No"
    ),
    "items without ends": (
        "<h2>References</h2><li>A. Lee. Snow. 2019.<li>C. Fox. <i>Foxes</i>. 2020.</ul><h2>B</h2>No"
    ),
    "paragraphs": (
        "<h2>7 References</h2><p>A. Lee. Snow. 2019.<p>C. Fox.\nFoxes. 2020.</p><h2>B</h2>No"
    ),
    "lines": "<b>x</b><h2>References</h2><p>A. Lee. Snow. 2019.<br>C. Fox. Foxes. 2020.</p>",
    "a list alone": (
        "<ol><li><p>A. Lee. Snow.</p> <div>2019.</div></li><li>C. Fox. Foxes. 2020.</li></ol>"
    ),
    "paragraphs alone": "<p>A. Lee. Snow. 2019.</p><p>C. Fox. Foxes. 2020.</p>",
    "zotero": (
        '<h1>No</h1><div><div class="csl-entry"><div>A. Lee.</div><div>Snow. 2019.</div></div>'
        '<div class="csl-entry">C. Fox. Foxes. 2020.</div></div><p>No'
    ),
    "arxiv": (
        '<ul><li>No</li></ul><ul><li class="ltx_bibitem"><span>A. Lee.</span> <span>Snow.'
        ' 2019.</span></li>\n<li class="ltx_bibitem">C. Fox. <math'
        ' alttext="Foxes"><mi>F</mi></math>. 2020.</li></ul>'
    ),
    "scripts": (
        "<h1>References</h1><!-- <p> --><p>A. Lee. Snow. <style>no</style>2019.</p><p>C. Fox."
        " Foxes. 2020."
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_read_two_references(name: str) -> None:
    found = formats.read(Document.of_text(PAGES[name], "list.html")).references
    assert [one.raw for one in found] == ["A. Lee. Snow. 2019.", "C. Fox. Foxes. 2020."]


@pytest.mark.parametrize(
    ("text", "score"), [("<!DOCTYPE html>", 2), ("<ol><li>A", 1), ("<xml><records>", 0), ("a<b", 0)]
)
def test_accepts_what_begins_as_html_is_taken_for_it(text: str, score: int) -> None:
    assert formats.load("html").accepts(Document.of_text(text)) == score


def test_read_a_page_without_a_list_says_so() -> None:
    (entry,) = formats.read(
        Document.of_text("<html><h1>Title</h1><ul><li>Menu</ul>", "a.html")
    ).entries
    assert isinstance(entry, Diagnostic)
    assert entry.code == "html.without_list"


def test_read_stops_at_the_most_references_of_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_REFERENCES", 3)
    items = "".join(
        f"<li>A. Winter. On ribbons {number}. Annals, 2001.</li>\n" for number in range(1, 6)
    )
    found = html.read(Document.of("a.html", f"<h1>References</h1><ol>\n{items}</ol>".encode()))
    last = found.entries[-1]
    assert [reference.title for reference in found.references] == [
        "On ribbons 1",
        "On ribbons 2",
        "On ribbons 3",
    ]
    assert isinstance(last, Diagnostic)
    assert (last.code, last.place.line, len(found.entries)) == ("document.too_many_entries", 5, 4)


def titles(page: str) -> list[str]:
    found = formats.read(Document.of("page.html", page.encode()), "html")
    return [reference.raw for reference in found.references]


FIRST, SECOND = "A. Lee. Snow. 2019.", "C. Fox. Foxes. 2020."
HEADING = "<h2>References</h2>"


@pytest.mark.parametrize(
    ("page", "items"),
    [
        (f"<ul><li>{FIRST}<li> <li>{SECOND}</ul>", [FIRST, SECOND]),
        (f"<p>{FIRST}</p><p></p>", []),
        (f"{HEADING}{FIRST}<p>{SECOND}</p><script>x=1</script>", [FIRST, SECOND]),
        (
            f'<div class="csl-entry">A. Lee. <div>Snow.</div> 2019.</div>Text'
            f'<div class="csl-entry">{SECOND}</div>',
            [FIRST, SECOND],
        ),
        (
            f'{HEADING}<p>A. Lee. <math alttext="n^2"><mi>n</mi></math> 2019.</p><p>{SECOND}</p>',
            ["A. Lee. n^2 2019.", SECOND],
        ),
        (
            f"{HEADING}<p>A. Lee. <!-- no\n --> 2019.</p><p>{SECOND} <!-- open</p>",
            ["A. Lee. 2019.", f"{SECOND} <!-- open"],
        ),
        (f"{HEADING}<p>{FIRST}</p><p>{SECOND} A & B", [FIRST, f"{SECOND} A & B"]),
    ],
)
def test_read_finds_the_items_of_a_page(page: str, items: list[str]) -> None:
    assert titles(page) == items


def test_read_keeps_the_lines_of_a_page_behind_comments() -> None:
    page = "<h2>References</h2>\n<!--\n\n-->\n<p>A. Lee. Snow. 2019.</p>\n<p>C. Fox. 2020.</p>"
    found = formats.read(Document.of("page.html", page.encode()), "html")
    assert [reference.place.line for reference in found.references] == [5, 6]
