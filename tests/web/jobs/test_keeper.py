"""The process that has jobs done gives way to those who wait for an answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from citeproof.web.jobs.keeper import NICE

_SESSION = Path("/proc/self/autogroup")
"""Says the nice value of the session last; empty where the session is older than the system's grouping by session."""
_SAY = f"""
import os
from pathlib import Path
from citeproof.web.jobs.keeper import give_way

def nice_of_session():
    return (Path("{_SESSION}").read_text().split() or ["none"])[-1]

before = os.nice(0), nice_of_session()
give_way()
print(*before, os.nice(0), nice_of_session())
"""


@pytest.mark.skipif(not _SESSION.exists(), reason="needs a Linux that shares the processors among sessions")
@pytest.mark.parametrize("own_session", [True, False])
def test_it_gives_way_with_its_session_and_leaves_the_session_of_others_alone(*, own_session: bool) -> None:
    command = [sys.executable, "-c", _SAY]
    said = subprocess.run(command, check=True, capture_output=True, start_new_session=own_session, text=True).stdout
    nice, of_session, nice_after, of_session_after = said.split()
    assert int(nice_after) == min(19, int(nice) + NICE)
    assert of_session_after == (str(NICE) if own_session and of_session != "none" else of_session)
