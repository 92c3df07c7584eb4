"""Answers of the MCP tools as text and as JSON."""

from __future__ import annotations

from dataclasses import replace

from citeproof.agents import results
from citeproof.model.account import Account
from citeproof.model.findings import (
    Agreement,
    FieldComparison,
    Inquiry,
    NearestWork,
    Outcome,
)
from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Record
from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Issue, Status, Verdict

PEOPLE = ("Ada Almgren", "Bo Berg", "Cy Chan", "Di Dahl", "Ed Ek")
WORK = Record("k1", "On Tables", PEOPLE, 2001, "J. ACM", doi="10.1/x", source="dblp")
LINE = (
    'Ada Almgren, Bo Berg, Cy Chan, Di Dahl and others, 2001, "On Tables", J. ACM,'
    " https://doi.org/10.1/x [dblp k1]"
)
CITED = Reference("a", title="On Table", authors=PEOPLE[:2], year=2002)
MEANT = NearestWork(
    Candidate(WORK, 0.9),
    (MatchKind.TITLE,),
    (
        FieldComparison("title", Agreement.PARTLY, "On Table", "On Tables"),
        FieldComparison("year", Agreement.DIFFERENT, "2002", "2001"),
        FieldComparison("venue", Agreement.DIFFERENT, "", "J. ACM"),
        FieldComparison("doi", Agreement.PARTLY, "10.1/y", ""),
    ),
)
ISSUE = Issue("year.off", Severity.ISSUE, "2002", "2001", "recorded as 2001, cited as 2002")
NOTE = replace(ISSUE, code="title.spelling", severity=Severity.NOTE, explanation="a letter")
VERDICT = Verdict(
    CITED,
    Status.SUSPICIOUS,
    "not_confirmed",
    0.9,
    (ISSUE, NOTE),
    evidence=(
        Inquiry("bibliographic_database", Outcome.ANSWERED, records=1, complete=True),
        Inquiry("crossref", Outcome.SKIPPED, "answered before"),
        Inquiry("dblp", Outcome.FAILED, "timed out"),
    ),
    meant=(MEANT,) * 4,
)
LOOKUP = Lookup("On Tables", 0.9, (), None, Method.INDEXED, "title_index", 7, True, 1.0)


def test_work_line_names_four_people_and_leaves_out_what_is_unknown() -> None:
    assert results.work_line(WORK) == LINE
    assert results.work_line(Record("k", "T", PEOPLE[:4])).startswith(
        'Ada Almgren, Bo Berg, Cy Chan, Di Dahl, "T" ['
    )


def test_verdict_text_lists_issues_works_and_sources() -> None:
    assert results.verdict_text(VERDICT).splitlines() == [
        "1. SUSPICIOUS (a) On Table - not_confirmed",
        "   year.off: recorded as 2001, cited as 2002",
        "   note title.spelling: a letter",
        *[f"   similar title: {LINE}"] * results.MAX_WORKS,
        "   no answer from dblp: timed out",
        "   asked bibliographic_database: 1 record; it holds nothing better",
        "   not asked crossref: answered before",
        results.MEANINGS[Status.SUSPICIOUS],
    ]


def test_run_text_explains_each_status_but_valid_once() -> None:
    valid = Verdict(CITED, Status.VALID, "record_agrees", 1.0, best_match=Candidate(WORK, 1.0))
    verdicts = (valid, VERDICT, VERDICT)
    run = Run({}, ("a note",), verdicts, Statistics.of(verdicts, 0))
    lines = results.run_text(run, "citeproof://runs/1").splitlines()
    assert f"   agrees with {LINE}" in lines
    assert lines[1].startswith("1. VALID (a) On Table")
    assert lines[-3:] == [
        results.MEANINGS[Status.SUSPICIOUS],
        "Note: a note",
        "Whole report: citeproof://runs/1",
    ]
    assert results.MEANINGS[Status.VALID] not in lines
    assert sum(line.startswith("3. SUSPICIOUS") for line in lines) == 1


def test_verification_shortens_the_works_of_each_result() -> None:
    whole = results.verification(
        Run({}, (), (VERDICT,), Statistics.of((VERDICT,), 0)), "citeproof://runs/1"
    )
    (result,) = whole["results"]
    assert len(result["meant"]) == results.MAX_WORKS
    assert result["cited"] == "On Table"
    assert set(result["evidence"][0]) == {"source", "outcome", "detail", "records", "complete"}
    assert "chance" not in result


def test_works_text_names_what_differs_from_the_question() -> None:
    assert results.works_text([MEANT], VERDICT).splitlines() == [
        f"1. {LINE}",
        "   year: recorded 2001, asked 2002",
        "   doi: recorded nothing, asked 10.1/y",
    ]
    none, *asked = results.works_text([], VERDICT).splitlines()
    assert none == "No work was found that fits the description."
    assert len(asked) == 2


def test_lookup_text_says_how_a_title_was_found_or_why_not() -> None:
    best = Candidate(WORK, 1.0)
    assert results.lookup_text(replace(LOOKUP, candidates=(best,))) == f"Found: {LINE}"
    two = replace(LOOKUP, query="On Chairs", candidates=(best, best))
    assert results.lookup_text(two) == f"Near, with other words in the title and 1 more: {LINE}"
    by_doi = replace(LOOKUP, related=(replace(best, match=MatchKind.DOI),) * 5)
    assert (
        results.lookup_text(by_doi).splitlines()
        == [f"Has this identifier: {LINE}"] * results.MAX_WORKS
    )
    missed = replace(
        LOOKUP,
        related=(replace(best, match=MatchKind.SAME_WORDS),),
        nearest=replace(best, similarity=0.61),
    )
    assert results.lookup_text(missed).splitlines() == [
        "Not found: no title in this database is like it.",
        f"The same words in another order: {LINE}",
        f"Nearest title (61% alike): {LINE}",
    ]
    cut = replace(LOOKUP, complete=False)
    assert results.lookup_text(cut) == "Not found: the search was cut: this proves nothing."


def test_lookup_result_lists_a_few_records_and_counts_all() -> None:
    found = replace(LOOKUP, candidates=(Candidate(WORK, 1.0),) * 9)
    answer = results.lookup_result(found)
    assert (len(answer["others"]), answer["total"]) == (results.MAX_OTHERS, 9)
    assert "others" not in results.lookup_result(LOOKUP)


def test_with_account_finds_the_lines_that_no_entry_has() -> None:
    entry = Reference("a", title="On Tables", raw="@misc{a,\n title={On Tables}}")
    text = "My list:\n\n@misc{a,\n title={On  Tables}}\n---\nThanks!\n"
    account = results.with_account(text, Bibliography((entry,))).account
    assert account is not None
    assert [(line.line, line.text) for line in account.unread] == [(1, "My list:"), (6, "Thanks!")]
    kept = Account("", 1, 2, ())
    bibliography = Bibliography((entry,), account=kept)
    assert results.with_account(text, bibliography) is bibliography


def test_account_text_lists_entries_doubts_and_what_could_not_be_read() -> None:
    broken = Diagnostic(Place("", 9), "bibtex.unclosed", "is never closed")
    read = replace(CITED, and_others=True, doubts=("the title may end early",), place=Place("", 3))
    lines = results.account_text(Bibliography((read, broken, Reference("", raw="?")))).splitlines()
    assert lines[0] == "3 entries"
    assert lines[1] == (
        "1. line 3: authors: Ada Almgren; Bo Berg and others, title: On Table, year: 2002"
    )
    assert lines[2] == "   may have been read wrongly: the title may end early"
    assert lines[3].startswith("2. could not be read: ")
    assert lines[4].endswith("no field was recognised")


def test_cited_is_the_title_else_the_start_of_the_text() -> None:
    assert results.cited(VERDICT) == "On Table"
    untitled = replace(VERDICT, reference=Reference("", raw=f"one\n  two {'x' * 90}"))
    assert results.cited(untitled) == f"one two {'x' * 72}"
