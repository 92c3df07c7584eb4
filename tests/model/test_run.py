"""The sum of a run and its exit code."""

from dataclasses import replace

import pytest

from citeproof.model.findings import Inquiry, Outcome
from citeproof.model.reference import Extraction, Place, Reference
from citeproof.model.run import Ending, Run, Statistics, Tally
from citeproof.model.verdict import Acceptance, Lapse, Status, Verdict


def run(*statuses: Status) -> Run:
    hit = Inquiry("cache", Outcome.ANSWERED, records=1, from_cache=True)
    verdicts = tuple(
        Verdict(Reference(""), status, "", 1.0, evidence=(hit,), decided_by="cache")
        for status in statuses
    )
    return Run({}, (), verdicts, Statistics.of(verdicts, 2.0))


def test_run_every_status_is_counted_and_they_add_up() -> None:
    statistics = run(Status.VALID, Status.VALID, Status.ERROR).statistics
    assert statistics.by_status == {
        "VALID": 2,
        "SUSPICIOUS": 0,
        "INVALID": 0,
        "UNVERIFIED": 0,
        "ERROR": 1,
    }
    assert (statistics.entries, statistics.cache_hits, statistics.per_second) == (3, 3, 1.5)


def test_an_answer_of_the_cache_without_a_record_is_no_hit() -> None:
    nothing = Inquiry("crossref", Outcome.ANSWERED, records=0, from_cache=True)
    verdict = Verdict(Reference(""), Status.UNVERIFIED, "", 1.0, evidence=(nothing,))
    assert Statistics.of((verdict,), 1.0).cache_hits == 0


@pytest.mark.parametrize(
    ("statuses", "fail_on", "code"),
    [
        ((), (Status.INVALID,), 0),
        ((Status.VALID, Status.SUSPICIOUS), (Status.INVALID,), 0),
        ((Status.VALID, Status.SUSPICIOUS), (Status.SUSPICIOUS, Status.INVALID), 1),
        ((Status.INVALID,), (), 0),
        ((Status.INVALID, Status.ERROR), (Status.INVALID, Status.ERROR), 3),
        ((Status.INVALID, Status.ERROR), (Status.INVALID,), 1),
        ((Status.ERROR,), (Status.ERROR,), 3),
        ((Status.ERROR,), (), 0),
    ],
)
def test_exit_code(statuses: tuple[Status, ...], fail_on: tuple[Status, ...], code: int) -> None:
    assert run(*statuses).exit_code(fail_on) == code


def test_exit_code_what_a_person_has_accepted_does_not_count() -> None:
    def found(status: Status, lapsed: Lapse | None) -> Run:
        verdict = Verdict(
            Reference("k"),
            status,
            "",
            1.0,
            acceptance=Acceptance("read it", "2026-11-22", "", lapsed),
        )
        return Run({}, (), (verdict,), Statistics.of((verdict,), 1.0))

    assert found(Status.INVALID, None).statistics.accepted == {"INVALID": 1}
    assert found(Status.INVALID, None).statistics.by_status["INVALID"] == 1, "a fact stays a fact"
    assert found(Status.INVALID, None).exit_code((Status.INVALID,)) == 0
    assert found(Status.ERROR, None).exit_code((Status.ERROR,)) == 0
    assert found(Status.INVALID, Lapse.CHANGED).exit_code((Status.INVALID,)) == 1


def test_statistics_of_two_runs_add_up() -> None:
    one, other = run(Status.VALID, Status.ERROR).statistics, run(Status.VALID).statistics
    both = one + replace(other, failures={"dblp": 2})
    assert both.by_status == {
        "VALID": 2,
        "SUSPICIOUS": 0,
        "INVALID": 0,
        "UNVERIFIED": 0,
        "ERROR": 1,
    }
    assert (both.entries, both.cache_hits, both.seconds) == (3, 3, 4.0)
    assert (both.by_strategy, both.failures) == ({"cache": 3}, {"dblp": 2})
    assert one.by_status["VALID"] == 1, "a sum leaves its parts as they are"


def test_exit_code_a_run_that_was_stopped_or_failed_does_not_pass_as_clean() -> None:
    clean = run(Status.VALID)
    assert clean.exit_code(()) == 0
    assert replace(clean, ending=Ending.INTERRUPTED).exit_code(()) == 130
    assert replace(clean, ending=Ending.FAILED).exit_code(()) == 3


@pytest.mark.parametrize(
    ("found", "expected", "fault", "code"),
    [(9, 40, "31 were not found", 3), (39, 40, "", 0), (40, 40, "no titles", 3)],
)
def test_exit_code_of_a_list_that_looks_wrongly_read(
    found: int, expected: int, fault: str, code: int
) -> None:
    extraction = Extraction("a.pdf", found, expected, 0, None, fault)
    one = replace(run(Status.VALID), extractions=(extraction,))
    assert one.exit_code() == code
    assert one.exit_code((Status.INVALID,)) == 0


def test_run_the_papers_of_a_run_are_all_its_verdicts_by_the_paper_that_cites_them() -> None:
    places = (
        Place("refs.bib", 1, paper="main.tex"),
        Place("b.bib", 1),
        Place("refs.bib", 9, paper="main.tex"),
    )
    verdicts = tuple(Verdict(Reference("", place=place), Status.VALID, "", 1.0) for place in places)
    made = Run({}, (), verdicts, Statistics.of(verdicts, 0.0))
    assert [
        (paper.name, len(paper.verdicts), paper.by_status["VALID"]) for paper in made.papers
    ] == [
        ("main.tex", 2, 2),
        ("b.bib", 1, 1),
    ]


def test_repr_html_a_notebook_shows_a_row_for_each_entry_and_no_markup_of_the_input() -> None:
    reference = Reference("k", title="<script>alert(1)</script>")
    verdicts = (Verdict(reference, Status.UNVERIFIED, "title_not_found", 0.5),)
    shown = Run({}, (), verdicts, Statistics.of(verdicts, 0.1))._repr_html_()
    assert "<td>UNVERIFIED</td><td>&lt;script&gt;alert(1)&lt;/script&gt;</td>" in shown
    assert shown.count("<tr>") == 2


def test_brief_names_each_source_that_failed_once_with_its_reasons() -> None:
    down = "no connection: dblp.org: connection refused"
    failed = [
        ("dblp", down),
        ("dblp", f"{down} (not asked after repeated failures)"),
        ("arxiv", "timed out: export.arxiv.org stopped responding"),
        ("arxiv", "rate limited: HTTP status 429"),
        ("cache", ""),
    ]
    verdicts = [
        Verdict(
            Reference(""), Status.ERROR, "", 1.0, evidence=(Inquiry(source, Outcome.FAILED, why),)
        )
        for source, why in failed
    ]
    assert Tally.of(verdicts).brief().failures == (
        f"dblp 2: {down}",
        "arxiv 2: timed out: export.arxiv.org stopped responding",
        "arxiv 2: rate limited: HTTP status 429",
        "cache 1",
    )
    assert Tally.of([Verdict(Reference(""), Status.VALID, "", 1.0)]).brief().failures == ()
