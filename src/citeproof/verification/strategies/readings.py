"""Strategy that tries other readings of an ambiguous reference.

A reading is one way to split the text of the reference into fields.

Other strategies search for the records whose title is in the text. Such a record confirms a reading
if the authors agree, and year or DOI agrees. The validator decides on the confirmed reading.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from citeproof.model.findings import Findings, Inquiry, Outcome
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference
from citeproof.model.verdict import Verdict
from citeproof.verification.pipeline import Strategy
from citeproof.verification.validation.compare.titles import compare_titles
from citeproof.verification.validation.comparison import Identity
from citeproof.verification.validation.identity import compared, confirms

# maximum number of records in a database that are compared with a text
_MOST_RECORDS = 40


class ReadingsStrategy(Strategy):
    """Tries other ways to split the text of a reference into fields ("readings"), if no record has
    the title of the first reading.
    """

    name = "readings"

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        """``strategies`` search for records whose title is in the text."""
        self._strategies = tuple(strategies)

    def wanted(self, verdict: Verdict) -> bool:
        """Return whether to try other readings.

        False if a record has the parsed title, or the title is in quotes.
        """
        reference, best = verdict.reference, verdict.best_match
        if not reference.from_text or not reference.title:
            return reference.from_text
        start = reference.raw.find(reference.title)
        if start > 0 and reference.raw[start - 1] in "“„«\"‘`'":
            return False
        compared = compare_titles(reference.title, best.record.title) if best else None
        return not compared or not compared.same or compared.part_missing

    def search(self, reference: Reference) -> Findings:
        """Return the findings for a reading that a record confirms.

        If no reading is confirmed, the findings say so.
        """
        tried = 0
        for record in self._records(reference):
            tried += 1
            if again := _read_by(reference, record):
                detail = f"{record.source} {record.key} confirms another reading of the text"
                inquiry = Inquiry(self.name, Outcome.ANSWERED, detail, records=1)
                findings = Findings(inquiries=(inquiry,), reparsed=again)
                return sum((strategy.search(again) for strategy in self._strategies), findings)
        detail = f"no reading of the text is confirmed; records whose title is in the text: {tried}"
        return (
            Findings(inquiries=(Inquiry(self.name, Outcome.ANSWERED, detail),))
            if tried
            else Findings()
        )

    def _records(self, reference: Reference) -> Iterator[Record]:
        """Yield distinct records whose title is in the text of ``reference``."""
        from citeproof.readers.strings import body_of
        from citeproof.readers.strings.reference import SHORTEST

        text, _ = body_of(reference.raw)
        seen = set[Hashable]()
        for strategy in self._strategies:
            for record in strategy.records_within(text, SHORTEST, _MOST_RECORDS):
                if record.identity not in seen:
                    seen.add(record.identity)
                    yield record


def _read_by(reference: Reference, record: Record) -> Reference | None:
    from citeproof.readers.strings.reference import reading_with_title

    again = reading_with_title(reference, record.title)
    if again is None:
        return None
    item = compared(again, Candidate(record, 1.0))
    is_of_work = item.version is not Identity.ABOUT and confirms(item)
    return replace(again, doubts=(), string="") if is_of_work else None
