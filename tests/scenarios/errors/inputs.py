"""Files that are not what their names say, and a way to run the command on them."""

from __future__ import annotations

import sys

import pytest

from citeproof.cli.main import run

GZIP_CUT_SHORT = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xabV*I"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
PAGE = b"<!DOCTYPE html><html><body>Are you a robot?</body></html>"
RIGHT = (
    b"@article{right, title = {A Theory of the Learnable}, author = {Leslie G. Valiant}, year ="
    b" 1984}"
)
FILES = {
    "right.bib": RIGHT,
    "empty.bib": b"",
    "prose.bib": b"A file of this name\nwith text and without entries.\n",
    "page.bib": PAGE,
    "picture.png": PNG,
    "paper.pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "picture.bib": PNG,
    "braces.bib": b"{" * 2_000_000,
    "braces.json": b"{" * 2_000_000,
    "brackets.json": b"[" * 2_000_000,
    "number.json": b"[" + b"9" * 100_000 + b"]",
    "text.json": b"not json",
    "page.xml": PAGE,
    "cut.xml.gz": GZIP_CUT_SHORT,
    "other.xml": b'<?xml version="1.0"?><feed><entry/></feed>',
    "empty.xml": b"",
    "untitled.bib": b"@article{untitled, year = 1984}\n",
    "one.xml": (
        b"<dblp><article key='journals/x/A1'><author>A. B.</author><title>C D"
        b" E.</title></article></dblp>"
    ),
    "empty.db": b"",
    "prose.db": b"This is not a database, although its name says so.\n" * 100,
    "cut.db": b"SQLite format 3\x00\x10\x00" + b"\x01" * 50,
}


def start(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run ``citeproof`` in this process, where an exception that it lets through fails the test."""
    monkeypatch.setattr(sys, "argv", ["citeproof", *arguments])
    # else click names the command after "python -m pytest"
    monkeypatch.setattr("__main__.__package__", None)
    with pytest.raises(SystemExit) as stopped:
        run()
    assert isinstance(stopped.value.code, int)
    return stopped.value.code
