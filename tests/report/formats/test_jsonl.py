"""JSON lines: an object for each verdict, written at once."""

import io
import json

from citeproof.model.reference import Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.formats.jsonl import begin, render
from citeproof.report.serialization import result_object

VERDICTS = tuple(
    Verdict(Reference(key, title="Über\u2028Tische\n"), Status.VALID, "record_agrees", 1.0)
    for key in ("a", "b")
)


class _Flushed(io.StringIO):
    """A stream that remembers what had been flushed."""

    flushed = ""

    def flush(self) -> None:
        self.flushed = self.getvalue()


def test_begin_writes_and_flushes_each_verdict() -> None:
    out = _Flushed()
    write = begin(out)
    write(VERDICTS[0])
    first = out.flushed
    assert json.loads(first) == result_object(VERDICTS[0])
    assert first.count("\n") == 1
    assert "Über" in first
    write(VERDICTS[1])
    assert out.flushed.startswith(first)
    assert out.flushed.count("\n") == 2


def test_render_writes_a_line_for_each_verdict_and_nothing_else() -> None:
    out = io.StringIO()
    render(Run({}, ("a note",), VERDICTS, Statistics.of(VERDICTS, 0)), out)
    assert [json.loads(line)["key"] for line in out.getvalue().split("\n") if line] == ["a", "b"]
    none = io.StringIO()
    render(Run({}, (), (), Statistics.of((), 0)), none)
    assert none.getvalue() == ""
