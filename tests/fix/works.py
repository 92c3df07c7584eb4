"""Works for the tests of corrections, with the two conferences of the tests of rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.verification.validator import Validator
from tests.verification.validation.cases import TODAY
from tests.verification.validation.conferences import KNOWN

if TYPE_CHECKING:
    from citeproof.model.record import Volume
    from citeproof.model.verdict import Verdict
    from citeproof.verification.validation.case import Case
    from citeproof.verification.validation.compare.venues import Venues

PAPER = Record(
    "conf/ics/AB21",
    "The Patience of Sheep in Winter Pastures",
    ("Ann Alma", "Bo Berg"),
    2021,
    "ICS",
    "inproceedings",
    "10.1000/ics.21",
    pages="11-19",
    crossref="conf/ics/2021",
    source="dblp",
)
PREPRINT = replace(
    PAPER,
    key="journals/corr/1",
    year=2020,
    venue="CoRR",
    pub_type="article",
    doi="",
    pages="",
    crossref="",
    publtype="informal",
)
OF_REGISTRAR = replace(PAPER, key="10.1000/ics.21", source="crossref")
CITED = Reference(
    "a", PAPER.title, PAPER.authors, year=2021, venue="ICS", entry_type="inproceedings"
)


def judged(
    reference: Reference,
    *records: Record,
    volumes: tuple[Volume, ...] = (),
    venues: Venues = KNOWN,
) -> tuple[Verdict, Case]:
    """Return verdict and case of ``reference``, where a look-up by title found ``records``."""
    validator = Validator(venues, today=lambda: TODAY)
    findings = Findings(tuple(Candidate(record, 0.95) for record in records), volumes=volumes)
    return validator.decide(reference, findings), validator.case(reference, findings)
