"""Inputs that fuzzing kept: what the oracle says holds of each, and in each process alike."""

import hashlib
import os
import subprocess
import sys

import pytest

from tests.fuzz.oracle import check
from tests.fuzz.seeds import DATA
from tests.fuzz.targets import TARGETS

CORPUS = DATA / "fuzz"
ROOT = DATA.parents[1]
KEPT = sorted(path.name for path in CORPUS.iterdir())


def test_the_readers_that_were_fuzzed_are_there() -> None:
    assert len(KEPT) >= 16
    assert set(KEPT) <= set(TARGETS)


@pytest.mark.parametrize("target", KEPT)
def test_what_holds_of_every_input_holds_of_what_fuzzing_kept(target: str) -> None:
    inputs = [path.read_bytes() for path in sorted((CORPUS / target).glob("*"))]
    assert len(inputs) >= 5
    for data in inputs:
        assert check(target, data).entries


def test_another_process_reads_the_same() -> None:
    """The order of sets differs from process to process, and nothing that is read may depend on
    it.
    """
    assert digest("1") == digest("2")


def digest(seed: str) -> str:
    found = subprocess.run(
        [sys.executable, "-m", "tests.scenarios.formats.test_fuzzed"],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return found.stdout.decode()


def main() -> None:
    """Print one sum of all that is read from the corpus."""
    total = hashlib.sha256()
    for target, read in TARGETS.items():
        for path in sorted((CORPUS / target).glob("*")):
            total.update(repr(read(path.read_bytes())[1]).encode())
    print(total.hexdigest())


if __name__ == "__main__":
    main()
