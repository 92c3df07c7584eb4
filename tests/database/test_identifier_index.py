"""Ids of records by DOI or arXiv identifier, from buckets that are made by hand."""

from pathlib import Path

import numpy as np

from citeproof.database.identifier_index import (
    BITS,
    IDS,
    KEY_BITS,
    LOW,
    TABLE,
    identifier_key,
    ids_with_identifier,
)
from citeproof.store.sqlite import APPLICATION_ID, BulkFile, ReadOnlyFile


def test_identifier_key_depends_on_the_kind_of_identifier() -> None:
    assert identifier_key("doi", "1706.03762") != identifier_key("arxiv_id", "1706.03762")
    assert 0 <= identifier_key("doi", "10.1/x") < 1 << KEY_BITS


def test_ids_with_identifier_compares_the_last_bits_within_a_bucket(tmp_path: Path) -> None:
    bits = 20
    key = identifier_key("doi", "10.1/x")
    low = key & 0xFFFF
    lows, ids = [low, low ^ 1, low, low ^ 0x8000], [9, 5, 2**32 - 1, 7]
    entries = np.array(lows, LOW).tobytes() + np.array(ids, IDS).tobytes()
    file = BulkFile(tmp_path / "new.db", APPLICATION_ID)
    file.execute(TABLE)
    bucket = key >> (KEY_BITS - bits)
    file.execute("INSERT INTO identifier_index VALUES (?, ?)", (bucket, entries))
    file.finish()
    index = ReadOnlyFile(tmp_path / "new.db")
    assert ids_with_identifier(index, {BITS: str(bits)}, "doi", "10.1/x") == [9, 2**32 - 1]
    assert ids_with_identifier(index, {BITS: str(bits)}, "doi", "10.1/other") == []
    index.close()
