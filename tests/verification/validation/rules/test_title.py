from __future__ import annotations

from dataclasses import replace

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.verification.validation.rules.title import rule
from tests.verification.validation.cases import case, codes

PEOPLE = ("Ivar Jacobson", "Martin L. Griss", "Patrik Jonsson")
CITED = Reference(
    "a",
    title="Software Reuse: Architecture, Process and Organisation for Business Success",
    authors=PEOPLE,
    year=1997,
    publisher="ACM Press",
    entry_type="book",
)


def test_rule_notes_that_a_catalogue_shortens_the_title_of_a_book() -> None:
    book = Record(
        "books/a",
        "Software reuse - architecture, process and organization for business",
        PEOPLE,
        1997,
        "Addison-Wesley",
        pub_type="book",
        source="dblp",
    )
    found = rule(case(CITED, (book,)))
    assert codes(found) == ["title.subtitle"]
    paper = replace(book, pub_type="inproceedings", venue="ICSE")
    cited_paper = replace(CITED, entry_type="inproceedings", venue="ICSE", publisher="")
    assert codes(rule(case(cited_paper, (paper,)))) == ["title.word_changed"]
