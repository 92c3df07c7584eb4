"""What the user named, opened as documents. What cannot be opened is a diagnostic, and the others go on."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.inputs.document import Document
from citeproof.inputs.folder import Folder
from citeproof.models import Diagnostic, Place, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN = "-"
LARGEST = 256 * 2**20
"""Most bytes of one document; a larger one is no bibliography of a paper."""

CODES = {
    "document.missing": "there is no such file",
    "document.folder": "it is a directory",
    "document.unreadable": "the system does not let it be read",
    "document.too_large": f"it has more than {LARGEST // 2**20} MB",
    "document.repeated": "a note, not a fault: the document was named before, and is read once",
    "document.binary": "it is no text, and no format reads it",
    "document.unknown_format": "its format cannot be told; name it with `--from`",
    "document.malformed": "it is not what its format says, from the beginning on",
    "document.empty": "no entry was found in it",
    "document.guessed_encoding": "a note, not a fault: it is not UTF-8, and its encoding was guessed",
}
"""Every diagnostic of a whole document, and what it means."""


def open_documents(
    names: Iterable[str], input_format: str | None = None, *, everything: bool = False
) -> Iterator[Document | Diagnostic]:
    """Yield the document of each name (``-``: standard input), or what is wrong with it.

    ``input_format`` is the format that the user says they have; with ``everything`` all entries are wanted, not only
    those that a paper cites. A file that is named twice is read once.
    """
    seen: set[Path] = set()
    for name in names:
        try:
            opened = _standard_input(input_format) if name == STDIN else _file(name, input_format)
        except FileNotFoundError:
            yield _refused(name, "missing", "No such file or directory; check the path")
        except IsADirectoryError:
            yield _refused(name, "folder", "Is a directory; name the bibliographies in it")
        except (OSError, ValueError) as error:
            yield _refused(name, "unreadable", f"cannot be read: {getattr(error, 'strerror', None) or error}")
        else:
            place = opened.path.resolve() if isinstance(opened, Document) and opened.path else None
            if place in seen:
                yield _refused(name, "repeated", "is named twice; it is read once", Severity.NOTE)
                continue
            if place:
                seen.add(place)
            yield replace(opened, everything=everything) if isinstance(opened, Document) else opened


def _file(name: str, input_format: str | None) -> Document | Diagnostic:
    path = Path(name)
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    return _document(name, data, input_format, path)


def _standard_input(input_format: str | None) -> Document | Diagnostic:
    return _document("<stdin>", sys.stdin.buffer.read(LARGEST + 1), input_format)


def _document(name: str, data: bytes, input_format: str | None, path: Path | None = None) -> Document | Diagnostic:
    if len(data) > LARGEST:
        return _refused(name, "too_large", f"has more than {LARGEST // 2**20} MB; split it")
    if path is None:
        return Document.of(name, data, said=input_format or "")
    return Document.of(name, data, path=path, neighbours=Folder(path.parent, LARGEST), said=input_format or "")


def _refused(name: str, code: str, message: str, severity: Severity = Severity.ISSUE) -> Diagnostic:
    return Diagnostic(Place(name), f"document.{code}", message, severity=severity)
