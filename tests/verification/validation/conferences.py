"""Two conferences, sheep and goats, with a paper and a preprint."""

from dataclasses import dataclass, field

from citeproof.model.record import Record, Volume
from citeproof.model.reference import Reference
from citeproof.verification.validation.compare.venues import Venues

PAPER = Record(
    "conf/ics/A21",
    "On sheep",
    ("Ann Alma",),
    2021,
    "ICS",
    "inproceedings",
    crossref="conf/ics/2021",
)
PREPRINT = Record(
    "journals/corr/1", "On sheep", ("Ann Alma",), 2020, "CoRR", "article", publtype="informal"
)
CLAIM = Reference("a", "On sheep", ("Ann Alma",), year=2021, venue="COG")


@dataclass(frozen=True)
class Known(Venues):
    """Two conferences: sheep (``ICS``) and goats (``COG``)."""

    names_of: dict[str, str] = field(
        default_factory=lambda: {
            "ICS": "conf/ics",
            "International Conference on Sheep": "conf/ics",
            "COG": "conf/cog",
            "Conference on Goats": "conf/cog",
            "J. Wool": "journals/wool",
        }
    )
    years: frozenset[int] = frozenset()
    companions_missing: bool = False

    def resolve(self, name: str) -> frozenset[str]:
        return frozenset({self.names_of[name]}) if name in self.names_of else frozenset()

    def is_certain(self, name: str) -> bool:
        return name in self.names_of

    def of_record(self, record: Record) -> frozenset[str]:
        return frozenset({"conf/ics"}) if record.key.startswith("conf/ics") else frozenset()

    def names(self, record: Record) -> frozenset[str]:
        return frozenset({record.venue, "International Conference on Sheep"})

    def companion_not_held(self, _venue: str, _year: int, _complete: float) -> bool:
        return self.companions_missing

    def years_of(self, _venue: str) -> frozenset[int]:
        return self.years


KNOWN = Known()
HELD = Volume("conf/cog/2021", "conf/cog", 2021, 50, 1.0, "pages")
