"""All about every reference, as ``-v`` shows it."""

import io
import re
from dataclasses import replace

import pytest

from citeproof.model.findings import Inquiry, Outcome
from citeproof.model.reference import Extraction, Reference, Severity
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.formats.table import render
from citeproof.report.overview import Detail, View

FULL = View(Detail.FULL)


@pytest.fixture
def text(run: Run) -> str:
    out = io.StringIO()
    render(run, out, FULL)
    return out.getvalue()


def test_every_verdict_has_its_status_key_place_and_reason(text: str) -> None:
    assert re.search(r"✓ VALID, 1 note +good  refs\.bib:1\n +confirmed, confidence 0\.99", text)
    assert re.search(r"! SUSPICIOUS +doubt  refs\.bib:9\n +metadata_mismatch", text)
    assert re.search(r"\? UNVERIFIED +\(no key\)  refs\.bib:25\n +title_not_found", text)


def test_an_issue_shows_both_values_with_the_differing_words_marked(text: str) -> None:
    assert "title.word_changed  One word differs." in text
    assert re.search(r"cited +Attention \[was\] all you need", text)
    assert re.search(r"recorded +Attention \[is\] All you Need", text)


@pytest.mark.parametrize(
    ("cited", "recorded", "shown_cited", "shown_recorded"),
    [
        ("a b c d", "a x y c d", "a [b] c d", "a [x y] c d"),
        ("one two three", "four five six", "one two three", "four five six"),
        ("a", "a b c", "a", "a b c"),
        ("a b c d", "a x y z d", "a b c d", "a x y z d"),
        ("a b c", "", "a b c", "(none)"),
    ],
)
def test_render_runs_that_differ_are_marked_unless_most_does(
    cited: str, recorded: str, shown_cited: str, shown_recorded: str
) -> None:
    issue = Issue("title.word_changed", Severity.ISSUE, cited, recorded, "It differs.")
    verdict = Verdict(Reference("k"), Status.SUSPICIOUS, "because", 1.0, (issue,))
    out = io.StringIO()
    render(Run({}, (), (verdict,), Statistics.of((verdict,), 1.0)), out, FULL)
    assert f"cited     {shown_cited}\n" in out.getvalue()
    assert f"recorded  {shown_recorded}\n" in out.getvalue()


def test_render_a_search_that_was_cut_is_said_once() -> None:
    cut = Inquiry(
        "bibliographic_database", Outcome.ANSWERED, "the search was cut", method="indexed"
    )
    verdict = Verdict(
        Reference("k"), Status.UNVERIFIED, "title_not_found", 1.0, evidence=(cut, cut)
    )
    out = io.StringIO()
    render(Run({}, (), (verdict,), Statistics.of((verdict,), 1.0)), out, FULL)
    assert out.getvalue().count("    the search was cut\n") == 1


def test_values_that_share_no_word_need_no_marks(text: str) -> None:
    assert re.search(r"cited +2011\n", text)


def test_a_failed_source_a_flag_and_a_nearest_work_are_named(text: str) -> None:
    assert "no answer from crossref\n" in text
    assert "flag: retracted" in text
    assert "nearest: Attention is not all you need" in text
    assert text.count("nearest:") == 1


def test_the_work_that_was_meant_says_what_agrees(text: str) -> None:
    assert "    meant: Attention [is] All you Need\n" in text
    assert "agrees: authors; in part: title; differs: year; not comparable: venue\n" in text
    assert text.count("Attention [is] All you Need") == 2, "once with the issue, once with the work"


def test_render_two_values_that_the_explanation_names_are_not_repeated() -> None:
    issue = Issue("year.off", Severity.ISSUE, "1988", "1984", "cited 1988, recorded 1984")
    verdict = Verdict(Reference("k"), Status.SUSPICIOUS, "because", 1.0, (issue,))
    out = io.StringIO()
    render(Run({}, (), (verdict,), Statistics.of((verdict,), 1.0)), out, FULL)
    assert out.getvalue().count("1984") == 1


def test_statistics_close_the_report(text: str) -> None:
    assert "5 entries:" in text
    assert re.search(r"decided by +bibliographic_database 3, cache 1, api 1", text)
    assert re.search(r"failures +crossref 1: timed out after 10 s\n", text)


def test_it_fits_eighty_columns(text: str) -> None:
    assert max(map(len, text.splitlines())) <= 80


def test_render_a_suspect_reading_is_shown_as_it_stands_with_what_is_doubted(run: Run) -> None:
    read = Reference("7", title="On", raw="A. Lee. On sheep: and more. 2001", from_text=True)
    issue = Issue(
        "reading.doubtful", Severity.NOTE, "", "", "may have been read wrongly: there is no year"
    )
    verdict = Verdict(read, Status.UNVERIFIED, "parse_suspect", 0.5, (issue,))
    out = io.StringIO()
    render(replace(run, verdicts=(verdict,)), out, FULL)
    assert "cited text: A. Lee. On sheep: and more. 2001" in out.getvalue()
    assert "may have been read wrongly: there is no year" in out.getvalue()


@pytest.mark.parametrize(("uncited", "said"), [(3, ", 3 uncited"), (None, "")])
def test_render_every_paper_has_a_line_about_its_list_and_a_wrong_list_is_said_loudly(
    run: Run, uncited: int | None, said: str
) -> None:
    right = Extraction("a.pdf", 20, 20, 1, uncited)
    wrong = Extraction(
        "b.pdf", 2, 40, 0, None, "38 of its 40 entries were not found; look at the list itself"
    )
    out = io.StringIO()
    render(replace(run, extractions=(right, wrong)), out, FULL)
    lines = out.getvalue().splitlines()
    assert f"a.pdf: 20 entries found, 20 expected, 1 doubtful{said}" in lines
    assert "b.pdf: 2 entries found, 40 expected, 0 doubtful" in lines
    assert "THE LIST LOOKS WRONGLY READ: 38 of its 40 entries were not found" in out.getvalue()


def test_what_claims_nothing_states_no_confidence(text: str) -> None:
    assert re.search(r"title_not_found\n", text)
    assert re.search(r"source_failed\n", text)
