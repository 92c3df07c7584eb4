"""The RFC Editor's index as a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import BuildError
from tests.database.building.sources.given import read

if TYPE_CHECKING:
    from pathlib import Path

INDEX = """<?xml version="1.0" encoding="UTF-8"?>
<rfc-index xmlns="{namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
    <bcp-entry><doc-id>BCP0001</doc-id><is-also><doc-id>RFC0042</doc-id></is-also></bcp-entry>
    <rfc-entry>
        <doc-id>RFC0042</doc-id>
        <title>Lamps over the
          Wire</title>
        <author><name>Z. Ríos</name></author>
        <author><name>P. Lato</name><title>Editor</title></author>
        <date><month>April</month><year>1998</year></date>
        <obsoletes><doc-id>RFC0007</doc-id></obsoletes>
        <current-status>PROPOSED STANDARD</current-status>
        <doi>10.17487/RFC0042</doi>
    </rfc-entry>
    <rfc-entry><doc-id>RFC9001</doc-id><title>More Lamps</title>
      <date><month>May</month><year>2021</year></date></rfc-entry>
    <rfc-not-issued-entry><doc-id>RFC0014</doc-id></rfc-not-issued-entry>
</rfc-index>
"""


@pytest.mark.parametrize(
    "namespace", ["http://www.rfc-editor.org/rfc-index", "https://www.rfc-editor.org/rfc-index"]
)
def test_rfc_entries_become_rows(tmp_path: Path, namespace: str) -> None:
    (tmp_path / "rfc-index.xml").write_text(INDEX.format(namespace=namespace))
    found = read(tmp_path / "rfc-index.xml")
    row = {name: value for name, value in found.rows[0].items() if value is not None}
    assert row == {
        "key": "rfc42",
        "source": "rfc",
        "title": "Lamps over the Wire",
        "year": 1998,
        "venue": "RFC",
        "pub_type": "article",
        "authors": "Z. Ríos; P. Lato",
        "doi": "10.17487/rfc0042",
        "volume": "42",
        "url": "https://www.rfc-editor.org/info/rfc42",
    }
    assert (len(found.rows), found.date, found.faults) == (2, "2021-05-01", [])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("<rfc-index><rfc-entry>", "ends in the middle"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><rfc-index></rfc-index>", "declares a document type"),
    ],
)
def test_a_broken_index_is_refused(tmp_path: Path, text: str, error: str) -> None:
    (tmp_path / "rfc-index.xml").write_text(text)
    with pytest.raises(BuildError, match=error):
        read(tmp_path / "rfc-index.xml")
