"""Corrections of whole documents: a change is kept only if the changed entry is checked again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from citeproof.fix.document import Corrected, Corrector
from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Bibliography
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.verification.pipeline import Examination
from citeproof.verification.validator import Validator
from tests.fix.works import PAPER, PREPRINT
from tests.verification.validation.conferences import KNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.model.reference import Reference

ENTRY = """@inproceedings{{{key},
  author    = {{Alma, Ann and Berg, Bo}},
  title     = {{The Patience of Sheep in Winter Pastures}},
  booktitle = {{ICS}},
  year      = {year},
}}
"""
GOATS = replace(
    PAPER,
    key="conf/ics/AB15",
    title="On the Manners of Goats in Towns",
    year=2015,
    doi="",
    pages="",
)


@dataclass
class Chain:
    """A chain that finds the same records for all references, and counts its calls."""

    records: tuple[Record, ...] = (PAPER, GOATS)
    of: Callable[[Reference, tuple[Record, ...]], tuple[Record, ...]] = lambda _, records: records
    reparsed: Reference | None = None
    asked: list[int | None] = field(default_factory=list)
    validator: Validator = field(
        default_factory=lambda: Validator(KNOWN, today=lambda: date(2026, 11, 20))
    )

    def examine(self, reference: Reference) -> Examination:
        self.asked.append(reference.year)
        candidates = tuple(Candidate(one, 0.95) for one in self.of(reference, self.records))
        found = Findings(candidates, reparsed=self.reparsed)
        return Examination(reference, found, self.validator.decide(reference, found))

    def corrected(self, text: str, **steps: bool) -> Corrected:
        corrector = Corrector(bibtex.read, self.examine, self.validator, **steps)
        return corrector.correct(Document.of_text(text, "refs.bib"))


def entry(key: str, year: int) -> str:
    return ENTRY.format(key=key, year=year)


def test_correct_changes_the_wrong_entry_alone() -> None:
    text = f"% notes\n{entry('a', 2021)}{entry('b', 2011)}{entry('c', 2021)}"
    chain = Chain()
    result = chain.corrected(text)
    assert result.data.decode() == text.replace("2011", "2021")
    assert [(one.reference.key, one.field, one.before, one.after) for one in result.changes] == [
        ("b", "year", "2011", "2021")
    ]
    assert result.changes[0].codes == ("year.off",)
    assert [text.encode()[start:end] for start, end, _ in result.edits] == [
        entry("b", 2011).strip().encode()
    ]
    assert chain.asked == [2021, 2011, 2021, 2021]


def test_correct_leaves_what_is_right() -> None:
    text = entry("a", 2021)
    result = Chain().corrected(text)
    assert (result.data.decode(), result.edits, result.changes, result.left) == (text, (), (), ())


def test_correct_lists_what_stays_a_question_with_the_value_of_the_record() -> None:
    text = entry("a", 2021).replace("Winter", "Summer")
    result = Chain().corrected(text)
    assert result.changes == ()
    assert [(one.issue.code, one.why) for one in result.left] == [
        ("title.word_changed", f"only one record says so; perhaps: {PAPER.title}")
    ]


def test_correct_counts_entries_that_cannot_be_read() -> None:
    assert Chain().corrected(entry("a", 2021) + "@article{b, title = {never closed\n").unread == 1


def test_correct_undoes_a_change_that_does_not_settle_the_difference() -> None:
    def moving(cited: Reference, records: tuple[Record, ...]) -> tuple[Record, ...]:
        return tuple(replace(one, year=(cited.year or 0) + 4) for one in records)

    text = entry("a", 2011)
    result = Chain(of=moving).corrected(text)
    assert (result.data.decode(), result.changes) == (text, ())
    assert [one.issue.code for one in result.left] == ["year.off"]
    assert "the corrected entry would not agree" in result.left[0].why


def test_correct_undoes_a_change_that_brings_a_new_difference() -> None:
    def other_people(cited: Reference, records: tuple[Record, ...]) -> tuple[Record, ...]:
        if cited.year != PAPER.year:
            return records
        return tuple(replace(one, authors=("Ann Alma", "Ole Olsen")) for one in records)

    text = entry("a", 2011)
    result = Chain(of=other_people).corrected(text)
    assert (result.data.decode(), result.changes) == (text, ())


def test_correct_undoes_a_change_after_which_another_would_follow() -> None:
    def further(cited: Reference, records: tuple[Record, ...]) -> tuple[Record, ...]:
        if cited.year != PAPER.year:
            return records
        return tuple(replace(one, doi="10.1000/other", pages="") for one in records)

    text = entry("a", 2011).replace("  year ", "  doi       = {1000/ics.21},\n  year ")
    assert Chain(of=further).corrected(text).data.decode() == text


def test_correct_undoes_a_change_whose_difference_stays_and_cannot_be_corrected() -> None:
    def parting(cited: Reference, records: tuple[Record, ...]) -> tuple[Record, ...]:
        if cited.year != PAPER.year:
            return records
        paper = replace(records[0], pages="", doi="")
        return tuple(replace(paper, key=f"conf/ics/A{year}", year=year) for year in (2031, 2036))

    text = entry("a", 2011)
    assert Chain().corrected(text).data.decode() != text
    assert Chain(of=parting).corrected(text).data.decode() == text


def test_correct_completes_nothing_if_the_work_is_not_found_again() -> None:
    def vanishing(cited: Reference, records: tuple[Record, ...]) -> tuple[Record, ...]:
        return () if cited.pages else records

    text = entry("a", 2021)
    assert Chain().corrected(text, complete=True).data.decode() != text
    assert Chain(of=vanishing).corrected(text, complete=True).data.decode() == text


def test_correct_keeps_other_changes_when_it_undoes_one() -> None:
    def moving(cited: Reference, records: tuple[Record, ...]) -> tuple[Record, ...]:
        if cited.key != "a":
            return records
        return tuple(replace(one, year=(cited.year or 0) + 4) for one in records)

    text = entry("a", 2011) + entry("b", 2012)
    assert Chain(of=moving).corrected(text).data.decode() == text.replace("2012", "2021")


@pytest.mark.parametrize(("complete", "added"), [(False, []), (True, ["pages", "doi"])])
def test_correct_completes_an_entry_after_it_is_corrected(complete: bool, added: list[str]) -> None:
    result = Chain().corrected(entry("a", 2011), complete=complete)
    assert [one.field for one in result.changes] == ["year", *added]


def test_correct_upgrades_a_preprint_only_if_it_is_asked_to() -> None:
    text = entry("a", 2020).replace("{ICS}", "{arXiv preprint arXiv:2001.00001}")
    chain = Chain((PREPRINT, PAPER))
    assert chain.corrected(text).changes == ()
    result = chain.corrected(text, upgrade=True)
    assert "booktitle = {ICS}" in result.data.decode()
    assert {one.after for one in result.changes} >= {"ICS", "2021", "11--19"}


def test_correct_changes_nothing_if_the_new_text_has_other_entries() -> None:
    text = entry("a", 2011)

    def read(document: Document) -> Bibliography:
        found = bibtex.read(document)
        return found if "2011" in document.text else replace(found, entries=())

    chain = Chain()
    corrector = Corrector(read, chain.examine, chain.validator)
    assert corrector.correct(Document.of_text(text, "refs.bib")).changes == ()


def test_correct_leaves_an_entry_that_was_parsed_again() -> None:
    (again,) = bibtex.read(Document.of_text(entry("a", 2011), "refs.bib")).references
    result = Chain(reparsed=again).corrected(entry("a", 2011))
    assert result.changes == ()
    assert [one.why for one in result.left] == ["the work is not identified"]
