"""The sample of DBLP without some of its records, as a database: what is missing can still be cited truly."""

from __future__ import annotations

import gzip
import re
import shutil
import zlib
from typing import TYPE_CHECKING

from citeproof.bibdb.build import build
from citeproof.bibdb.title_index.writer.create import TitleIndexer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TENTHS = 10
_RECORD = re.compile(
    rb"<(article|inproceedings|proceedings|book|incollection|phdthesis|mastersthesis|www|data)\s[^>]*?"
    rb'key="([^"]+)"[^>]*>.*?</\1>\s*',
    re.DOTALL,
)
_INFORMAL = re.compile(r'<[^>]*publtype="informal')


def tenth_of(key: str) -> int:
    """Return in which of ten drawn parts a record is, 0 to 9; drawn by a hash of its key."""
    return zlib.crc32(key.encode()) % TENTHS


def is_preprint(_key: str, markup: str) -> bool:
    """Whether the markup of a record is that of a preprint."""
    return bool(_INFORMAL.match(markup))


def build_without(dump: Path, database: Path, lost: Callable[[str, str], bool]) -> None:
    """Build ``database`` from ``dump`` without the records for which ``lost(key, markup)`` is true."""
    with gzip.open(dump) as file:
        markup = file.read()

    def kept(found: re.Match[bytes]) -> bytes:
        return b"" if lost(found[2].decode(), found[0].decode("latin-1")) else found[0]

    rest = database.with_suffix(".xml")
    rest.write_bytes(_RECORD.sub(kept, markup))
    shutil.copy(dump.with_name("dblp.dtd"), rest.with_name("dblp.dtd"))
    try:
        build([rest], database, indexers=[TitleIndexer(database)])
    finally:
        rest.unlink()
