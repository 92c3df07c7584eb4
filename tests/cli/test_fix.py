"""``citeproof fix`` in cases that no command line reaches."""

import itertools
import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from citeproof.cli import fix
from citeproof.database.building.sample import sample_database
from citeproof.model.reference import Severity
from citeproof.readers.opening import refused


def test_inputs_with_notes_alone_leave_nothing_to_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    note = refused("a.bib", "repeated", "is named twice; it is read once", Severity.NOTE)
    monkeypatch.setattr(fix, "open_documents", lambda _: iter([note]))
    done = CliRunner().invoke(fix.command, ["a.bib"], standalone_mode=False)
    assert done.exception is None
    assert "a.bib: is named twice; it is read once" in done.output
    assert "0 fields to correct" in done.output


WRONG = """@article{v, author = {Leslie G. Valiant}, title = {A Theory of the Learnable},
  journal = {Communications of the ACM}, year = {1988}}
"""


@pytest.mark.parametrize(
    ("calls", "is_written"), [(1, False), (2, False), (3, False), (4, True), (99, True)]
)
def test_an_interrupted_write_never_loses_the_file_as_it_was(
    citeproof_home: Path, monkeypatch: pytest.MonkeyPatch, calls: int, is_written: bool
) -> None:
    """Each of the two files, the copy and the bibliography, is flushed, and then its folder."""
    for name in ("one.bib", "two.bib"):
        (citeproof_home / name).write_text(WRONG)
    real, left = os.fsync, itertools.count(1)

    def interrupted(descriptor: int) -> None:
        if next(left) == calls:
            raise KeyboardInterrupt
        real(descriptor)

    monkeypatch.setattr(os, "fsync", interrupted)
    done = CliRunner().invoke(
        fix.command, ["--write", "--no-cache", "one.bib", "two.bib"], standalone_mode=False
    )
    text, copy = (citeproof_home / "one.bib").read_text(), citeproof_home / "one.bib.orig"
    assert (text != WRONG) == is_written == copy.exists()
    if calls == 99:
        assert done.exception is None
        return
    assert isinstance(done.exception, click.Abort | KeyboardInterrupt)
    assert ("one.bib: was changed; one.bib.orig has the old content" in done.output) == is_written
    assert (citeproof_home / "two.bib").read_text() == WRONG


def test_an_interruption_names_what_was_written_before(
    citeproof_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one.bib", "two.bib"):
        (citeproof_home / name).write_text(WRONG)
    real, left = os.fsync, itertools.count(1)

    def interrupted(descriptor: int) -> None:
        if next(left) == 5:
            raise KeyboardInterrupt
        real(descriptor)

    monkeypatch.setattr(os, "fsync", interrupted)
    done = CliRunner().invoke(
        fix.command, ["--write", "--no-cache", "one.bib", "two.bib"], standalone_mode=False
    )
    assert "one.bib:1 v: " in done.output
    assert "1 field corrected; the old file is kept with the suffix .orig" in done.output


@pytest.fixture
def citeproof_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder of a user whose database is the sample."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("CITEPROOF_BIB_DB", str(sample_database(tmp_path / "database")))
    return tmp_path
