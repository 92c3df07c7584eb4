"""What was read from running text: a difference counts only where the text itself contradicts the
record.
"""

from dataclasses import replace
from datetime import date

import pytest

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record, Volume
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Status
from citeproof.readers.strings.reference import reference_of_string
from citeproof.verification.validator import Validator

RECORD = Record(
    key="conf/demo/AlmaB20",
    title="Counting Sheep with Sparse Attention Networks",
    authors=("Ada Alma", "Bo Berg", "Cy Chenberg"),
    year=2020,
    venue="DEMO",
    doi="10.1145/demo.2020.1",
    source="dblp",
)
TEXT = (
    'A. Alma, B. Berg, and C. Chenberg, "Counting sheep with sparse attention networks," in DEMO,'
    " 2020."
)
READ = Reference(
    key="1",
    title=RECORD.title,
    authors=RECORD.authors,
    year=2020,
    venue="DEMO",
    raw=TEXT,
    from_text=True,
)
ANSWERED = Inquiry("bibliographic database", Outcome.ANSWERED, complete=True)
VALIDATOR = Validator(today=lambda: date(2026, 11, 20))


def decided(
    reference: Reference, *records: Record, match: MatchKind = MatchKind.TITLE
) -> tuple[Status, str, list[str]]:
    found = Findings(tuple(Candidate(record, 1.0, match) for record in records), (ANSWERED,))
    verdict = VALIDATOR.decide(reference, found)
    return verdict.status, verdict.reason, [issue.code for issue in verdict.issues]


SUSPECT = (Status.UNVERIFIED, "parse_suspect", ["reading.unclear"])


@pytest.mark.parametrize(
    ("misread", "code"),
    [
        ({"year": 2016, "raw": TEXT + " Accessed 2016."}, "year.off"),
        ({"authors": ("A. Alma",)}, "authors.dropped"),
        ({"authors": ("A. Alma", "B. Berg", "Counting Q.")}, "authors.not_on_record"),
        ({"authors": ("Networks, X.", "Sparse, Y.")}, "authors.other_people"),
        ({"authors": ("A. Alma", "B. Berg", "Q. Chenberg Berg")}, "authors.given_name"),
        ({"year": 2030, "raw": TEXT + " Room 2030."}, "year.future"),
    ],
)
def test_as_read_what_the_text_says_otherwise_is_a_question(
    misread: dict[str, object], code: str
) -> None:
    as_field = replace(READ, from_text=False, **misread)  # type: ignore[arg-type]
    assert decided(as_field, RECORD)[2] == [code]
    assert decided(replace(as_field, from_text=True), RECORD) == SUSPECT


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({"year": 2016, "raw": TEXT.replace("2020", "2016")}, Status.SUSPICIOUS, "year.off"),
        (
            {
                "authors": ("A. Alma", "B. Berg", "Q. Quux"),
                "raw": TEXT.replace("C. Chenberg", "Q. Quux"),
            },
            Status.SUSPICIOUS,
            "authors.not_on_record",
        ),
        (
            {
                "authors": ("P. Prax", "Q. Quux"),
                "raw": TEXT.replace("A. Alma, B. Berg, and C. Chenberg", "P. Prax, Q. Quux"),
            },
            Status.SUSPICIOUS,
            "authors.other_people",
        ),
        ({"year": 2030, "raw": TEXT.replace("2020", "2030")}, Status.INVALID, "year.future"),
    ],
)
def test_as_read_what_the_text_says_counts(
    said: dict[str, object], status: Status, code: str
) -> None:
    found_status, _, codes = decided(replace(READ, **said), RECORD)  # type: ignore[arg-type]
    assert (found_status, codes) == (status, [code])


def test_as_read_a_title_in_doubt_leads_to_nobodys_accusation() -> None:
    text = "P. Prax. Counting sheep. With sparse attention networks. Grass Press"
    cut = replace(READ, authors=("P. Prax",), year=None, raw=text)
    assert decided(cut, RECORD)[0] is Status.SUSPICIOUS
    assert decided(replace(cut, doubts=("its title may begin or end elsewhere",)), RECORD) == (
        Status.UNVERIFIED,
        "parse_suspect",
        ["reading.unclear", "reading.doubtful"],
    )


def test_as_read_a_doubtful_entry_that_a_record_confirms_is_valid() -> None:
    assert decided(replace(READ, doubts=("there is no year",)), RECORD)[0] is Status.VALID


def test_as_read_an_identifier_behind_a_link_contradicts_nothing() -> None:
    stranger = Record("conf/demo/Other19", "Herding Cats", ("Di Dorn",), 2019, doi="10.1145/12")
    found = Findings(
        (Candidate(RECORD, 1.0), Candidate(stranger, 0.1, MatchKind.DOI)),
        (ANSWERED,),
    )
    behind = replace(READ, doi="10.1145/12", linked=True)
    assert VALIDATOR.decide(behind, found).status is Status.VALID
    assert VALIDATOR.decide(replace(behind, linked=False), found).reason == "parse_suspect"


def test_as_read_an_identifier_that_a_line_broke_is_a_question() -> None:
    stranger = Record(
        "conf/demo/Other19", "Herding Cats by Descent", ("Di Dorn",), 2019, "DEMO", doi="10.1145/12"
    )
    whole = replace(READ, doi="10.1145/12", raw=TEXT + " doi:10.1145/12")
    found = Findings(
        (Candidate(RECORD, 1.0), Candidate(stranger, 0.1, MatchKind.DOI)),
        (ANSWERED,),
    )
    assert "doi.other_work" in [issue.code for issue in VALIDATOR.decide(whole, found).issues]
    broken = VALIDATOR.decide(replace(whole, raw=TEXT + " doi:10.1145/12 345.6"), found)
    assert broken.reason == "parse_suspect"
    assert not any(issue.severity is Severity.ISSUE for issue in broken.issues)


DOUBTFUL = [
    "Lee A. " + "Words that go on and on without an end in sight, " * 8 + "2001.",
    "Lee, A. The growth of sheep in a world of grass and other things.",
]


@pytest.mark.parametrize("text", DOUBTFUL)
def test_as_read_a_doubtful_entry_that_nobody_knows_is_never_absent(text: str) -> None:
    volume = Volume("conf/demo/2001", "conf/demo", 2001, 900, 1.0, "pages")
    reference = reference_of_string(text)
    assert reference.doubts
    verdict = VALIDATOR.decide(reference, Findings((), (ANSWERED,), (volume,)))
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, "parse_suspect")
    assert [issue.code for issue in verdict.issues] == ["reading.doubtful"]
    assert verdict.reference.raw == text


@pytest.mark.parametrize(
    "raw",
    [
        f"{RECORD.title}. Lena Stone and Max Field. DEMO, 2020.",
        f"{RECORD.title} (L. Stone, M. Field, DEMO 2020)",
        f"{RECORD.title}, Stone et al. DEMO 2020.",
    ],
)
def test_as_read_no_reading_without_people_is_valid_where_the_text_names_others(raw: str) -> None:
    unread = replace(READ, authors=(), raw=raw)
    assert decided(unread, RECORD) == SUSPECT
    own = raw.replace("Stone", "Alma").replace("Lena", "Ada").replace("L. ", "A. ")
    assert decided(replace(unread, raw=own), RECORD)[0] is Status.VALID


def test_as_read_a_title_alone_is_valid_where_the_text_names_nobody() -> None:
    alone = replace(READ, authors=(), raw=f"{RECORD.title}. DEMO, 2020.")
    assert decided(alone, RECORD)[0] is Status.VALID


@pytest.mark.parametrize(
    ("name", "before", "stays"),
    [
        ("Cy Chenberg", "A. Alma, B.Bergand C.Chenbergs", False),  # lost spaces
        ("Cy Berge", "A. Alma, B. Bergerac, and C. Chenberg", False),
        ("Cy Berga", "A. Alma, B. Bergamo, and C. Chenberg", False),
        ("Cy Cho", "A. Alma, B. Berg, and C. Chocolat", True),  # too short to be no chance
        ("Cy Chen", "A. Alma, B. Berg, and C. Chenberg", True),
    ],
)
def test_as_read_a_long_name_may_be_in_a_text_that_has_lost_its_spaces(
    name: str, before: str, *, stays: bool
) -> None:
    record = replace(RECORD, authors=(name,), doi="")
    read = replace(
        READ,
        authors=("P. Prax", "Q. Quux"),
        raw=TEXT.replace("A. Alma, B. Berg, and C. Chenberg", before),
    )
    assert (decided(read, record)[2] == ["authors.other_people"]) is stays


def test_as_read_a_title_without_the_letters_that_a_pdf_lost_is_the_recorded_one() -> None:
    record = replace(RECORD, title="Efficient Fluid Filters for Sheep")
    cut = replace(READ, title="Ecient Uid Lters for Sheep", raw=TEXT.replace("sheep", "goats"))
    assert decided(cut, record)[2] == ["reading.unclear"]
    other = replace(cut, title="Ecient Uid Meters for Sheep")
    assert decided(other, record)[2] != ["reading.unclear"]


@pytest.mark.parametrize(("said", "doubted"), [("2026", True), ("2027", False), ("2029", False)])
def test_as_read_a_future_year_is_doubted_where_the_text_has_one_up_to_today(
    said: str, *, doubted: bool
) -> None:
    late = replace(READ, year=2030, raw=TEXT.replace("2020", f"2030 ({said})"))
    assert ("reading.unclear" in decided(late, RECORD)[2]) is doubted


def test_as_read_names_that_were_not_read_are_no_matter_of_a_work_that_was_not_found() -> None:
    unread = replace(READ, authors=(), raw=f"{RECORD.title} (L. Stone, M. Field, DEMO 2020)")
    assert decided(unread) == (Status.UNVERIFIED, "title_not_found", [])
