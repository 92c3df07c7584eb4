"""Answers of the MCP tools as text."""

from __future__ import annotations

from dataclasses import replace

from citeproof.agents import answers
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from tests.agents.works import CITED, LINE, LOOKUP, MEANT, PEOPLE, VERDICT, WORK


def test_work_line_names_four_people_and_leaves_out_what_is_unknown() -> None:
    assert answers.work_line(WORK) == LINE
    assert answers.work_line(Record("k", "T", PEOPLE[:4])).startswith(
        'Ada Almgren, Bo Berg, Cy Chan, Di Dahl, "T" ['
    )


def test_verdict_text_lists_issues_works_and_sources() -> None:
    assert answers.verdict_text(VERDICT).splitlines() == [
        "1. SUSPICIOUS (a) On Table - not_confirmed",
        "   year.off: recorded as 2001, cited as 2002",
        "   note title.spelling: a letter",
        *[f"   similar title: {LINE}"] * answers.MAX_WORKS,
        "   no answer from dblp: timed out",
        "   queried bibliographic_database: 1 record; it is proved that it has no better record",
        "   not queried crossref: answered before",
        answers.MEANINGS[Status.SUSPICIOUS],
    ]


def test_run_text_explains_each_status_but_valid_once() -> None:
    valid = Verdict(CITED, Status.VALID, "record_agrees", 1.0, best_match=Candidate(WORK, 1.0))
    verdicts = (valid, VERDICT, VERDICT)
    run = Run({}, ("a note",), verdicts, Statistics.of(verdicts, 0))
    lines = answers.run_text(run, "citeproof://runs/1").splitlines()
    assert f"   agrees with {LINE}" in lines
    assert lines[1].startswith("1. VALID (a) On Table")
    assert lines[-3:] == [
        answers.MEANINGS[Status.SUSPICIOUS],
        "Note: a note",
        "Whole report: citeproof://runs/1",
    ]
    assert answers.MEANINGS[Status.VALID] not in lines
    assert sum(line.startswith("3. SUSPICIOUS") for line in lines) == 1


def test_works_text_names_what_differs_from_the_question() -> None:
    assert answers.works_text([MEANT], VERDICT).splitlines() == [
        f"1. {LINE}",
        "   year: recorded 2001, given 2002",
        "   doi: recorded nothing, given 10.1/y",
    ]
    none, *asked = answers.works_text([], VERDICT).splitlines()
    assert none == "No work was found that fits the description."
    assert len(asked) == 2


def test_lookup_text_says_how_a_title_was_found_or_why_not() -> None:
    best = Candidate(WORK, 1.0)
    assert answers.lookup_text(replace(LOOKUP, candidates=(best,))) == f"Found: {LINE}"
    two = replace(LOOKUP, query="On Chairs", candidates=(best, best))
    assert (
        answers.lookup_text(two) == f"Similar, but with other words in the title and 1 more: {LINE}"
    )
    by_doi = replace(LOOKUP, related=(replace(best, match=MatchKind.DOI),) * 5)
    assert (
        answers.lookup_text(by_doi).splitlines()
        == [f"Has this identifier: {LINE}"] * answers.MAX_WORKS
    )
    missed = replace(
        LOOKUP,
        related=(replace(best, match=MatchKind.SAME_WORDS),),
        nearest=replace(best, similarity=0.61),
    )
    assert answers.lookup_text(missed).splitlines() == [
        "Not found: this database has no similar title.",
        f"The same words in another order: {LINE}",
        f"Nearest title (61% alike): {LINE}",
    ]
    cut = replace(LOOKUP, complete=False)
    assert (
        answers.lookup_text(cut)
        == "Not found: the search was stopped early, so this proves nothing."
    )


def test_account_text_lists_entries_doubts_and_what_could_not_be_read() -> None:
    broken = Diagnostic(Place("", 9), "bibtex.unclosed", "is never closed")
    read = replace(CITED, and_others=True, doubts=("the title may end early",), place=Place("", 3))
    lines = answers.account_text(Bibliography((read, broken, Reference("", raw="?")))).splitlines()
    assert lines[0] == "3 entries"
    assert lines[1] == (
        "1. line 3: authors: Ada Almgren; Bo Berg and others, title: On Table, year: 2002"
    )
    assert lines[2] == "   may have been read wrongly: the title may end early"
    assert lines[3].startswith("2. could not be read: ")
    assert lines[4].endswith("no field was recognised")


def test_cited_is_the_title_else_the_start_of_the_text() -> None:
    assert answers.cited(VERDICT) == "On Table"
    untitled = replace(VERDICT, reference=Reference("", raw=f"one\n  two {'x' * 90}"))
    assert answers.cited(untitled) == f"one two {'x' * 72}"
