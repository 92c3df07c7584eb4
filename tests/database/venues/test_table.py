"""Venues learnt from a dump that is built here: two conferences, a workshop beside one, a
journal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from citeproof.database.venues.table import Part, VenueTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_DOCTYPE = (
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n'
)


def paper(stream: str, number: int, volume: str, booktitle: str, year: int, doi: str = "") -> str:
    first = 1 + 10 * number
    link = f"<ee>https://doi.org/{doi}</ee>" if doi else ""
    return (
        f'<inproceedings key="conf/{stream}/Author{number}{volume}"><author>Ann'
        f" Author{number}</author>"
        f"<title>A paper on {stream} number {number} of"
        f" {volume}.</title><pages>{first}-{first + 9}</pages>"
        f"<year>{year}</year><booktitle>{booktitle}</booktitle>"
        f"<crossref>conf/{stream}/{volume}</crossref>{link}</inproceedings>\n"
    )


def proceedings(stream: str, volume: str, title: str) -> str:
    return (
        f'<proceedings key="conf/{stream}/{volume}"><title>{title}</title>'
        f"<year>{volume[:4]}</year></proceedings>\n"
    )


@pytest.fixture(scope="module")
def venues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VenueTable]:
    folder = tmp_path_factory.mktemp("venues")
    parts = [
        proceedings(
            "ics", "2021", "8th International Conference on Sheep, ICS 2021, Oslo, May 2, 2021"
        ),
        proceedings(
            "ics", "2021w", "Conference on Sheep Workshops, ICS Workshops 2021, Oslo, May 3, 2021"
        ),
        *(paper("ics", n, "2021", "ICS", 2021, f"10.1109/ics12345.2021.{n}") for n in range(20)),
        *(paper("ics", n, "2021w", "ICS Workshops", 2021) for n in range(3)),
        *(paper("ics", n, "2022", "ICS", 2022) for n in range(0, 20, 2)),
        *(paper("cog", n, "2021", "COG", 2021) for n in range(5)),
        (
            '<article key="journals/jos/Author21"><author>Ann Author</author><title>On'
            " wool.</title><year>2021</year><journal>J. Sheep Res.</journal></article>\n"
        ),
    ]
    dump: Path = folder / "dblp.xml"
    dump.write_text(_DOCTYPE + "".join(parts) + "</dblp>\n", "iso-8859-1")
    build([dump], folder / "v.db")
    with Database.open(folder / "v.db") as database:
        yield database.venues


def test_companion_not_held_workshops_of_the_neighbouring_year_alone_are_not_held(
    venues: VenueTable,
) -> None:
    assert venues.companion_not_held("conf/ics", 2022, 0.75)
    assert not venues.companion_not_held("conf/ics", 2021, 0.75)
    assert not venues.companion_not_held("conf/ics", 2023, 0.75)
    assert not venues.companion_not_held("conf/cog", 2022, 0.75)


def test_companion_not_held_a_companion_that_is_held_in_part_counts_as_not_held() -> None:
    def part(venue: str, completeness: float) -> Part:
        key = venue.replace(":", "/2021") if ":" in venue else f"{venue}/2021"
        return Part(key, venue, 2021, 9, completeness, "pages", 0, "", "")

    venues = VenueTable([], [part("conf/ics", 1.0), part("conf/ics:w", 0.1)])
    assert venues.companion_not_held("conf/ics", 2021, 0.95)
    assert not venues.companion_not_held("conf/ics", 2021, 0.1)


@pytest.mark.parametrize(
    ("name", "venue"),
    [
        ("ICS", "conf/ics"),
        ("ICS 2021", "conf/ics"),
        ("Proceedings of the Ninth International Conference on Sheep", "conf/ics"),
        ("Proc. Intl. Conf. Sheep (ICS'22)", "conf/ics"),
        ("ICS Workshops", "conf/ics:w"),
        ("Journal of Sheep Research", "journals/jos"),
        ("COG", "conf/cog"),
        ("ICS '21: Proceedings of the 8th International Conference on Sheep", "conf/ics"),
        ("Sheep, 2021. ICS 2021. International Conference on", "conf/ics"),
    ],
)
def test_every_usual_spelling_leads_to_the_venue(venues: VenueTable, name: str, venue: str) -> None:
    assert venues.resolve(name) == {venue}


@pytest.mark.parametrize(
    "name", ["Symposium on Neural Wool", "Springer", "Goats Quarterly", "ICS: AI for Dyers"]
)
def test_an_unknown_name_leads_nowhere(venues: VenueTable, name: str) -> None:
    assert venues.resolve(name) == frozenset()


def test_claimed_volumes_a_complete_volume_and_half_of_one(venues: VenueTable) -> None:
    (whole,) = venues.claimed_volumes("ICS", 2021)
    (half,) = venues.claimed_volumes("ICS", 2022)
    assert (whole.key, whole.records, whole.completeness, whole.basis) == (
        "conf/ics/2021",
        20,
        0.9524,
        "pages",
    )
    assert half.completeness == pytest.approx(100 / 190 * 10 / 11, abs=0.001)
    assert venues.claimed_volumes("ICS", 1999) == ()
    assert venues.claimed_volumes("ICS", None) == ()


def test_venue_of_doi_how_the_dois_of_a_volume_begin(venues: VenueTable) -> None:
    volume = venues.volume_of_doi("10.1109/ics12345.2021.99")
    assert volume is not None
    assert volume.key == "conf/ics/2021"
    assert venues.venue_of_doi("10.1109/ics99999.2025.1") == "conf/ics"
    assert venues.venue_of_doi("10.1145/1234.5678") == ""


@pytest.mark.parametrize(
    ("name", "why", "found"),
    [
        (
            "Conference on Sheep",
            "by this name or an abbreviation of it",
            [("conf/ics", (2021, 2022))],
        ),
        ("J. Sheep Res.", "by this name or an abbreviation of it", [("journals/jos", ())]),
        (
            "The Lancet",
            "no venue of this database; a reference from it is not compared by its venue",
            [],
        ),
        ("LNCS", "a publisher or a series of many venues, which names none", []),
        ("arXiv preprint", "a preprint server", []),
    ],
)
def test_explained_says_what_a_name_is_taken_for(
    venues: VenueTable, name: str, why: str, found: list[tuple[str, tuple[int, ...]]]
) -> None:
    taken = venues.explained(name)
    assert (taken.name, taken.why) == (name, why)
    assert [(venue, years) for venue, _, years in taken.venues] == found
    assert all(names for _, names, _ in taken.venues)


def test_companion_not_held_knows_tracks_that_are_cited_as_their_conference() -> None:
    volume = Part("conf/iclr/2017", "conf/iclr", 2017, 198, 1.0, "keys", 0, "", "")
    venues = VenueTable([], [volume])
    assert venues.companion_not_held("conf/iclr", 2017, 0.95)
    assert not venues.companion_not_held("conf/iclr", 2019, 0.95)


def test_explained_names_no_workshops_beside_a_venue(venues: VenueTable) -> None:
    ((_, names, _),) = venues.explained("Conference on Sheep").venues
    assert names[0] == "ics", "the most frequent name is first"
    assert not any("workshop" in name for name in names)


def test_resolve_a_full_name_of_two_conferences_is_of_the_one_with_its_initials() -> None:
    name = "conference on sheep shearing"
    rows = [(name.replace("on ", ""), venue, 40) for venue in ("conf/ijcss", "conf/icss")]
    venues = VenueTable(rows, [])
    assert venues.resolve("Conference on Sheep Shearing") == {"conf/ijcss", "conf/icss"}
    joint = "International Joint Conference on Sheep Shearing"
    assert venues.resolve(joint) == {"conf/ijcss"}


def test_is_usual_the_name_of_a_society_in_full() -> None:
    venues = VenueTable([("journal acm", "journals/jacm", 90), ("j acm", "journals/jacm", 900)], [])
    assert venues.is_usual("Journal of the ACM", "journals/jacm")
    rows = [("commun acm", "journals/cacm", 90), ("software", "journals/software", 90)]
    magazines = VenueTable(rows, [])
    assert magazines.is_usual("Communications of the ACM", "journals/cacm")
    others = VenueTable([("acm mmdb", "conf/mmdb", 20)], [])
    assert others.is_usual("ACM MMDB 2009", "conf/mmdb")
    assert not others.is_usual("ACM MM", "conf/mmdb")
