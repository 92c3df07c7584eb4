"""What kind of source a file is, told by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.bibdb.sources.bib import BibFile
from citeproof.bibdb.sources.dblp import DblpDump
from citeproof.bibdb.sources.stream import SourceFile
from citeproof.errors import BuildError

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.bibdb.sources import Source

SNIFFED_BYTES = 1 << 16
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<[?!a-z]", re.IGNORECASE)

_BIB = re.compile(rb"@\0?\s*[A-Za-z]", re.IGNORECASE)
"""An entry, in UTF-16 too; what follows it the reader of the format judges."""


def open_source(path: Path) -> Source:
    """Return ``path`` as the source it is; raise :class:`BuildError` when it is none."""
    file = SourceFile(path)
    try:
        beginning = file.peek(SNIFFED_BYTES)
        if not beginning:
            raise BuildError(f"{path}: holds nothing, once decompressed; fetch it again")
        if _HTML.search(beginning[:4096]):
            raise BuildError(f"{path}: is a web page, not a dump; fetch the dump again and look at what comes")
        if _XML.match(beginning):
            return DblpDump(file)
        if _BIB.search(beginning):
            return BibFile(file)
        raise BuildError(f"{path}: is neither a DBLP dump nor a .bib file")
    except BaseException:
        file.close()
        raise
