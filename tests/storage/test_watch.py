"""Files are looked at as often as asked, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.storage.sqlite import identity
from citeproof.storage.watch import Watch

if TYPE_CHECKING:
    from pathlib import Path


def test_each_file_has_its_identity_and_a_missing_one_none(tmp_path: Path) -> None:
    there, missing = tmp_path / "there", tmp_path / "missing"
    there.write_text("x")
    watch = Watch(there, missing)
    assert watch.look() == (identity(there), None)
    missing.write_text("y")
    there.unlink()
    assert watch.look() == (None, identity(missing))


def test_what_was_just_seen_is_not_looked_at_again(tmp_path: Path) -> None:
    path, now = tmp_path / "x", [100.0]
    watch = Watch(path, seconds=0.05, clock=lambda: now[0])
    assert watch.look() == (None,)
    path.write_text("x")
    now[0] += 0.04
    assert watch.look() == (None,)
    now[0] += 0.01
    assert watch.look() == (identity(path),)
