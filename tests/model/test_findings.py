from citeproof.model.findings import (
    Agreement,
    Coverage,
    FieldComparison,
    Findings,
    Inquiry,
    NearestWork,
    Outcome,
)
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference

RECORD = Record("k", "On Sheep", ("Ann Alma",), 2021)
CANDIDATE = Candidate(RECORD, 1.0)
ASKED = Inquiry("dblp", Outcome.ANSWERED, records=1)


def test_findings_add_up_in_order() -> None:
    other = Candidate(Record("l", "On Goats"), 0.9)
    first = Findings((CANDIDATE,), (ASKED,), unknown_identifiers=("10.1/x",), local=1)
    both = first + Findings((other,), title_counts=(("sheep", 3),))
    assert both.candidates == (CANDIDATE, other)
    assert (both.inquiries, both.unknown_identifiers) == ((ASKED,), ("10.1/x",))
    assert (both.title_counts, both.local) == ((("sheep", 3),), 1)
    assert first + Findings() == Findings() + first == first


def test_findings_add_the_later_parse_and_coverage_and_any_failed_parse() -> None:
    early, late = Reference("a", "Early"), Reference("a", "Late")
    books, articles = Coverage("books", ()), Coverage("articles", ("crossref",))
    one = Findings(reparsed=early, coverage=books, unread=True)
    both = one + Findings(reparsed=late, coverage=articles)
    assert (both.reparsed, both.coverage, both.unread) == (late, articles, True)
    assert one + Findings() == one


def test_nearest_work_names_the_fields_of_an_agreement() -> None:
    title = FieldComparison("title", Agreement.SAME, "On Sheep", "On Sheep")
    year = FieldComparison("year", Agreement.DIFFERENT, "2020", "2021")
    work = NearestWork(CANDIDATE, (MatchKind.TITLE,), (title, year))
    assert work.record is RECORD
    assert work.compared("year") is year
    assert work.compared("doi") is None
    assert work.fields_that(Agreement.DIFFERENT, Agreement.PARTLY) == ("year",)
    assert work.fields_that(Agreement.SAME, Agreement.DIFFERENT) == ("title", "year")
