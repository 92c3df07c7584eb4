from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.model.findings import Covers, Findings, Inquiry, Outcome, SourceCoverage
from citeproof.model.record import Candidate, MatchKind
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.policy import DEFAULT
from citeproof.verification.validation.rules.absence import rule
from tests.verification.validation.cases import TODAY, case, codes
from tests.verification.validation.conferences import CLAIM, HELD, KNOWN, PAPER, Known

if TYPE_CHECKING:
    from citeproof.model.record import Volume
    from citeproof.model.reference import Reference

MISSING = replace(CLAIM, title="On the counting of goats")


@pytest.mark.parametrize(
    ("reference", "volume", "complete", "proved"),
    [
        (MISSING, HELD, True, True),
        (MISSING, HELD, False, False),
        (MISSING, replace(HELD, completeness=0.94), True, False),
        (replace(MISSING, venue="COG Workshops"), HELD, True, False),
        (replace(MISSING, note="Workshop on wool"), HELD, True, False),
        (replace(MISSING, title="On goats"), HELD, True, False),
        (replace(MISSING, title="On the counting of goats and ..."), HELD, True, False),
        (replace(MISSING, title="Proceedings of the Conference on Goats"), HELD, True, False),
        (replace(MISSING, title="Session 3: Goats and their keepers"), HELD, True, False),
        (replace(MISSING, title="Goats and their keepers (Invited Talk)"), HELD, True, False),
        (replace(MISSING, year=2020), HELD, True, False),
        (replace(MISSING, venue=f"{MISSING.venue} '03"), HELD, True, False),
        (replace(MISSING, from_text=True), HELD, True, True),
        (
            replace(MISSING, from_text=True, doubts=("its title may end elsewhere",)),
            HELD,
            True,
            False,
        ),
        (replace(MISSING, venue="Goats Quarterly"), HELD, True, False),
    ],
)
def test_rule_absence_needs_a_whole_volume_and_a_whole_look_up(
    reference: Reference, volume: Volume, *, complete: bool, proved: bool
) -> None:
    assert (
        bool(codes(rule(case(reference, volumes=(volume,), venues=KNOWN, complete=complete))))
        is proved
    )


@pytest.mark.parametrize(
    ("completeness", "basis", "code", "words"),
    [
        (0.9975, "pages", "volume.absent", "the database has all papers of COG 2021"),
        (
            0.9974,
            "pages",
            "volume.not_found",
            "up to one in 385 papers of this volume may be missing",
        ),
        (
            0.96,
            "articles",
            "volume.not_found",
            "up to one in 25 papers of this volume may be missing",
        ),
        (1.0, "keys", "volume.not_found", "up to one in 40 papers of this volume may be missing"),
        (
            0.975,
            "keys, pages",
            "volume.not_found",
            "up to one in 20 papers of this volume may be missing",
        ),
    ],
)
def test_rule_what_may_be_missing_of_the_volume_decides_how_heavy_it_is(
    completeness: float, basis: str, code: str, words: str
) -> None:
    volume = replace(HELD, completeness=completeness, basis=basis)
    (found,) = rule(case(MISSING, volumes=(volume,), venues=KNOWN, complete=True))
    assert found.code == code
    assert words in found.explanation


def test_rule_never_calls_a_string_impossible() -> None:
    volume = replace(HELD, completeness=1.0, basis="pages")
    (found,) = rule(
        case(replace(MISSING, from_text=True), volumes=(volume,), venues=KNOWN, complete=True)
    )
    assert found.code == "volume.not_found"
    assert "the title of the reference may have been read wrongly" in found.explanation


def test_rule_workshops_that_are_not_held_leave_an_absence_open() -> None:
    (found,) = rule(
        case(MISSING, volumes=(HELD,), venues=Known(companions_missing=True), complete=True)
    )
    assert found.code == "volume.companion_not_held"


def test_rule_a_doi_of_the_volume_says_that_no_workshop_is_cited() -> None:
    class WithStems(Known):
        def volume_of_doi(self, doi: str) -> Volume | None:
            return HELD if doi.startswith("10.1109/cog51.") else None

    found = {
        doi: codes(
            rule(
                case(
                    replace(MISSING, doi=doi),
                    volumes=(HELD,),
                    venues=WithStems(companions_missing=True),
                    complete=True,
                )
            )
        )
        for doi in ("10.1109/cog51.2021.7", "10.1109/cogw51.2021.7")
    }
    assert found == {
        "10.1109/cog51.2021.7": ["volume.without_it"],
        "10.1109/cogw51.2021.7": ["volume.companion_not_held"],
    }


def test_rule_a_title_that_was_found_is_not_absent() -> None:
    others = replace(PAPER, title=MISSING.title, authors=("Di Dorn",), venue="Elsewhere", year=2001)
    held = case(MISSING, (others,), volumes=(HELD,), venues=KNOWN)
    assert (held.work, codes(rule(held))) == ((), [])
    assert codes(rule(case(MISSING, (), volumes=(HELD,), venues=KNOWN))) == ["volume.absent"]


def test_rule_absence_needs_people() -> None:
    nobody = replace(MISSING, authors=())
    assert codes(rule(case(nobody, (), volumes=(HELD,), venues=KNOWN))) == []


DOIS = SourceCoverage(
    "Crossref", Covers.IDENTIFIER, "the DOIs of 10.1145", 1.0, "2026-01-01", "10.1145/7"
)
PREPRINTS = SourceCoverage("arXiv", Covers.PREPRINTS, "the papers of 2021", 1.0, "2026-01-01")


def from_sources(
    *covered: SourceCoverage, reference: Reference = MISSING, found: tuple[Candidate, ...] = ()
) -> list[str]:
    """Return the codes of a reference whose title no source has."""
    inquiry = Inquiry("db", Outcome.ANSWERED, complete=True)
    findings = Findings(found, (inquiry,), covered=covered)
    return codes(rule(next(Case.of(reference, findings, TODAY, KNOWN, DEFAULT).by_work())))


def test_rule_a_source_without_gaps_proves_an_absence() -> None:
    assert from_sources() == []
    assert from_sources(DOIS) == ["identifier.absent"]
    assert from_sources(PREPRINTS) == ["preprint.absent"]
    assert from_sources(PREPRINTS, DOIS) == ["identifier.absent"]
    assert from_sources(replace(DOIS, covers=Covers.KIND)) == []


def test_rule_a_source_with_gaps_or_doubts_proves_nothing() -> None:
    gaps = DEFAULT.without_gaps - 0.0001
    assert from_sources(replace(DOIS, completeness=DEFAULT.without_gaps)) == ["identifier.absent"]
    assert from_sources(replace(DOIS, completeness=gaps)) == []
    assert from_sources(replace(DOIS, doubt="it may be a workshop's")) == []


def test_rule_a_source_proves_nothing_if_the_reference_may_be_misread_or_was_found() -> None:
    assert from_sources(DOIS, reference=replace(MISSING, from_text=True)) == []
    other = replace(PAPER, title="On wool", venue="Elsewhere", year=2001, authors=("Di Dorn",))
    assert from_sources(DOIS, found=(Candidate(other, 0.5),)) == ["identifier.absent"]
    assert from_sources(DOIS, found=(Candidate(other, 0.5, MatchKind.DOI),)) == []
    same_people = replace(other, authors=MISSING.authors)
    assert from_sources(DOIS, found=(Candidate(same_people, 0.5),)) == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, "volume.absent"),
        ({"arxiv_id": "2101.00001"}, "volume.without_it"),
        ({"arxiv_id": "2199.00001"}, "volume.absent"),
        ({"doi": "10.1145/1.2"}, "volume.without_it"),
        ({"doi": "unknown"}, "volume.absent"),
    ],
)
def test_rule_an_identifier_that_nobody_looked_up_weakens_an_absence(
    changes: dict[str, str], code: str
) -> None:
    cited = replace(MISSING, **changes)  # type: ignore[arg-type]
    assert codes(rule(case(cited, volumes=(HELD,), venues=KNOWN))) == [code]
    known = replace(
        case(cited, volumes=(HELD,), venues=KNOWN),
        findings=Findings(
            (),
            (Inquiry("db", Outcome.ANSWERED, complete=True),),
            (HELD,),
            unknown_identifiers=tuple(changes.values()),
        ),
    )
    assert codes(rule(known)) == ["volume.absent"]
