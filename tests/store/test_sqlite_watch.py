"""Polling the identity of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.store.sqlite import Watch, identity

if TYPE_CHECKING:
    from pathlib import Path


def test_look_returns_identities_and_none_for_a_missing_file(tmp_path: Path) -> None:
    there, missing = tmp_path / "there", tmp_path / "missing"
    there.write_text("x")
    watch = Watch(there, missing)
    assert watch.look() == (identity(there), None)
    missing.write_text("y")
    there.unlink()
    assert watch.look() == (None, identity(missing))


def test_look_returns_the_last_result_within_its_interval(tmp_path: Path) -> None:
    path, now = tmp_path / "x", [100.0]
    watch = Watch(path, seconds=0.05, clock=lambda: now[0])
    assert watch.look() == (None,)
    path.write_text("x")
    now[0] += 0.04
    assert watch.look() == (None,)
    now[0] += 0.01
    assert watch.look() == (identity(path),)
