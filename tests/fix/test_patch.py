"""Patches, applied by git itself."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeproof.fix.patch import patch

if TYPE_CHECKING:
    from pathlib import Path


def _edited(old: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    pieces, at = [], 0
    for start, end, text in edits:
        pieces += [old[at:start], text]
        at = end
    return b"".join([*pieces, old[at:]])


def _applied(folder: Path, old: bytes, said: bytes) -> bytes:
    (folder / "refs.bib").write_bytes(old)
    subprocess.run(["git", "apply", "-"], input=said, cwd=folder, check=True, capture_output=True)
    return (folder / "refs.bib").read_bytes()


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from([b"a", b"bb\r", b"c \xe9", b""]), min_size=1, max_size=40), st.data()
)
def test_patch_git_makes_the_new_file_of_it(
    tmp_path: Path, lines: list[bytes], data: st.DataObject
) -> None:
    old = b"x\n" + b"\n".join(lines)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(old)), min_size=2, max_size=6)))
    edits = [(start, end, b"new") for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    new = _edited(old, edits)
    assert _applied(tmp_path, old, patch("refs.bib", old, new, edits)) == new


@pytest.mark.parametrize(
    ("old", "edit"),
    [
        (b"x\n", (0, 2, b"new")),
        (b"x\n", (1, 2, b"new")),
        (b"x\n", (2, 2, b"new")),
        (b"x\ny\n", (2, 4, b"new")),
    ],
)
def test_patch_the_last_line_feed_may_be_edited(
    tmp_path: Path, old: bytes, edit: tuple[int, int, bytes]
) -> None:
    new = _edited(old, [edit])
    assert _applied(tmp_path, old, patch("refs.bib", old, new, [edit])) == new


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize(
    "name", ["a\nb \x1b[2J.bib", '"q".bib', "b\\s.bib", "\udcff.bib", "é a.bib"]
)
def test_patch_git_finds_a_file_of_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"old\n")
    said = patch(name, b"old\n", b"new\n", [(0, 3, b"new")])
    assert b"\x1b" not in said
    subprocess.run(["git", "apply", "-"], input=said, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / name).read_bytes() == b"new\n"


def test_patch_nothing_changed_is_no_patch() -> None:
    assert patch("refs.bib", b"a\n", b"a\n", []) == b""


def test_patch_a_line_that_is_there_still_is_not_shown_as_changed() -> None:
    old, new = b"a\nb\nc\nd\n", b"a\nX\nc\nY\nd\n"
    said = patch("refs.bib", old, new, [(2, 3, b"X"), (5, 5, b"\nY")])
    assert said.splitlines()[3:] == [b" a", b"-b", b"+X", b" c", b"+Y", b" d"]


def test_patch_many_touched_lines_are_not_compared_with_each_other(tmp_path: Path) -> None:
    old = b"x\n" * 5000
    new = b"y\n" + old[2:-2] + b"z\n"
    edits = [(0, len(old), new)]
    assert patch("refs.bib", old, new, edits).splitlines().count(b"-x") == 5000
    assert _applied(tmp_path, old, patch("refs.bib", old, new, edits)) == new


@pytest.mark.parametrize(("between", "hunks"), [(6, 1), (7, 2)])
def test_patch_joins_changes_whose_context_meets(between: int, hunks: int) -> None:
    old = b"a\n" + b"x\n" * between + b"b\n"
    new = old.replace(b"a", b"A").replace(b"b", b"B")
    said = patch("refs.bib", old, new, [(0, 1, b"A"), (len(old) - 2, len(old) - 1, b"B")])
    assert said.count(b"\n@@ ") == hunks


@pytest.mark.parametrize(
    ("name", "quoted"),
    [("a b.bib", b"a/a b.bib"), ("a\tb.bib", b'"a/a\\011b.bib"'), ('a"b.bib', b'"a/a\\042b.bib"')],
)
def test_patch_quotes_unusual_names_as_git_does(name: str, quoted: bytes) -> None:
    assert patch(name, b"a\n", b"b\n", [(0, 1, b"b")]).splitlines()[0] == b"--- " + quoted
