"""Corrections written into an entry: whole, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citeproof.fix.correction import plan_correction, why_left
from citeproof.model.record import Record, Volume
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from tests.fix.works import OF_REGISTRAR, PAPER, judged
from tests.verification.validation.conferences import HELD

HELD_GOATS = replace(HELD, key="conf/cog/2020", year=2020)
ENTRY = """@InProceedings{a,
  Author = "A. Alma and B. Berg",
  Title = "The patience of sheep in winter pastures",
  BookTitle = "COG",
  Year = 2020
}"""


def corrected(text: str, *records: Record, volumes: tuple[Volume, ...] = ()) -> str:
    document = Document.of_text(text, "refs.bib")
    (reference,) = bibtex.read(document).references
    verdict, case = judged(reference, *records, volumes=volumes)
    plan = plan_correction(reference, verdict, case, text, ascii_only=True)
    return document.edited(sorted(plan.edits)).text if plan else text


def why(code: str, text: str, *records: Record) -> str:
    (reference,) = bibtex.read(Document.of_text(text, "refs.bib")).references
    verdict, case = judged(reference, *records)
    assert code in {issue.code for issue in verdict.issues}
    return why_left(code, reference, verdict, case, text)


def test_plan_correction_writes_venue_and_year_of_one_record() -> None:
    assert corrected(ENTRY, PAPER, volumes=(HELD_GOATS,)) == ENTRY.replace("COG", "ICS").replace(
        "2020", "2021"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Year = 2020", "Date = {2020-06}"),
        ("Year = 2020", "Series = {Goats},\n  Year = 2020"),
        ("Year = 2020", "BookSubtitle = {Goats},\n  Year = 2020"),
        ("Year = 2020", "Volume = 80,\n  Year = 2020"),
        ("InProceedings", "Article"),
        ("InProceedings", "misc"),
    ],
)
def test_plan_correction_writes_nothing_of_a_publication_that_it_cannot_write_whole(
    old: str, new: str
) -> None:
    text = ENTRY.replace(old, new)
    assert text != ENTRY
    assert corrected(text, PAPER, volumes=(HELD_GOATS,)) == text


def test_plan_correction_keeps_the_style_of_the_entry() -> None:
    text = ENTRY.replace("winter", "summer").replace("COG", "ICS").replace("2020", "2021")
    assert corrected(text, PAPER, OF_REGISTRAR) == text.replace("summer", "winter")
    text = text.replace("summer", "winter").replace("B. Berg", "C. Cole")
    assert corrected(text, PAPER, OF_REGISTRAR) == text.replace("C. Cole", "B. Berg")


def test_plan_correction_replaces_a_doi_in_all_fields() -> None:
    text = ENTRY.replace("COG", "ICS").replace(
        "Year = 2020",
        "Year = 2021, doi = {1000/ics_20}, url = {https://doi.org/1000/ics_20}",
    )
    right = replace(PAPER, doi="10.1000/ics_21")
    found = corrected(text, right)
    assert found == text.replace("1000/ics_20", "10.1000/ics_21")


def test_why_left_shows_what_the_record_says() -> None:
    text = ENTRY.replace("winter", "summer").replace("COG", "ICS").replace("2020", "2021")
    assert why("title.word_changed", text, PAPER) == (
        f"only one record says so; perhaps: {PAPER.title}"
    )
    assert why("venue.twice", ENTRY, PAPER) == (
        "another version of the work may be cited; perhaps: ICS 2021, pages 11-19, DOI"
        " 10.1000/ics.21"
    )


def test_why_left_says_that_a_field_has_no_form_that_can_be_changed() -> None:
    text = ENTRY.replace("COG", "ICS").replace("Year = 2020", "Date = {2011-06}")
    assert why("year.off", text, PAPER).startswith("the entry does not state the value in a form")


def test_why_left_suggests_nothing_if_the_work_is_not_identified() -> None:
    text = ENTRY.replace("COG", "ICS").replace("B. Berg", "C. Cole").replace("2020", "2011")
    found = why("year.off", text, PAPER)
    assert found == "the rest of the entry does not identify the work with certainty"
