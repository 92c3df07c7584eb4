"""The fewest inputs of a corpus that reach every step from line to line that all of it reaches."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import citeproof
from tests.fuzz.seeds import DATA, LONGEST
from tests.fuzz.targets import TARGETS

if TYPE_CHECKING:
    from types import FrameType

SOURCE = str(Path(citeproof.__file__).parent)
MOST_BYTES = 10_000
"""Of one target's inputs in the suite together."""
Step = tuple[str, int, int]


def keep(target: str, corpus: Path) -> None:
    """Write the inputs to keep of ``corpus`` to the data of the tests, and print how many there
    are.
    """
    found = sorted((path.read_bytes() for path in corpus.iterdir()), key=len)
    reached: list[tuple[bytes, set[Step]]] = [
        (data, steps(target, data)) for data in found if len(data) <= LONGEST
    ]
    wanted = set[Step]().union(*(of for _, of in reached))
    place, size, left, kept = DATA / "fuzz" / target, 0, set(wanted), 0
    place.mkdir(parents=True, exist_ok=True)
    while left:
        data, new = max(reached, key=lambda one: len(one[1] & left) / (len(one[0]) + 40))
        if not new & left or size + len(data) > MOST_BYTES:
            break
        (place / hashlib.sha1(data).hexdigest()[:12]).write_bytes(data)
        size, left, kept = size + len(data), left - new, kept + 1
    print(
        f"{target}: {kept} of {len(found)} inputs, {size} bytes, {len(wanted) - len(left)} of"
        f" {len(wanted)} steps"
    )


def steps(target: str, data: bytes) -> set[Step]:
    """Return the steps from line to line of citeproof that reading ``data`` takes."""
    reached: set[Step] = set()
    last: dict[FrameType, int] = {}

    def line(frame: FrameType, event: str, argument: object) -> object:
        del argument
        if event == "line":
            reached.add((frame.f_code.co_filename, last.get(frame, 0), frame.f_lineno))
            last[frame] = frame.f_lineno
        return line

    def call(frame: FrameType, event: str, argument: object) -> object:
        del event, argument
        return line if frame.f_code.co_filename.startswith(SOURCE) else None

    sys.settrace(call)  # type: ignore[arg-type]
    try:
        TARGETS[target](data)
    except Exception:  # noqa: BLE001 - a fault is a test of its own
        pass
    finally:
        sys.settrace(None)
    return reached
