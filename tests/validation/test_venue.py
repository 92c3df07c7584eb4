from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from citeproof.models import Findings, Inquiry, Outcome, Record, Reference, Volume
from citeproof.validation.absence import absence_issues
from citeproof.validation.venue import Place, compare_venue, venue_issues
from citeproof.validation.venues import NO_VENUES, Venues
from citeproof.validation.version import other_version
from citeproof.validation.year import year_issues

PAPER = Record("conf/ics/A21", "On sheep", ("Ann Alma",), 2021, "ICS", "inproceedings", crossref="conf/ics/2021")
PREPRINT = Record("journals/corr/1", "On sheep", ("Ann Alma",), 2020, "CoRR", "article", publtype="informal")
CLAIM = Reference("a", "On sheep", ("Ann Alma",), year=2021, venue="COG")


@dataclass(frozen=True)
class Known(Venues):
    """Two conferences: sheep (``ICS``) and goats (``COG``)."""

    names_of: dict[str, str] = field(
        default_factory=lambda: {
            "ICS": "conf/ics", "International Conference on Sheep": "conf/ics",
            "COG": "conf/cog", "Conference on Goats": "conf/cog", "J. Wool": "journals/wool",
        }
    )  # fmt: skip
    years: frozenset[int] = frozenset()

    def resolve(self, name: str) -> frozenset[str]:
        return frozenset({self.names_of[name]}) if name in self.names_of else frozenset()

    def is_certain(self, name: str) -> bool:
        return name in self.names_of

    def of_record(self, record: Record) -> frozenset[str]:
        return frozenset({"conf/ics"}) if record.key.startswith("conf/ics") else frozenset()

    def names(self, record: Record) -> frozenset[str]:
        return frozenset({record.venue, "International Conference on Sheep"})

    def years_of(self, _venue: str) -> frozenset[int]:
        return self.years


KNOWN = Known()
HELD = Volume("conf/cog/2021", "conf/cog", 2021, 50, 1.0, "pages")
PLACES = [
    ("", (PAPER,), Place.NOT_COMPARABLE),
    ("Springer", (PAPER,), Place.NOT_COMPARABLE),
    ("ICS", (PAPER,), Place.SAME),
    ("Proceedings of the 9th International Conference on Sheep", (PAPER,), Place.SAME),
    ("COG", (PAPER,), Place.DIFFERENT),
    ("arXiv preprint", (PAPER, PREPRINT), Place.SAME),
    ("arXiv preprint", (PAPER,), Place.NOT_COMPARABLE),
    ("COG", (PREPRINT,), Place.PREPRINT_ONLY),
    ("Symposium on Neural Wool", (PAPER,), Place.UNKNOWN),
    ("Workshop on Neural Wool", (PAPER,), Place.BESIDE),
    ("Intergalactic Congress of Shepherds", (PAPER,), Place.LIKE),
]


@pytest.mark.parametrize(("name", "records", "place"), PLACES)
def test_three_values_and_their_shades(name: str, records: tuple[Record, ...], place: Place) -> None:
    assert compare_venue(name, records, KNOWN) is place


def test_without_data_only_like_names_are_comparable() -> None:
    assert compare_venue("COG", (PAPER,), NO_VENUES) is Place.NOT_COMPARABLE
    assert compare_venue("ICS", (PAPER,), NO_VENUES) is Place.SAME


CODES = [
    ("COG", (PAPER,), (HELD,), ["venue.different"]),
    ("COG", (PAPER,), (), ["venue.twice"]),
    ("COG", (PAPER, PREPRINT), (), ["venue.twice"]),
    ("COG", (replace(PAPER, year=2020),), (), ["venue.twice"]),
    ("COG", (replace(PAPER, year=2019),), (), ["venue.not_confirmed"]),
    ("COG", (replace(PAPER, venue="ICS Workshop"),), (), ["venue.not_confirmed"]),
    ("COG", (replace(PAPER, pub_type="article"),), (), ["venue.not_confirmed"]),
    ("J. Wool", (PAPER,), (), ["venue.not_confirmed"]),
    ("J. Wool", (replace(PAPER, pub_type="article"),), (), ["venue.twice"]),
    ("COG", (PREPRINT,), (HELD,), ["preprint.as_published"]),
    ("COG", (PREPRINT,), (), ["preprint.not_confirmed"]),
    ("Symposium on Neural Wool", (PAPER,), (), ["venue.unknown"]),
    ("Symposium on Neural Wool", (replace(PAPER, year=2018),), (), ["venue.not_confirmed"]),
    ("Workshop on Neural Wool", (PAPER,), (), ["venue.not_confirmed"]),
    ("Intergalactic Congress of Shepherds", (PAPER,), (), ["venue.like"]),
    ("ICS", (PAPER,), (), []),
]


@pytest.mark.parametrize(("name", "records", "volumes", "codes"), CODES)
def test_what_a_venue_is_worth(
    name: str, records: tuple[Record, ...], volumes: tuple[Volume, ...], codes: list[str]
) -> None:
    found = venue_issues(replace(CLAIM, venue=name), records, volumes, KNOWN)
    assert [item.code for item in found] == codes


def test_a_venue_of_even_years_has_no_odd_edition() -> None:
    even = Known(years=frozenset({2014, 2016, 2018, 2020}))
    assert [item.code for item in venue_issues(CLAIM, (PAPER,), (), even)] == ["venue.no_such_edition"]
    in_2022 = replace(CLAIM, year=2022)
    assert [item.code for item in venue_issues(in_2022, (PAPER,), (), even)] == ["venue.twice"]


def absent(reference: Reference, volume: Volume, *, complete: bool = True) -> bool:
    findings = Findings(inquiries=(Inquiry("db", Outcome.ANSWERED, complete=complete),), volumes=(volume,))
    return bool(absence_issues(reference, findings, KNOWN))


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
        (replace(MISSING, year=2020), HELD, True, False),
        (replace(MISSING, venue="Goats Quarterly"), HELD, True, False),
    ],
)
def test_absence_needs_a_whole_volume_and_a_whole_look_up(
    reference: Reference, volume: Volume, *, complete: bool, proved: bool
) -> None:
    assert absent(reference, volume, complete=complete) is proved


def test_a_year_late_is_another_edition_where_that_is_held() -> None:
    next_edition = Volume("conf/ics/2022", "conf/ics", 2022, 50, 1.0, "pages")
    late = replace(CLAIM, year=2022)
    assert [item.code for item in year_issues(late, (PAPER,), 2026, (next_edition,))] == ["year.other_edition"]
    assert [item.code for item in year_issues(late, (PAPER,), 2026)] == ["year.near"]
    early = replace(CLAIM, year=2020)
    assert [item.code for item in year_issues(early, (PAPER,), 2026, (next_edition,))] == ["year.near"]


def test_what_another_version_may_have_stays_open() -> None:
    elsewhere = venue_issues(replace(CLAIM, year=2024), (PAPER,), (), KNOWN)
    years = year_issues(replace(CLAIM, year=2024), (PAPER,), 2026)
    assert [item.code for item in other_version(elsewhere + years)] == ["venue.not_confirmed", "version.differs"]
    assert [item.code for item in other_version(years)] == ["year.off"]
