"""Records and the fields of works become the same rows."""

from __future__ import annotations

from typing import Any

import pytest

from citeproof.bibdb.rows import notices_of, row_of, row_of_fields
from citeproof.bibdb.schema import COLUMNS
from citeproof.models import Record


def row(**fields: Any) -> dict[str, Any]:
    return dict(zip(COLUMNS, row_of_fields({"key": "W1", "title": "Lamps", **fields}, "openalex"), strict=True))


@pytest.mark.parametrize(
    ("authors", "stored"),
    [
        ((), None),
        (("Ada Lovelace",), "Ada Lovelace"),
        (("Ada Lovelace", "", "Zoë Ríos"), "Ada Lovelace; Zoë Ríos"),
        (("Smith; Jones",), "Smith, Jones"),
        (("A; B", "C D"), "A, B; C D"),
        (("A;", ";B", "C"), "A,; ,B; C"),
    ],
)
def test_what_parts_names_stands_in_no_name(authors: tuple[str, ...], stored: str | None) -> None:
    assert row(authors=authors)["authors"] == stored


def test_a_record_and_its_fields_are_one_row() -> None:
    fields: dict[str, Any] = {
        "key": "W1", "title": "Pt<sub>3</sub>Ni &amp; <i>C.  elegans</i>", "authors": ("A; B", "C"), "year": 2001,
        "venue": "J. of &lt;X&gt;", "pub_type": "article", "doi": "10.5555/1", "arxiv_id": "2001.00001", "pages": "1-2",
        "volume": "3", "number": "4", "url": "https://x.org", "crossref": "conf/x", "publtype": "informal",
    }  # fmt: skip
    stored = row_of_fields(fields, "s")
    assert stored == row_of(Record(**fields), "s")
    assert stored[:5] == ("W1", "s", "Pt3Ni & C. elegans", 2001, "J. of <X>")
    assert None not in stored


def test_a_work_without_a_doi_carries_no_notice() -> None:
    said = {"retraction": "https://x.org/r", "concern": "https://x.org/c"}
    assert notices_of(said, "s") == ()
    assert [notice[3:5] for notice in notices_of({**said, "doi": "10.5555/1"}, "s")] == [
        ("retraction", "https://x.org/r"), ("concern", "https://x.org/c"),
    ]  # fmt: skip
