"""A screening that is killed several times has the same results as one without kills.

``KILLS=30 pytest tests/scenarios/screen/test_kill.py`` kills it more often than the usual twice.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.scenarios.screen.conftest import Screen

KILLS = int(os.environ.get("KILLS", "2"))
PAPERS = 12


def done(folder: Path) -> int:
    """Return how many units were read and references checked."""
    path = folder / "screening.db"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as store:
        try:
            (row,) = store.execute(
                "SELECT (SELECT count(*) FROM units) + (SELECT count(*) FROM verdicts)"
            )
            return int(row[0])
        except sqlite3.OperationalError:  # killed before it had tables
            return 0


@pytest.mark.slow
@pytest.mark.timeout(240 + 60 * KILLS)
def test_screen_resumes_after_kills_with_the_same_results(screen: Screen, tmp_path: Path) -> None:
    dice = random.Random(KILLS)
    titles = screen.titles(50 * PAPERS)
    for paper in range(PAPERS):
        screen.paper(f"{paper}.bib", *titles[50 * paper : 50 * (paper + 1)])
    screen()
    tables = ("papers", "references", "verdicts", "places", "signals")
    expected = {name: [row | {"seconds": 0} for row in screen.table(name)] for name in tables}
    killed = tmp_path / "killed"
    command = [
        sys.executable,
        "-m",
        "citeproof",
        "screen",
        str(screen.papers),
        "-o",
        str(killed),
        "--processes",
        "2",
    ]
    before = 0
    for _ in range(KILLS):
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        target = before + dice.randrange(1, 51 * PAPERS // (KILLS + 1))
        while run.poll() is None and done(killed) < target:
            time.sleep(0.02)
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert done(killed) >= before
        before = done(killed)
    assert before > 0
    last = subprocess.run(command, capture_output=True, text=True, check=False)
    assert last.returncode == 0, last.stderr
    assert "Traceback" not in last.stderr
    screen = type(screen)(screen.papers, killed, screen.pool)
    assert {
        name: [row | {"seconds": 0} for row in screen.table(name)] for name in tables
    } == expected
    assert expected["verdicts"]
