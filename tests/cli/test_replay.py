"""Files that ``replay`` is given."""

import gzip
from pathlib import Path

import pytest

from citeproof.cli import replay
from citeproof.model.errors import InputError
from citeproof.verification.evidence.replay import Replay

CASES = sorted((Path(__file__).parents[1] / "data" / "evidence" / "honest").glob("*.jsonl"))


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_replayed_yields_line_numbers_with_results_and_errors(tmp_path: Path) -> None:
    line = _lines(CASES[0])[0]
    path = tmp_path / "case.jsonl"
    path.write_bytes(line + b"\n  \n{}\n" + line)
    found = list(replay._replayed(path, None))
    assert [number for number, _ in found] == [1, 4, 5]
    first, broken, last = (one for _, one in found)
    assert isinstance(broken, InputError)
    assert isinstance(first, Replay)
    assert isinstance(last, Replay)
    assert first.equal
    assert last.equal


def test_replayed_reads_gzip_by_content_and_refuses_a_cut_file(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(_lines(CASES[0])))
    path = tmp_path / "case.txt"
    path.write_bytes(packed)
    assert len(list(replay._replayed(path, None))) == len(_lines(CASES[0]))
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=r"case\.txt: cannot be read: "):
        list(replay._replayed(path, None))


def test_dossier_is_none_for_another_file_and_fails_on_a_missing_one(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html>\n<p>no dossier")
    assert replay._dossier(path) is None
    assert replay._dossier(CASES[0]) is None
    path.write_bytes(b"<!doctype html>\xff")
    with pytest.raises(InputError, match=r"page\.html: cannot be read: "):
        replay._dossier(path)
    with pytest.raises(InputError, match="No such file"):
        replay._dossier(tmp_path / "missing.html")
