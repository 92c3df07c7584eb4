"""A work, a reference to it, a verdict and a look-up."""

from __future__ import annotations

from dataclasses import replace

from citeproof.model.findings import (
    Agreement,
    FieldComparison,
    Inquiry,
    NearestWork,
    Outcome,
)
from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict

PEOPLE = ("Ada Almgren", "Bo Berg", "Cy Chan", "Di Dahl", "Ed Ek")
WORK = Record("k1", "On Tables", PEOPLE, 2001, "J. ACM", doi="10.1/x", source="dblp")
LINE = (
    'Ada Almgren, Bo Berg, Cy Chan, Di Dahl and others, 2001, "On Tables", J. ACM,'
    " https://doi.org/10.1/x [dblp k1]"
)
CITED = Reference("a", title="On Table", authors=PEOPLE[:2], year=2002)
MEANT = NearestWork(
    Candidate(WORK, 0.9),
    (MatchKind.TITLE,),
    (
        FieldComparison("title", Agreement.PARTLY, "On Table", "On Tables"),
        FieldComparison("year", Agreement.DIFFERENT, "2002", "2001"),
        FieldComparison("venue", Agreement.DIFFERENT, "", "J. ACM"),
        FieldComparison("doi", Agreement.PARTLY, "10.1/y", ""),
    ),
)
ISSUE = Issue("year.off", Severity.ISSUE, "2002", "2001", "recorded as 2001, cited as 2002")
NOTE = replace(ISSUE, code="title.spelling", severity=Severity.NOTE, explanation="a letter")
VERDICT = Verdict(
    CITED,
    Status.SUSPICIOUS,
    "not_confirmed",
    0.9,
    (ISSUE, NOTE),
    evidence=(
        Inquiry("bibliographic_database", Outcome.ANSWERED, records=1, complete=True),
        Inquiry("crossref", Outcome.SKIPPED, "answered before"),
        Inquiry("dblp", Outcome.FAILED, "timed out"),
    ),
    meant=(MEANT,) * 4,
)
LOOKUP = Lookup("On Tables", 0.9, (), None, Method.INDEXED, "title_index", 7, True, 1.0)
