"""Compare pages, volume and number.

A difference is only a note, because wrong values are often copied from other bibliographies.
"""

from collections.abc import Iterator

from citeproof.model.findings import Agreement, FieldName
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.venues import VenueAgreement
from citeproof.verification.validation.comparison import NEAR
from citeproof.verification.validation.policy import Difference, found

_FIELDS: tuple[tuple[str, FieldName], ...] = (
    ("pages.differ", "pages"),
    ("volume.differs", "volume"),
    ("number.differs", "number"),
)


def rule(case: Case) -> Iterator[Difference]:
    """Yield a note for each of pages, volume and number that differs from all records at the cited
    venue.
    """
    if case.venue not in (VenueAgreement.SAME, VenueAgreement.NOT_COMPARABLE):
        return
    records = [item for item in case.published if item.year_gap <= NEAR]
    for code, name in _FIELDS:
        fields = [
            field
            for item in records
            # the volume of a paper may be that of a book series
            if (name == "pages" or item.record.pub_type == "article")
            and (field := item.field(name)).agreement is not Agreement.ABSENT
        ]
        if fields and all(field.agreement is Agreement.DIFFERENT for field in fields):
            shown = "; ".join(dict.fromkeys(field.recorded for field in fields))
            yield found(code, fields[0].cited, shown)
