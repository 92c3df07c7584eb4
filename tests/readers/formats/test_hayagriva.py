"""Typst's YAML bibliographies."""

import pytest

from citeproof.readers.document import Document
from citeproof.readers.formats import hayagriva


def test_read_a_work_takes_from_its_parents_what_it_lacks() -> None:
    text = """a:
  type: Chapter
  title: One
  author: Lee, Ann
  parent:
    type: Book
    title: Two
    publisher: {name: Ice Press, location: Oslo}
    parent: {type: Anthology, title: Three, volume: 7, date: 2001}
"""
    (one,) = hayagriva.read(Document.of_text(text)).references
    assert (one.title, one.venue, one.volume, one.year, one.publisher) == (
        "One",
        "Two",
        "7",
        2001,
        "Ice Press",
    )


@pytest.mark.parametrize(
    "text",
    [
        "name: build\non:\n  push:\n    branches: [main]\n",
        "references:\n- type: book\n  title: T\n",
        "cff-version: 1\nauthors:\n  type: book\n",
        "jobs:\n  type: string\n",
        "- lee\n  type: book\n",
    ],
)
def test_accepts_no_other_yaml(text: str) -> None:
    assert hayagriva.accepts(Document.of_text(text, "a.yml")) == 0


def test_read_an_entry_may_be_in_one_line() -> None:
    text = "a: {type: book, title: One}\nb: {\n  type: book, title: Two}\n"
    document = Document.of_text(text, "a.yml")
    assert hayagriva.accepts(document) == 2
    assert [one.title for one in hayagriva.read(document).references] == ["One", "Two"]


@pytest.mark.parametrize("said", ["title", "[a, b]", "{}", "{parent: [1, 2]}", "{}\n? c\n: {}"])
def test_read_any_value_is_a_reference_or_a_diagnostic(said: str) -> None:
    assert len(hayagriva.read(Document.of_text(f"a:\n  {said}\nb:\n  type: book\n")).entries) == 2


def test_read_takes_identifiers_and_people_in_every_form() -> None:
    text = """a:
  type: Article
  title: {value: "{One}", verbatim: true}
  editor: [{name: Lee, given-name: Ann}, "Ray, Bo"]
  serial-number: {doi: 10.1000/x, arxiv: 2001.00001}
  page-range: 1-9
  parent: [{type: Periodical, title: Snow, issue: 3, volume: 2, organization: Ice Society}]
b:
  type: Web
  title: Two
  author: Fox, C.
  serial-number: 10.1000/y
  parent: {type: Book, page-range: 5-6}
"""
    first, second = hayagriva.read(Document.of_text(text)).references
    assert (first.title, first.authors) == ("One", ("Lee, Ann", "Ray, Bo"))
    assert (first.doi, first.arxiv_id, first.pages) == ("10.1000/x", "2001.00001", "1-9")
    assert (first.venue, first.volume, first.number) == ("Snow", "2", "3")
    assert first.publisher == "Ice Society"
    assert (second.authors, second.pages, second.venue) == (("Fox, C.",), "", "")
