"""A reference, its record and another record, for tests of whole verdicts."""

from datetime import date

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.verification.validator import Validator

RECORD = Record(
    key="conf/demo/AlmaB20",
    title="Counting Sheep with Sparse Attention Networks",
    authors=("Ada Alma", "Bo Berg", "Cy Chen"),
    year=2020,
    venue="DEMO",
    doi="10.1145/demo.2020.1",
    source="dblp",
)
OTHER = Record(
    "conf/demo/Other19",
    "Herding Cats by Gradient Descent",
    ("Di Dorn",),
    2019,
    "DEMO",
    source="dblp",
)
REFERENCE = Reference(
    key="a", title=RECORD.title, authors=RECORD.authors, year=2020, entry_type="inproceedings"
)
ANSWERED = Inquiry("bibliographic database", Outcome.ANSWERED, complete=True)
FAILED = Inquiry("crossref", Outcome.FAILED, "timed out")
VALIDATOR = Validator(today=lambda: date(2026, 11, 20))


def found(*candidates: Candidate, inquiry: Inquiry = ANSWERED) -> Findings:
    """Return what one source found."""
    return Findings(candidates=candidates, inquiries=(inquiry,))


BY_TITLE = Candidate(RECORD, 1.0)
