"""A .bib file as a source."""

from pathlib import Path

from citeproof.database.building.source import open_source
from citeproof.database.schema import COLUMNS

DATA = Path(__file__).resolve().parents[3] / "data" / "bibdb"


def rows_of(path: Path) -> tuple[list[dict[str, str | int | None]], int]:
    source = open_source(path)
    try:
        batches = list(source.batches)
        rows = [dict(zip(COLUMNS, row, strict=True)) for batch in batches for row in batch.rows]
        return rows, sum(batch.skipped for batch in batches)
    finally:
        source.close()


def test_entries_become_rows_in_the_words_of_the_database() -> None:
    rows, skipped = rows_of(DATA / "library.bib")
    assert skipped == 1
    first, second = rows
    assert first["authors"] == "Kenji Abe; Lars Öberg"
    assert (first["title"], first["venue"], first["year"]) == (
        "A Lamp for every Tree",
        "Journal of Lamps",
        2001,
    )
    assert (first["doi"], first["source"], first["key"]) == (
        "10.5555/jl.2",
        "library.bib",
        "abe2001",
    )
    assert (second["pub_type"], second["arxiv_id"], second["authors"]) == (
        "inproceedings",
        "1203.0099",
        "Zoë Ríos",
    )


def test_other_encodings_are_read(tmp_path: Path) -> None:
    for encoding in ("latin-1", "utf-8-sig", "utf-16"):
        path = tmp_path / f"{encoding}.bib"
        path.write_bytes("@book{k, title = {Öl}}".encode(encoding))
        assert rows_of(path)[0][0]["title"] == "Öl"
