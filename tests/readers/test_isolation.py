"""A reader that takes too long or too much memory is stopped, and what it may take is set back."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, TypeVar

import pytest

from citeproof import processes
from citeproof.model.reference import Reference
from citeproof.processes import command
from citeproof.readers.document import Document
from citeproof.readers.formats import read_all
from citeproof.readers.isolation import IsolatedReader, Limits, OverTime
from citeproof.readers.opening import open_documents
from tests.readers.formats.pdf.typeset import column, pdf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")


def test_limits_stop_a_block_that_takes_too_long() -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no such limits")
    start, before = time.monotonic(), signal.getsignal(signal.SIGALRM)
    with pytest.raises(OverTime), Limits(seconds=0.05).kept():
        time.sleep(30)
    assert time.monotonic() < start + 30
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_limits_stop_a_block_that_needs_too_much_memory() -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no such limits")
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(MemoryError), Limits(megabytes=4096).kept():
        bytearray(8 << 30)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_limits_leave_a_block_within_them_alone() -> None:
    with Limits().kept():
        done = sum(range(10))
    assert done == 45


PAPERS = [column(["References", "[1] A. Winter. On ribbons. Annals, 2001."])]
LONG = "<html><h1>References</h1>" + "<p>A. Winter. On ribbons. Annals, 2001.</p>" * 100_000


def read(reader: IsolatedReader, *paths: Path) -> list[str]:
    """Return the code of each diagnostic and the title of each reference."""
    found = read_all(reader.papers(open_documents(map(str, paths))))
    return [
        entry.title if isinstance(entry, Reference) else entry.code
        for bibliography in found
        for entry in bibliography.entries
    ]


def test_isolated_reader_stops_a_document_that_takes_too_long_and_reads_the_others(
    tmp_path: Path,
) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no such limits")
    (tmp_path / "a.html").write_text(LONG)
    (tmp_path / "b.bib").write_text("@misc{b, title = {B}}")
    (tmp_path / "c.pdf").write_bytes(pdf(PAPERS))
    with IsolatedReader(Limits(seconds=4)) as reader:
        assert read(reader, tmp_path) == ["document.too_costly", "B", "On ribbons"]


def test_isolated_reader_reads_what_it_expected_in_the_process_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "c.pdf").write_bytes(pdf(PAPERS))
    expected = [str(tmp_path / "c.pdf"), "missing.PDF"]
    started: list[str] = []

    def counted(module: str, *arguments: object) -> list[str]:
        started.append(module)
        return command(module, *arguments)

    monkeypatch.setattr(processes, "command", counted)
    with IsolatedReader().expecting(expected) as reader:
        assert until(lambda: started) == ["citeproof.processes"]
        assert read(reader, tmp_path) == ["On ribbons"]
        assert len(started) == 1
    with IsolatedReader().expecting(["b.bib", "-"]) as reader:
        assert len(started) == 1
        assert read(reader, tmp_path) == ["On ribbons"]
        assert len(started) == 2


def test_isolated_reader_reads_a_large_text_in_its_process(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no such limits")
    (tmp_path / "a.txt").write_text("References\n" + "a b\n" * 500_000)
    (tmp_path / "b.bib").write_text("@misc{b, title = {B}}")
    with IsolatedReader(Limits(seconds=20, megabytes=120)) as reader:
        assert read(reader, tmp_path) == ["document.too_costly", "B"]


def test_a_document_for_which_the_memory_does_not_suffice_costs_itself(tmp_path: Path) -> None:
    def neighbour(name: str) -> None:
        raise MemoryError(name)

    paper = Document.of("main.tex", b"\\documentclass{a}\\input{b}", neighbour=neighbour)
    other = Document.of("b.bib", b"@misc{b, title = {B}}")
    first, second = read_all([paper, other])
    assert [getattr(entry, "code", "") for entry in first.entries] == ["document.too_costly"]
    assert [reference.title for reference in second.references] == ["B"]


def until(found: Callable[[], list[T]]) -> list[T]:
    """Return what ``found`` returns as soon as it is not empty."""
    while not (items := found()):
        time.sleep(0.01)
    return items


def bomb(depth: int = 10, width: int = 10) -> bytes:
    """Return a PDF of 3 KB that draws ``width`` ** ``depth`` texts: each form draws the next one
    several times.
    """
    draw = "/N Do " * width
    font = 5 + depth
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /N 5 0"
            " R >> >> /Contents 4 0 R >>"
        ),
        f"<< /Length {len(draw)} >>\nstream\n{draw}\nendstream",
    ]
    for number in range(5, font):
        last = number == font - 1
        content = "BT /F 10 Tf 72 700 Td (References) Tj ET" if last else draw
        inside = f"/Font << /F {font} 0 R >>" if last else f"/XObject << /N {number + 1} 0 R >>"
        head = (
            f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << {inside} >> /Length"
            f" {len(content)}"
        )
        objects.append(f"<< {head} >>\nstream\n{content}\nendstream")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    body = "".join(
        f"{number} 0 obj\n{text}\nendobj\n" for number, text in enumerate(objects, start=1)
    )
    return f"%PDF-1.4\n{body}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n".encode()


def test_isolated_reader_reads_on_behind_a_pdf_that_takes_all_memory(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no such limits")
    (tmp_path / "a.pdf").write_bytes(bomb())
    (tmp_path / "c.pdf").write_bytes(pdf(PAPERS))
    with IsolatedReader(Limits(seconds=20, megabytes=200)) as reader:
        trouble, title = read(reader, tmp_path / "a.pdf", tmp_path / "c.pdf")
    assert trouble.split(".")[0] in {"document", "pdf"}  # the reader of PDF may stop first
    assert title == "On ribbons"


def test_read_names_each_document_before_it_is_read() -> None:
    named: list[str] = []
    with IsolatedReader() as reader:
        reader.on_read = named.append
        reader.read(Document.of_text("@misc{a, title={One}}", "a.bib"))
        reader.read(Document.of_text("@misc{b, title={Two}}", "b.bib"))
    assert named == ["a.bib", "b.bib"]


def test_expecting_imports_all_that_reads_the_format_before_a_document_comes() -> None:
    imported = "import sys; print([name for name in sys.modules if name.endswith('pdf.paper')])"
    asked = f"from citeproof.readers.isolation import _load; _load(['pdf', 'docx']); {imported}"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, text=True)
    assert "citeproof.readers.formats.pdf.paper" in done.stdout
