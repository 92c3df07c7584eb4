from dataclasses import replace

import pytest

from citeproof.model.findings import Covers, Findings, SourceCoverage
from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.verification.validation.rules.identifiers import rule
from tests.verification.validation.cases import case, codes
from tests.verification.validation.conferences import CLAIM, KNOWN, PAPER, Known


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"doi": "10.1109/cvpr.2016.90"}, []),
        ({"doi": "10.1000.10/123"}, []),
        ({"doi": "10/abc12"}, ["doi.short"]),
        ({"doi": "fg6rf9"}, ["doi.short"]),
        ({"doi": "unknown"}, ["doi.malformed"]),
        ({"doi": "https://doi.org/abc12"}, ["doi.short"]),
        ({"doi": "https://example.org/10"}, ["doi.link"]),
        ({"doi": "10.99999/2020.11722"}, ["doi.unassigned"]),
        ({"doi": "10.7777/2020.11722"}, ["doi.unassigned"]),
        ({"doi": "cvpr.2016.90"}, ["doi.malformed"]),
        ({"doi": "http://hdl.handle.net/2065/29037"}, ["doi.link"]),
        ({"arxiv_id": "2713.00001"}, ["arxiv.malformed"]),
        ({"arxiv_id": "2612.00001"}, ["arxiv.malformed"]),
        ({"arxiv_id": "2310.01362", "year": 2022}, ["arxiv.after_year"]),
        ({"arxiv_id": "2310.01362", "year": 2022, "venue": "ICLR"}, []),
        ({"doi": "10.48550/arxiv.2310.01362", "year": 2021, "venue": "ICLR"}, ["arxiv.after_year"]),
    ],
)
def test_rule_impossible_identifiers(fields: dict[str, object], expected: list[str]) -> None:
    reference = Reference("a", **fields)  # type: ignore[arg-type]
    assert codes(rule(case(reference))) == expected


@pytest.mark.parametrize(
    ("doi", "cited", "entry_type", "expected"),
    [
        ("10.18653/v1/n19-1423", 2021, "inproceedings", ["doi.other_volume"]),
        ("10.3115/v1/d14-1003", 2015, "inproceedings", []),
        ("10.3115/v1/p98-1003", 1998, "inproceedings", []),
        ("10.18653/v1/2020.acl-main.1", 2017, "inproceedings", ["doi.other_volume"]),
        ("10.4230/lipics.calco.2017.1", 1965, "inproceedings", ["doi.other_volume"]),
        ("10.1016/j.artint.2010.07.003", 2013, "article", []),
        ("10.1016/j.entcs.2016.06.010", 2007, "article", ["doi.other_volume"]),
        ("10.1353/esp.2010.0278", 2005, "article", []),
        ("10.48550/arxiv.2001.01234", 2024, "inproceedings", []),
        ("10.1145/1968.1972", 1984, "article", []),
    ],
)
def test_rule_a_doi_that_states_its_year(
    doi: str, cited: int, entry_type: str, expected: list[str]
) -> None:
    reference = replace(CLAIM, venue="", doi=doi, year=cited, entry_type=entry_type)
    assert codes(rule(case(reference))) == expected
    held = replace(PAPER, doi=doi, year=cited)
    assert codes(rule(case(reference, [held]))) == []


@pytest.mark.parametrize(
    ("completeness", "shown"),
    [(0.9997, "99.9%"), (0.99999, "99.9%"), (0.9985, "99.8%"), (0.995, "99.5%"), (0.99, "99.0%")],
)
def test_rule_the_share_beside_a_missing_identifier_is_rounded_down(
    completeness: float, shown: str
) -> None:
    doi = "10.1145/253262.253332"
    series = SourceCoverage(
        "Crossref", Covers.IDENTIFIER, "the DOIs of 10.1145", completeness, "2026-01-01", doi
    )
    (difference,) = rule(
        replace(case(Reference("a", doi=doi)), findings=Findings(covered=(series,)))
    )
    assert difference.code == "doi.unknown"
    assert (
        f"the database has {shown} of the DOIs of 10.1145 (source: Crossref, up to 2026-01-01), but"
        f" not {doi}" == difference.explanation
    )


class Gap(Known):
    """A venue table in which the volumes around a record have DOIs of one registrant, and its own
    volume is missing.
    """

    def registrant_of(self, _record: Record) -> str:
        return "10.1145"


def test_rule_a_record_whose_volume_is_missing_says_nothing_about_a_doi() -> None:
    cited = replace(CLAIM, venue="ICS", doi="10.1109/ics.2021.1")
    assert codes(rule(case(cited, [PAPER], venues=Gap()))) == []


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        ("10.1145/253260.253332", []),
        ("10.1145/253260.25333", ["doi.second"]),
        ("10.1109/253260.253332", ["version.differs"]),
        ("10.1145/253332", ["doi.second"]),
    ],
)
def test_rule_dois_with_the_same_number_of_a_paper_are_twins(
    recorded: str, expected: list[str]
) -> None:
    cited = replace(CLAIM, venue="ICS", doi="10.1145/253262.253332")
    assert codes(rule(case(cited, [replace(PAPER, doi=recorded)], venues=KNOWN))) == expected


def test_rule_a_short_number_makes_no_twins() -> None:
    def told(number: str) -> list[str]:
        cited = replace(CLAIM, venue="ICS", doi=f"10.1145/77.{number}")
        held = replace(PAPER, doi=f"10.1145/78.{number}")
        return codes(rule(case(cited, [held], venues=KNOWN)))

    assert told("25333") == []
    assert told("2533") == ["doi.second"]


@pytest.mark.parametrize(("doi", "expected"), [("", []), ("10.1145/9.1", ["doi.differs"])])
def test_rule_a_doi_is_compared_with_the_record_of_the_cited_version(
    doi: str, expected: list[str]
) -> None:
    cited = replace(CLAIM, venue="ICS", doi="10.1145/253262.253332", entry_type="inproceedings")
    journal = Record(
        "journals/wool/A23",
        "On sheep",
        ("Ann Alma",),
        2023,
        "J. Wool",
        "article",
        doi="10.1007/7.1",
    )
    found = codes(rule(case(cited, [replace(PAPER, doi=doi), journal], venues=KNOWN)))
    assert found == (["doi.second"] if expected else [])
