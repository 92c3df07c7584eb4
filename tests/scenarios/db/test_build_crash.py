"""A build that is killed, stopped or starved: the old database is intact, and the next build cleans
up.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import threading
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from citeproof.database.building.builder import build, update
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.check import check
from citeproof.database.lookup import Database
from citeproof.database.title_index.attached import finish_replacement
from citeproof.model.errors import BuildError
from citeproof.store.files import SUFFIX, replacing
from tests.database.conftest import DUMP, many_records

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KILLS = int(os.environ.get("KILLS", "20"))
RECORDS = 300


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return a database with its title index, alone in its folder."""
    folder = tmp_path / "out"
    folder.mkdir()
    build([DUMP], folder / "a.db", titles=TitleIndexer(folder / "a.db"))
    return folder / "a.db"


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return many_records(tmp_path / "many.xml", RECORDS)


@pytest.mark.slow
def test_killed_at_random_points_the_old_file_is_intact(target: Path, dump: Path) -> None:
    """The child kills itself after so many calls of Python or C functions, so every point is as
    likely as another.

    Between the moments when index and database take their places, the old database has the new
    index; it goes without one then, and answers as before.
    """
    old = target.read_bytes()
    points = _calls_of(lambda: build([dump], target.with_name("b.db"), titles=TitleIndexer(target)))
    for name in ("b.db", "b.db.titles", "a.db.titles"):
        target.with_name(name).unlink(missing_ok=True)
    build([DUMP], target, titles=TitleIndexer(target))
    old = target.read_bytes()
    drawn = random.Random()
    outcomes: Counter[str] = Counter()
    for _ in range(KILLS):
        point = drawn.randrange(points)
        _build_in_child(target, dump, kill_after=point)
        with Database.open(target) as database:
            # after the opening, which finishes a replacement that was cut off
            intact = target.read_bytes() == old
            outcomes["old" if intact else "new"] += 1
            faults = {finding.subject for finding in check(database) if not finding.sound}
            assert faults <= {"title index"}, f"killed after {point} of {points} calls"
            title = (
                "Is Every Multi-Agent Lamp C++ & C# Safe?"
                if intact
                else "Lamp number 7 shines on tree 49"
            )
            assert database.look_up(title).candidates[0].similarity == 1
        if faults or not intact:
            build([DUMP], target, force=True, titles=TitleIndexer(target))
            old = target.read_bytes()
    assert outcomes["old"] > KILLS / 2, f"hardly any kill came before the end: {outcomes}"
    build([dump], target, titles=TitleIndexer(target))
    assert sorted(path.name for path in target.parent.iterdir()) == ["a.db", "a.db.titles"]


def _calls_of(action: Callable[[], object]) -> int:
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def _build_in_child(target: Path, dump: Path, kill_after: int) -> None:
    child = os.fork()
    if not child:
        left = kill_after

        def count(*_: object) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.setprofile(count)
            build([dump], target, titles=TitleIndexer(target))
        finally:
            os._exit(0)
    os.waitpid(child, 0)


@pytest.mark.parametrize(
    ("number", "code", "message"),
    [
        (signal.SIGINT, 130, "citeproof: interrupted"),
        (signal.SIGTERM, 2, "citeproof: stopped by SIGTERM; nothing was changed"),
        (signal.SIGHUP, 2, "citeproof: stopped by SIGHUP; nothing was changed"),
    ],
)
def test_told_to_stop_it_leaves_no_litter(
    target: Path, number: signal.Signals, code: int, message: str
) -> None:
    before = {path.name: path.read_bytes() for path in target.parent.iterdir()}
    command = [sys.executable, "-m", "citeproof", "db", "build", "-", "-o", str(target)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # in the background it is ignored
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    ) as builder:
        assert builder.stdin
        assert builder.stderr
        builder.stdin.write("<dblp>" + "<article key='k'><title>T</title></article>" * 20_000)
        # it has taken more than a pipe holds, so it is at work, and waits for the rest
        builder.stdin.flush()
        builder.send_signal(number)
        assert builder.wait(60) == code
        assert message in builder.stderr.read()
    assert {path.name: path.read_bytes() for path in target.parent.iterdir()} == before


def test_a_full_disk_is_one_clear_line(target: Path, tmp_path: Path) -> None:
    dump = many_records(tmp_path / "more.xml", 5000)
    before = {path.name: path.read_bytes() for path in target.parent.iterdir()}
    child = subprocess.run(
        [sys.executable, "-m", "citeproof", "db", "build", str(dump), "-o", str(target)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert child.returncode == 2
    assert child.stderr.startswith("citeproof: ")
    assert child.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in target.parent.iterdir()} == before


def test_a_second_build_of_the_same_file_is_refused_and_harms_nothing(target: Path) -> None:
    with replacing(target) as building:
        building.write_bytes(b"in the making")
        with pytest.raises(BuildError, match="another build of the same file is running"):
            build([DUMP], target)
        assert building.read_bytes() == b"in the making"
    assert target.read_bytes() == b"in the making"


def test_what_a_killed_build_left_is_taken_over(target: Path) -> None:
    left_over = target.with_name(target.name + SUFFIX)
    left_over.write_bytes(b"half a database" * 1000)
    build([DUMP], target, titles=TitleIndexer(target))
    assert not left_over.exists()
    with Database.open(target) as database:
        assert all(finding.sound for finding in check(database))


def test_a_build_killed_between_its_renames_is_finished_by_the_next_run(
    target: Path, dump: Path
) -> None:
    old = target.read_bytes()
    update(target, [dump], titles=TitleIndexer(target))
    target.rename(target.with_name(target.name + SUFFIX))
    target.write_bytes(old)  # as a kill after the rename of the index leaves them
    with Database.open(target) as database:
        assert not database.warnings
        assert database.describe()["records"] == RECORDS
    assert [path.name for path in sorted(target.parent.iterdir())] == ["a.db", "a.db.titles"]


@pytest.mark.usefixtures("windows")
def test_a_build_killed_between_its_renames_is_finished_on_windows(target: Path) -> None:
    new = target.read_bytes()
    target.with_name(target.name + SUFFIX).write_bytes(new)
    target.write_bytes(b"old")
    assert finish_replacement(target)
    assert target.read_bytes() == new


def test_a_build_that_runs_is_not_finished_by_another_run(target: Path) -> None:
    with replacing(target) as building:
        building.write_bytes(target.read_bytes())
        assert not finish_replacement(target)
        assert building.exists()


def test_a_database_that_the_index_does_not_name_is_not_taken(target: Path) -> None:
    left_over = target.with_name(target.name + SUFFIX)
    left_over.write_bytes(b"half a database" * 1000)
    assert not finish_replacement(target)
    assert left_over.exists()


def test_builds_of_one_file_at_once_end_with_a_sound_one(target: Path, dump: Path) -> None:
    refused: list[BuildError] = []

    def run() -> None:
        try:
            build([dump], target, titles=TitleIndexer(target))
        except BuildError as error:
            refused.append(error)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) < len(threads)
    with Database.open(target) as database:
        assert database.look_up("Lamp number 7 shines on tree 49").found
        assert all(finding.sound for finding in check(database))
    assert not target.with_name(target.name + SUFFIX).exists()
