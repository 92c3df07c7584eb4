"""Records of a file are read once for one reference, and few are remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.database import records
from citeproof.database.layout import detect
from citeproof.database.records import Notices, Records
from citeproof.store.sqlite import ReadOnlyFile

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from citeproof.database.lookup import Database


def test_by_id_reads_a_record_once_for_title_and_doi(
    small: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = small.look_up("Lamp Trees: Sorting by Light in O(n2) Steps").candidates[0].record
    monkeypatch.setattr(ReadOnlyFile, "rows_with", None)
    assert found.doi
    assert small.records_with("doi", found.doi) == (found,)


def test_by_id_caches_few_records(
    small_path: Path, small: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "RECENT_RECORDS", 2)
    ids = [number for number, _ in small.titles()]
    file = ReadOnlyFile(small_path)
    layout = detect(file)
    few = Records(file, layout, Notices(file, layout))
    assert len(ids) > 2
    for asked in ([ids[0]], ids[1:3], ids, [ids[0]], [ids[2]]):
        assert list(few.by_id(asked)) == asked
        assert len(few._recent) <= 2
    file.close()
