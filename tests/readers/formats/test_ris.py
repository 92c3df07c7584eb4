"""RIS in the dialects of its writers."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.tagged import TaggedRecord
from citeproof.readers.formats import ris

if TYPE_CHECKING:
    from pathlib import Path


def test_read_a_record_without_its_end_costs_nothing_and_is_noted() -> None:
    found = ris.read(Document.of_text("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\n", "f.ris"))
    assert [(one.title, one.line) for one in found.references] == [("One", 1), ("Two", 3)]
    assert [note.code for note in found.diagnostics] == ["ris.no_end", "ris.no_end"]


def test_read_a_tag_needs_no_space_behind_its_dash() -> None:
    found = ris.read(
        Document.of_text(
            "TY  -JOUR\nTI  -One\nAU  -Lee, A.\nER  -\nTY  - JOUR\nTI  - Two\nIV -based\nER  -\n"
        )
    )
    assert [(one.title, one.authors, one.line) for one in found.references] == [
        ("One", ("Lee, A.",), 1),
        ("Two IV -based", (), 5),
    ]


def test_read_the_value_of_an_empty_tag_is_in_the_next_line() -> None:
    text = (
        "TY  - JOUR\nTI  - \nCounting sheep\n  with trees\nAU  - Lee, Ann\nAU  -\nRay, Bob\nN1  -"
        " \nER  - \n"
    )
    (one,) = ris.read(Document.of_text(text)).references
    assert (one.title, one.authors, one.note) == (
        "Counting sheep with trees",
        ("Lee, Ann", "Ray, Bob"),
        "",
    )
    assert [text[span.start : span.end] for name, span in one.place.fields if name == "ti"] == [
        "Counting sheep"
    ]


@pytest.mark.parametrize("begun", ["TY  -", "TY  - ", "TY -", "TY -\t"])
def test_read_a_record_may_leave_its_type_empty(begun: str) -> None:
    text = f"{begun}\nTI  - One\nAU  - Lee, Ann\nER  - \n{begun}\nTI  - Two\n"
    found = ris.read(Document.of("a.ris", text.encode()))
    assert [reference.title for reference in found.references] == ["One", "Two"]
    assert found.references[0].authors == ("Lee, Ann",)


def test_read_a_kind_of_publication_begins_no_record() -> None:
    text = "TY  - JOUR\nPT  - Journal Article\nTI  - One\nPT  - Review\nAU  - Lee, Ann\nER  - \n"
    (found,) = ris.read(Document.of_text(text)).entries
    assert isinstance(found, Reference)
    assert (found.title, found.authors, found.entry_type) == ("One", ("Lee, Ann",), "jour")


def test_read_people_under_one_tag_and_the_proceedings_of_zotero() -> None:
    text = (
        "TY  - CONF\nTI  - One\nAU  - Lee, Ann; Ray, Bob;\nAU  - Zed, Cy\nC3  - Proceedings of"
        " Snow\nER  - \n"
    )
    (one,) = ris.read(Document.of_text(text)).references
    assert (one.authors, one.venue) == (("Lee, Ann", "Ray, Bob", "Zed, Cy"), "Proceedings of Snow")


def test_accepts_web_of_science() -> None:
    text = (
        "FN Clarivate\nVR 1.0\nPT J\nAU Lee, A\n   Ray, B\nAF Lee, Ann\n   Ray, Bob\nTI On winter\n"
        "   and more\nSO NATURE\nPY 2019\nBP 1\nEP 9\nDI 10.1000/X\nID KEY WORDS\nER\n\nPT J\nTI"
        " Two\nER\nEF\n"
    )
    document = Document.of_text(text)
    assert ris.accepts(document) == 2
    first, second = ris.read(document).references
    assert (first.title, first.authors, first.year) == (
        "On winter and more",
        ("Lee, Ann", "Ray, Bob"),
        2019,
    )
    assert (first.venue, first.pages, first.doi, first.key) == ("NATURE", "1–9", "10.1000/x", "")
    assert second.title == "Two"


_LINES = ["TY  - JOUR", "TI  - A", "PT  - C", "ER  - ", "AU  - B", "more", "", "TY  -", "ER  -"]


@given(st.lists(st.sampled_from(_LINES)))
def test_read_every_beginning_is_a_reference_or_a_diagnostic(lines: list[str]) -> None:
    found = ris.read(Document.of_text("TY  - GEN\n" + "\n".join(lines)))
    tagged = ["TY", *(line[:2] for line in lines if "  -" in line)]
    begun = sum(tag == "TY" != before for before, tag in pairwise(["", *tagged]))
    assert len(found.entries) == begun


def test_read_what_programs_write_wrongly() -> None:
    text = (
        "ty  - jour\nti  - One\nau  - A. Lee\ner  - \n"
        "TY  - JOUR\nTY  - MGZN\nTI  - Two\nAU  - Lee, Ann and Ray, Bob\nER\n"
        "TY  - CONF\nST  - Three\n" + "".join(f"A1  - {sign}\n" for sign in "['Lee,A.','Ray,B.']")
    )
    found = ris.read(Document.of_text(text))
    assert [(one.title, one.authors) for one in found.references] == [
        ("One", ("A. Lee",)),
        ("Two", ("Lee, Ann", "Ray, Bob")),
        ("Three", ("Lee, A.", "Ray, B.")),
    ]


@pytest.mark.shared
def test_accepts_the_samples_lose_no_record(shared: Path) -> None:
    paths = sorted((shared / "samples" / "ris").glob("*.ris"))
    assert len(paths) >= 15
    for path in paths:
        document = Document.of(path.name, path.read_bytes())
        assert ris.accepts(document) == 2, path.name
        begun = sum(line.startswith(("TY  -", "PT ")) for line in document.text.split("\n"))
        entries = ris.read(document).entries
        assert len(entries) == begun
        assert (
            not any(isinstance(entry, Diagnostic) for entry in entries)
            or path.name == "example_multiline.ris"
        )


def test_a_nul_in_a_continued_value_does_not_split_it() -> None:
    values = {"TI": ["A title", "\n with\0a NUL"], "AU": ["Lee", "Kim", "\nJr"]}
    record = TaggedRecord(0, 1, continued=True, values=values)
    assert record.joined() == {"TI": ["A title  with\0a NUL"], "AU": ["Lee", "Kim Jr"]}


def test_read_takes_a_journal_that_repeats_the_title_for_none() -> None:
    text = "TY  - JOUR\nTI  - {}\nJO  - {}\nER  - \n"
    texts = text.format("On sheep", "On sheep") + text.format("On sheep", "On goats")
    found = ris.read(Document.of_text(texts))
    assert [one.venue for one in found.references] == ["", "On goats"]


def test_read_counts_at_most_a_thousand_records_without_their_end() -> None:
    text = "TY  - JOUR\nTI  - One\n" * 1_002
    found = ris.read(Document.of_text(text))
    assert (len(found.references), len(found.diagnostics)) == (1_002, 1_000)
    ended = ris.read(Document.of_text("TY  - JOUR\nTI  - One\nER  - \n"))
    assert ended.diagnostics == ()


def test_read_the_span_of_a_record_ends_with_its_last_line() -> None:
    for last in ("ER  -   ", "N1  - On snow\nand ice"):
        record = f"TY  - JOUR\nTI  - On ice\n{last}"
        (one,) = ris.read(Document.of_text(f"{record}\n\n")).references
        assert one.raw == record.rstrip()


def test_read_web_of_science_and_ris_are_told_apart() -> None:
    web = "FN Clarivate\nPT J\nAU Lee, A\n   Ray, B\nTI On ice\n   and snow\nPY 2001\nER\nEF\n"
    (one,) = ris.read(Document.of_text(web)).references
    assert (one.title, one.authors, one.year) == ("On ice and snow", ("Lee, A", "Ray, B"), 2001)
    tagged = "TY  - JOUR\nTI  - PT J\nAU  - Lee, A.\nER  - \n"
    (one,) = ris.read(Document.of_text(tagged)).references
    assert (one.title, one.authors) == ("PT J", ("Lee, A.",))
