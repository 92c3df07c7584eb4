"""A text that reads in several ways is read as a record confirms it, and as none other."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.database.matches import contained_titles
from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import FLAGGED, Status, Verdict
from citeproof.readers.strings.reference import likely_readings, reference_of_string
from citeproof.text.normalize import normalize_title
from citeproof.verification.pipeline import Pipeline, Strategy
from citeproof.verification.strategies.readings import ReadingsStrategy
from citeproof.verification.validator import Validator

INSECT = Record(
    "j/nrg/Schneider00",
    "Using Drosophila as a model insect",
    ("David Schneider",),
    2000,
    "Nat. Rev. Genet.",
    doi="10.1038/35042082",
    source="dblp",
)
SHEEP = Record(
    "c/s/1", "Sheep of Wales and beyond", ("Ada Alma", "Bo Berg"), 2001, "Gen. Rev.", source="dblp"
)
CUT = Record("c/s/2", "The Growth of Sheep Herds", ("Cy Chen",), 1990, "Sheep", source="dblp")
NOBODYS = Record("c/s/3", "The Hills of Sheep and Grass", (), 1990, "Sheep", source="dblp")
KNOWN = (INSECT, SHEEP, CUT, NOBODYS)


@dataclass
class Library(Strategy):
    """A link that knows works by their exact title, and by their DOI."""

    name: str = "bibliographic_database"

    def search(self, reference: Reference) -> Findings:
        title = normalize_title(reference.title)
        found = [Candidate(known, 1.0) for known in KNOWN if normalize_title(known.title) == title]
        found += [
            Candidate(known, 0.5, MatchKind.DOI)
            for known in KNOWN
            if known.doi and known.doi == reference.doi
        ]
        return Findings(tuple(found), (Inquiry(self.name, Outcome.ANSWERED),))

    def records_within(self, text: str, shortest: int, most: int) -> list[Record]:
        titles = [(place, normalize_title(known.title)) for place, known in enumerate(KNOWN)]
        found = contained_titles(normalize_title(text), titles, shortest)
        return [KNOWN[place] for place in found[:most]]


def verdict_on(reference: Reference) -> Verdict:
    library = Library()
    pipeline = Pipeline(
        (library, ReadingsStrategy((library,))), Validator(today=lambda: date(2026, 11, 20))
    )
    return pipeline.verify(reference)


@pytest.mark.parametrize(
    ("text", "record"),
    [
        (
            (
                "Schneider D. Using Drosophila as a model insect Nat Rev Genet 2000;3:218-226."
                " doi:10.1038/35042082"
            ),
            INSECT,
        ),
        (
            "Alma A, Berg B (2001) Sheep of Wales and beyond. A controlled study. Gen Rev 3:1-9",
            SHEEP,
        ),
    ],
)
def test_readings_strategy_a_record_splits_what_no_sign_splits_and_the_evidence_says_so(
    text: str, record: Record
) -> None:
    first = reference_of_string(text)
    assert normalize_title(first.title) != normalize_title(record.title)
    verdict = verdict_on(first)
    assert (verdict.status, verdict.reference.title, verdict.decided_by) == (
        Status.VALID,
        record.title,
        "readings",
    )
    assert verdict.reference.raw == text
    assert f"dblp {record.key} confirms another reading of the text" in [
        asked.detail for asked in verdict.evidence
    ]


@pytest.mark.parametrize(
    "text",
    [
        # of another year
        "Chen, C. The growth of sheep herds: in the new world. Sheep 3 (2019) 1-9.",
        # by other people
        "Prax, P. The growth of sheep herds: in the new world. Sheep 3 (1990) 1-9.",
        # quotation marks say the title
        'C. Chen, "The growth of sheep herds in the new world," Sheep 3 (1990) 1-9.',
    ],
)
def test_readings_strategy_a_record_that_agrees_in_words_alone_reads_nothing(text: str) -> None:
    verdict = verdict_on(reference_of_string(text))
    assert verdict.status is Status.UNVERIFIED
    assert verdict.reference.title.lower().startswith("the growth of sheep herds")
    assert verdict.best_match is None


def test_readings_strategy_a_record_without_people_confirms_no_reading() -> None:
    verdict = verdict_on(
        reference_of_string("Chen, C. The hills of sheep and grass: a study. Sheep 3 (1990) 1-9.")
    )
    assert verdict.status is Status.UNVERIFIED


def test_readings_strategy_what_names_its_fields_is_not_read_again() -> None:
    verdict = verdict_on(
        Reference("k", title="On sheep", authors=("Ada Alma",), raw="On sheep. A study of grass")
    )
    assert [asked.source for asked in verdict.evidence] == ["bibliographic_database"]


AUTHORS = (
    "Alma A, Berg B",
    "A. Alma and B. Berg",
    "Ada Alma and Bo Berg",
    "Frost C, Holt D",
    "Alma, A., & Frost, C.",
)
SHAPES = (
    "{authors}. {title}. {venue}, {year}.{tail}",
    "{authors} ({year}). {title}. {venue}, 3, 1-9.{tail}",
    "{authors}, {title}, {venue} 3 ({year}) 1-9.{tail}",
    "{authors}. {title} {venue} {year};3:1-9.{tail}",
    "{authors}: {title}. In: {venue}, {year}.{tail}",
)


@given(
    shape=st.sampled_from(SHAPES),
    authors=st.sampled_from(AUTHORS),
    record=st.sampled_from(KNOWN),
    before=st.sampled_from(("", "On snow. ", "Snow: ", "Part two, ")),
    after=st.sampled_from(("", ". A controlled study", ", a life", " in winter", "? Yes")),
    venue=st.sampled_from(("Gen Rev", "Nat. Rev. Genet", "Proceedings of Sheep", "Wales")),
    year=st.sampled_from((1990, 2001, 2024, 2031)),
    tail=st.sampled_from(("", " doi:10.1038/35042082", " https://doi.org/10.1000/sheep")),
)
def test_search_a_flag_holds_in_every_likely_reading(
    shape: str, record: Record, before: str, after: str, **parts: Any
) -> None:
    text = shape.format(title=f"{before}{record.title}{after}", **parts)
    reference = reference_of_string(text)
    findings, validator = Library().search(reference), Validator(today=lambda: date(2026, 11, 20))
    if validator.decide(reference, findings).status in FLAGGED:
        others = [validator.decide(reading, findings) for reading in likely_readings(reference)]
        assert [
            verdict.reference.title for verdict in others if verdict.status not in FLAGGED
        ] == []


def test_readings_strategy_a_reading_that_accuses_nobody_opens_the_verdict() -> None:
    reference = reference_of_string(
        "Alma A, Berg B, Snow: Using Drosophila as a model insect. Yes, Wales 3 (2001) 1-9."
        " doi:10.1038/35042082"
    )
    assert reference.doubts
    verdict = verdict_on(reference)
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, "parse_suspect")
