"""Which records of a source a database takes, by ``--only``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database import schema
from citeproof.database.building.builder import build, update
from citeproof.database.building.selection import Selection, fields, selection_of
from citeproof.database.lookup import Database
from citeproof.model.errors import BuildError
from tests.database.conftest import DATA, DUMP

if TYPE_CHECKING:
    from pathlib import Path

META = DATA / "opencitations.csv"


def row(**values: Any) -> schema.Row:
    return tuple(({"source": "opencitations"} | values).get(name) for name in schema.COLUMNS)


@pytest.mark.parametrize(
    ("parts", "taken"),
    [
        (["2012"], True),
        (["2010 - 2013"], True),
        (["2013-2015"], False),
        (["Journal of Lamps"], True),
        (["2013", "Journal of Lamps"], False),
        (["2012", "2020", "Journal of Lamps"], True),
        (["Lamps"], False),  # a name of one word is the whole name
        (["issn:1234567X"], True),
        (["issn:1234-5679"], False),
        (["issn:1234-5679", "journal of lamps"], True),
        (["cs"], False),
        (["CS", "2011", "2012", "issn:1234-567x"], True),
    ],
)
def test_takes_records_of_the_years_and_of_the_venues(parts: list[str], taken: bool) -> None:
    work = row(year=2012, venue="The Journal Of Lamps & Light")
    assert Selection(parts).takes(work, "0000-0000 1234-567x") is taken


@pytest.mark.parametrize(
    ("venue", "source", "taken"),
    [
        ("Lecture Notes In Computer Science", "opencitations", True),
        ("Proceedings Of The 38Th International Conference On Machine Learning", "x", True),
        ("Acta Informatica Medica", "opencitations", False),
        ("Journal Of Dairy Science", "opencitations", False),
        ("J. ACM", "dblp", True),
        ("Whatever", "dblp", True),  # a source of the field is taken whole
        (None, "opencitations", False),
    ],
)
def test_takes_records_of_a_field(venue: str | None, source: str, taken: bool) -> None:
    assert Selection(["cs"]).takes(row(venue=venue, source=source)) is taken


def test_fields_have_names_as_they_are_compared() -> None:
    for name, field in fields().items():
        assert name == name.lower()
        assert field.keys() == {"sources", "venues"}
        for venue in field["venues"]:
            assert Selection([name]).takes(row(venue=venue))


def test_selection_of_reads_lists_and_files(tmp_path: Path) -> None:
    (tmp_path / "venues.txt").write_text("Journal of Lamps, Light and Sheep\n\n2012\n")
    found = selection_of(["cs, 2011", f"@{tmp_path / 'venues.txt'}"])
    assert found
    assert found.parts == ("cs", "2011", "Journal of Lamps, Light and Sheep", "2012")
    assert selection_of([]) is None
    assert selection_of(["ISSNIP,3DV,issn: 1234567x"])


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("", "the list is empty; name years, fields, ISSNs or venues"),
        ("2020-2010", "2020-2010 ends before it begins"),
        ("cs,!", "'!' is neither a year, an ISSN, a field nor a venue"),
        ("issn:1234", "'issn:1234' is neither a year, an ISSN"),
        ("ISSN: 1234-567Y", "'ISSN: 1234-567Y' is neither a year, an ISSN"),
        ("2011-", "'2011-' is neither a year, an ISSN"),
        ("20111", "'20111' is neither a year, an ISSN"),
        ("@/none/here", "/none/here: cannot be read: No such file"),
    ],
)
def test_selection_of_says_what_is_wrong(option: str, message: str) -> None:
    with pytest.raises(BuildError, match=message):
        selection_of([option])


def test_build_takes_the_records_of_a_selection_and_counts_the_others(tmp_path: Path) -> None:
    target = tmp_path / "a.db"
    only = Selection(["issn:2345-6780"])
    summary = build([META], target, only=only)
    assert (summary.records, summary.unselected) == (18, {META: 87})
    with Database.open(target) as database:
        venues = {record.venue for record in database.records(range(1, 19))}
        assert venues == {"Journal Of Lamps"}
        assert database.layout.meta["only"] == "issn:2345-6780"


def test_update_keeps_what_is_there(tmp_path: Path) -> None:
    target = tmp_path / "a.db"
    build([META], target)
    before = build([DUMP], tmp_path / "b.db").records
    summary = update(target, [DUMP], only=Selection(["1900-2030"]))
    assert summary.records == 105 + before - sum(summary.unselected.values())
    with pytest.raises(BuildError, match="holds no publication; not selected by --only"):
        update(target, [DUMP], only=Selection(["1700"]))


def test_build_selects_in_child_processes_too(tmp_path: Path) -> None:
    content = META.read_bytes()
    header, _, rows = content.partition(b"\n")
    large, times = tmp_path / "large.csv", 17_000_000 // len(rows)
    large.write_bytes(header + b"\n" + rows * times)
    summary = build([large], tmp_path / "a.db", only=Selection(["issn:2345-6780"]))
    assert (summary.records, summary.unselected) == (18 * times, {large: 87 * times})
