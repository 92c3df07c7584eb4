"""``citeproof fix`` in cases that no command line reaches."""

import pytest
from click.testing import CliRunner

from citeproof.cli import fix
from citeproof.model.reference import Severity
from citeproof.readers.opening import refused


def test_inputs_with_notes_alone_leave_nothing_to_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    note = refused("a.bib", "repeated", "is named twice; it is read once", Severity.NOTE)
    monkeypatch.setattr(fix, "open_documents", lambda _: iter([note]))
    done = CliRunner().invoke(fix.command, ["a.bib"], standalone_mode=False)
    assert done.exception is None
    assert "a.bib: is named twice; it is read once" in done.output
    assert "0 fields to correct" in done.output
