"""The identifier index, written and read."""

import io
from pathlib import Path

import pytest

from citeproof.database.building import identifier_index as building
from citeproof.database.building.key_pairs import KeyPairs
from citeproof.database.identifier_index import BITS, ids_with_identifier
from citeproof.database.schema import COLUMNS, TABLES, Row
from citeproof.store.sqlite import APPLICATION_ID, BulkFile, ReadOnlyFile


def _row(**values: str) -> Row:
    return tuple(values.get(name, "") for name in COLUMNS)


@pytest.mark.parametrize("count", [1, 500, 60_000])
def test_ids_with_identifier_finds_what_write_has_written(tmp_path: Path, count: int) -> None:
    rows = [_row(doi=f"10.1/{number}") for number in range(count)]
    rows += [_row(), _row(arxiv_id="1706.03762"), _row(doi="1706.03762"), _row(doi="10.1/0")]
    pairs = KeyPairs(io.BytesIO())
    pairs.add(1, building.keys_of(rows))
    file = BulkFile(tmp_path / "new.db", APPLICATION_ID)
    file.execute(TABLES)
    building.write(pairs, file)
    ((bits,),) = file.execute("SELECT value FROM meta WHERE name = ?", (BITS,))
    file.finish()
    index = ReadOnlyFile(tmp_path / "new.db")
    meta = {BITS: bits}
    assert ids_with_identifier(index, meta, "doi", "10.1/0") == [1, count + 4]
    assert count in ids_with_identifier(index, meta, "doi", f"10.1/{count - 1}")
    assert ids_with_identifier(index, meta, "arxiv_id", "1706.03762") == [count + 2]
    assert ids_with_identifier(index, meta, "doi", "1706.03762") == [count + 3]
    assert ids_with_identifier(index, meta, "doi", "10.9/none") == []
    (buckets,) = index.rows("SELECT count(*), max(length(entries)) FROM identifier_index")
    assert buckets[1] <= 6 * 200
    index.close()
