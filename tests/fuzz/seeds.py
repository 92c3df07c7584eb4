"""What the fuzzer begins with: samples of the tests, made bibliographies, and words of each
format.
"""

from __future__ import annotations

import io
import json
import tarfile
import tomllib
import zipfile
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import bibliographies
from tests.readers.formats.pdf.typeset import column, pdf
from tests.scenarios.formats.test_growth import BEGINNINGS, PATTERNS

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parents[1] / "data"
LONGEST = 8192
"""Bytes of one input: long enough for several entries, short enough for many inputs a second."""
STRINGS = (
    (
        'A. Lee and B. Ray, "On winter in old towns," Journal of Snow, vol. 3, no. 2, pp. 1-9,'
        " 2019. doi:10.1000/XYZ"
    ),
    (
        "Lee, A., & Ray, B. (2019). On winter: a study. Journal of Snow, 3(2), 1-9."
        " https://doi.org/10.1000/xyz"
    ),
    "Fox C, Elk D, et al. A title about foxes. J Snow. 2020;3(2):1-9.",
    (
        "[3] Novák, J.; 李明. Über Schnee? Springer, Wien 1999. (a) part one; (b) part two."
        " arXiv:1706.03762v2 [cs.CL]"
    ),
    (
        "———. 2001. “A question: is it snow?” Ph.D. thesis, accessed on 3 May 2020,"
        " http://a.example/b_c?d=1"
    ),
)


def seeds(name: str) -> Iterator[bytes]:
    """Yield inputs of the target ``name``, of at most :data:`LONGEST` bytes each."""
    for path in sorted((DATA / "formats" / name).glob("sample*")):
        yield path.read_bytes()
    for path in sorted((DATA / "fuzz" / name).glob("*")):
        yield path.read_bytes()
    if name in bibliographies.FORMATS:
        yield bibliographies.document(name, bibliographies.works(3)).data
    if name == "bibtex":
        cases = tomllib.loads((DATA / "formats" / "bibtex" / "cases.toml").read_text("utf-8"))[
            "case"
        ]
        yield from (case["input"].encode() for case in cases)
    yield from (
        f"{start}{piece * 3}".encode()
        for start in BEGINNINGS.get(name, ())
        for piece in PATTERNS[name]
    )
    yield from {
        "archive": _archives,
        "lists": _lists,
        "pdf": _pages,
        "plain": _strings,
        "detected": _others,
    }.get(name, lambda: iter(()))()


def words(name: str) -> list[bytes]:
    """Return what the fuzzer likes to put in: what means something in the format."""
    pieces = {piece.encode() for piece in (*PATTERNS.get(name, ()), *BEGINNINGS.get(name, ()))}
    common = {
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        "é".encode(),
        "，".encode(),
        b"&#xD800;",
        b"10.1000/",
        b"arXiv:",
        b"2019",
        b" and ",
        b"et al.",
        b"\\u0000",
        b"\\ud800",
        b"\x1b[31m",
        b"[1] ",
        b"[2] ",
        b"References\n",
    }
    return sorted(piece for piece in pieces | common if 0 < len(piece) <= 60)


def _strings() -> Iterator[bytes]:
    yield from (string.encode() for string in STRINGS)


def _lists() -> Iterator[bytes]:
    numbered = "".join(f"[{number}] {string}\n" for number, string in enumerate(STRINGS, start=1))
    hanging = "".join(f"{string[:60]}\n  {string[60:]}\n" for string in STRINGS)
    yield from (
        bytes([65 + layout]) + f"References\n{text}".encode()
        for layout in range(0, 16, 5)
        for text in (
            numbered,
            hanging,
            numbered.replace("[", "").replace("]", "."),
            f"{hanging}Appendix A\nMore text\n",
        )
    )


def _pages() -> Iterator[bytes]:
    yield pdf(
        [column(["References", *(f"[{number}] A. Lee. Title. 2001." for number in range(1, 5))])]
    )
    yield b"\n".join(
        [b"IKJReferences", *(b"IMJ[%d] A. Lee, Title, 2001." % number for number in range(1, 6))]
    )
    yield b"\n".join(
        [
            b"IKLReferences",
            *(b"IMJLee, A. A longer title of some\nKMJwork, 2001." for _ in range(4)),
        ]
    )


def _others() -> Iterator[bytes]:
    names = sorted(path.name for path in (DATA / "formats").iterdir())
    yield from chain.from_iterable(
        (p.read_bytes() for p in (DATA / "formats" / name).glob("sample*")) for name in names
    )


def _archives() -> Iterator[bytes]:
    entry = b"@misc{a, title={A Title}, year=2001}"
    members = {
        "a.bib": entry,
        "p/main.tex": b"\\documentclass{a}\\cite{a}\\bibliography{../a}",
        "b.json": json.dumps([{"title": "T"}]).encode(),
    }
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", method) as packed:
            for name, data in members.items():
                packed.writestr(name, data)
        yield target.getvalue()
    for mode in ("w", "w:gz"):
        target = io.BytesIO()
        with tarfile.open(fileobj=target, mode=mode) as made:
            for name, data in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                made.addfile(info, io.BytesIO(data))
        yield target.getvalue()
