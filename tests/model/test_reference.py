"""What is sent between processes arrives as it was."""

import pickle

from citeproof.model.findings import Agreement, FieldComparison, Inquiry, NearestWork, Outcome
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict


def test_reference_a_verdict_arrives_as_it_was_sent() -> None:
    record = Record(
        "k",
        "Of Sheep",
        ("Ada Almgren",),
        2001,
        "Goats",
        doi="10.1/x",
        concern="https://example.org",
    )
    reference = Reference(
        "k",
        "Of Sheep",
        ("A. Almgren",),
        string="Almgren, A. Of Sheep",
        place=Place("a.bib", 3),
        oversized=("x",),
    )
    compared = FieldComparison("year", Agreement.SAME, "2001", "2001")
    verdict = Verdict(
        reference,
        Status.SUSPICIOUS,
        "metadata_mismatch",
        0.9,
        issues=(Issue("year.off", Severity.ISSUE, "1999", "2001", "the year does not agree"),),
        best_match=Candidate(record, 1.0, MatchKind.DOI, ("author",)),
        meant=(NearestWork(Candidate(record, 0.9), (MatchKind.DOI,), (compared,)),),
        evidence=(Inquiry("bibliographic_database", Outcome.ANSWERED, records=1, complete=True),),
        policy="default",
    )
    arrived = pickle.loads(pickle.dumps(verdict))
    assert arrived == verdict
    assert arrived.reference.place == reference.place
    assert arrived.evidence[0].outcome is Outcome.ANSWERED
