"""The file of evidence: found again by place, and nothing in it but what is kept."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from citeproof.screen.evidence import EvidenceFile

if TYPE_CHECKING:
    from pathlib import Path


def test_lines_are_found_by_their_place_and_read_as_one_file(tmp_path: Path) -> None:
    kept = EvidenceFile(tmp_path / "lines.gz", 0)
    first = kept.append(["one", "two"])
    second = kept.append(["three"])
    assert [kept.line(first, 1), kept.line(second, 0)] == ["two", "three"]
    assert gzip.decompress((tmp_path / "lines.gz").read_bytes()) == b"one\ntwo\nthree\n"


def test_what_was_begun_and_not_kept_is_cut_off(tmp_path: Path) -> None:
    kept = EvidenceFile(tmp_path / "lines.gz", 0)
    kept.append(["one"])
    size = kept.size
    kept.append(["two"])
    again = EvidenceFile(tmp_path / "lines.gz", size)
    again.append(["three"])
    assert again.whole
    assert gzip.decompress((tmp_path / "lines.gz").read_bytes()) == b"one\nthree\n"


def test_a_file_that_was_shortened_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "lines.gz"
    kept = EvidenceFile(path, 0)
    kept.append(["one"])
    path.write_bytes(path.read_bytes()[:-1])
    again = EvidenceFile(path, kept.size)
    assert (again.whole, again.size, path.stat().st_size) == (False, 0, 0)
