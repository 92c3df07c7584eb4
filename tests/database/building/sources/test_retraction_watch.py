"""Retraction Watch's table as a source of notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.database.building.sources.given import read

if TYPE_CHECKING:
    from pathlib import Path

HEADER = (
    "Record ID,Title,Journal,Author,RetractionDate,RetractionDOI,OriginalPaperDOI,"
    "RetractionNature,Notes\n"
)


def test_notices_have_doi_title_and_authors_as_far_as_they_are_stated(tmp_path: Path) -> None:
    path = tmp_path / "retraction_watch.csv"
    path.write_bytes(
        (
            HEADER + '1,"Lamps, Lit",J,"Z Ríos;K Abe",11/30/2021'
            ' 0:00,10.5555/n.1,10.5555/A.1,Retraction,"a\nb"\n'
            + "2,Trees <i>of</i> Light,J,Z Rios;K Abe,1/2/2020"
            " 0:00,unavailable,Unavailable,Expression of concern,\n"
            + "3,Moths,J,A B,1/2/2022 0:00,10.5555/n.3,10.5555/c,Correction,\n"
            + "4,Flies,J,A B,soon,10.5555/n.4,10.5555/d,Retraction,\n"
        ).encode("cp1252")
    )
    found = read(path)
    assert found.rows == []
    assert found.notices == [
        (
            "10.5555/a.1",
            "lamps lit",
            "Z Ríos;K Abe",
            "retraction",
            "https://doi.org/10.5555/n.1",
            "2021-11-30",
            "retraction-watch",
        ),
        (
            None,
            "trees of light",
            "Z Rios;K Abe",
            "concern",
            "https://retractiondatabase.org",
            "2020-01-02",
            "retraction-watch",
        ),
        (
            "10.5555/d",
            "flies",
            "A B",
            "retraction",
            "https://doi.org/10.5555/n.4",
            None,
            "retraction-watch",
        ),
    ]
    assert found.date == "2022-01-02"
