"""The process that has jobs done gives way to those who wait for an answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from citeproof.web.jobs.keeper import NICE

_SESSION = Path("/proc/self/autogroup")
_SAY = f"""
import os
from pathlib import Path
from citeproof.web.jobs.keeper import give_way
before = os.nice(0), int(Path("{_SESSION}").read_text().split()[-1])
give_way()
print(*before, os.nice(0), int(Path("{_SESSION}").read_text().split()[-1]))
"""


@pytest.mark.skipif(not _SESSION.exists(), reason="needs a Linux that shares the processors among sessions")
@pytest.mark.parametrize("own_session", [True, False])
def test_it_gives_way_with_its_session_and_leaves_the_session_of_others_alone(*, own_session: bool) -> None:
    command = [sys.executable, "-c", _SAY]
    said = subprocess.run(command, check=True, capture_output=True, start_new_session=own_session, text=True).stdout
    nice, of_session, nice_after, of_session_after = map(int, said.split())
    assert nice_after == min(19, nice + NICE)
    assert of_session_after == (NICE if own_session else of_session)
