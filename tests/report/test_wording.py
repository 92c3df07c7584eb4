"""What several reports say in the same words."""

from dataclasses import replace

import pytest

from citeproof.model.findings import Inquiry, NearestWork, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, OutgoingRequests, Status, Verdict
from citeproof.report.wording import (
    found_otherwise,
    listing,
    notice_link,
    record_link,
    records_line,
    sent_line,
    shown_key,
    tells_issues,
)

WORK = Record("k", "On Tables", url="https://x.example", retraction="https://doi.org/10.1/r")


@pytest.mark.parametrize(
    ("record", "link"),
    [
        (WORK, "https://x.example"),
        (
            Record("k", "T", arxiv_id="1706.03762", url="https://x.example"),
            "https://arxiv.org/abs/1706.03762",
        ),
        (Record("k", "T", doi="10.1/x", arxiv_id="1706.03762"), "https://doi.org/10.1/x"),
        (Record("k", "T"), ""),
    ],
)
def test_record_link_a_work_is_seen_at_its_doi_else_at_arxiv_else_where_its_source_says(
    record: Record, link: str
) -> None:
    assert record_link(record) == link


def test_notice_link_a_flag_links_to_its_notice() -> None:
    verdict = Verdict(Reference("r"), Status.VALID, "", 1.0, best_match=Candidate(WORK, 1.0))
    assert notice_link(verdict, "retracted") == "https://doi.org/10.1/r"
    assert notice_link(verdict, "expression_of_concern") == ""
    assert notice_link(Verdict(Reference("r"), Status.ERROR, "", 1.0), "retracted") == ""


def test_records_line_a_miss_of_a_title_is_said_to_be_one_and_other_roads_are_named() -> None:
    missed = Inquiry(
        "bibliographic_database", Outcome.ANSWERED, method="indexed", index="title_index"
    )
    assert records_line(missed) == "no record of this title"
    assert records_line(Inquiry("crossref", Outcome.ANSWERED)) == "no record"
    assert records_line(replace(missed, records=1)) == "1 record"
    assert records_line(replace(missed, records=1200)) == "1,200 records"
    found = [
        (MatchKind.TITLE,),
        (MatchKind.AUTHORS,),
        (MatchKind.AUTHORS, MatchKind.NEARBY),
        (MatchKind.DOI,),
    ]
    meant = tuple(NearestWork(Candidate(WORK, 0.5), roads, ()) for roads in found)
    verdict = Verdict(Reference("r"), Status.INVALID, "", 1.0, meant=meant, evidence=(missed,))
    assert found_otherwise(verdict) == "2 by the cited authors, 1 by the DOI"
    assert found_otherwise(replace(verdict, meant=meant[:1])) == ""


def test_sent_line_what_a_host_was_sent() -> None:
    assert (
        sent_line(OutgoingRequests("dblp.org", 2, ("authors", "title")))
        == "authors, title to dblp.org (2 requests)"
    )
    assert sent_line(OutgoingRequests("localhost", 1, ())) == "nothing to localhost (1 request)"


def test_shown_key_a_key_that_is_a_number_is_shown_in_brackets() -> None:
    assert [shown_key(Reference(key)) for key in ("knuth97", "21", "")] == ["knuth97", "[21]", ""]


def test_listing_names_a_work_of_the_cited_volume_that_may_be_meant() -> None:
    note = Issue("volume.renamed", Severity.NOTE, "OSDI 2004", "Counting on Clusters", "")
    reference = Reference("r", title="Counting")
    missed = Verdict(reference, Status.UNVERIFIED, "title_not_found", 0.5, issues=(note,))
    assert listing(missed) == (
        "Counting; the work may have been renamed: OSDI 2004 has “Counting on Clusters” by the"
        " same authors"
    )
    assert tells_issues(missed)
    note = replace(note, code="volume.companion_not_held", recorded="")
    assert listing(replace(missed, issues=(note,))) == (
        "Counting; no paper of OSDI 2004 has this title, and the workshops of that year are not in"
        " the database"
    )
    plain = replace(missed, issues=())
    assert (listing(plain), tells_issues(plain)) == ("Counting", False)


def test_listing_says_once_that_another_version_may_be_meant() -> None:
    notes = tuple(
        Issue("version.differs", Severity.NOTE, "", "", f"{said}; another version may be cited")
        for said in ("not among the recorded authors: Bengio", "the year does not agree")
    )
    left = Verdict(Reference("r"), Status.UNVERIFIED, "not_confirmed", 0.5, issues=notes)
    assert listing(left) == (
        "not among the recorded authors: Bengio; the year does not agree; another version may be"
        " cited"
    )
