"""The sample database, which citeproof uses until the user has downloaded a dump.

It has famous works and the most cited works.

The file ``works.xz`` has the most cited works, column by column: ``key \\n key ... \\x1e title \\n
title ... \\x1e``, and so on. To build the database, these works are converted to the XML format of
a DBLP dump.
"""

import atexit
import lzma
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from platformdirs import user_cache_path

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import create
from citeproof.database.schema import AUTHOR_SEPARATOR
from citeproof.model.errors import BuildError, DatabaseError
from citeproof.model.version import ROOT, __version__, code_digest

COLUMNS = (
    "key",
    "pub_type",
    "publtype",
    "title",
    "authors",
    "year",
    "venue",
    "volume",
    "number",
    "pages",
    "doi",
    "arxiv_id",
    "crossref",
)
"""Columns of the table ``publications`` that the file ``works.xz`` has, in this order."""
PACKED = Path(str(files("citeproof.database.building") / "works.xz"))
BETWEEN = b"\x1e"
"""Byte between two columns in the file ``works.xz``."""
_PLAIN = ("title", "year", "volume", "number", "pages", "crossref")
_VENUES = {  # map from kind of work to DBLP's element for the venue; other kinds have ``publisher``
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "phdthesis": "school",
    "mastersthesis": "school",
}


def sample_database(folder: Path | None = None, *, works: bool = False) -> Path:
    """Return the path of the sample database. At first use, the database is built in ``folder``.

    The default ``folder`` is the user's cache folder. If ``folder`` cannot be written to, a
    temporary folder is used. With ``works``, the database also has the most cited works. Raises
    :class:`DatabaseError` on failure.
    """
    # the package may be in a zip file
    with as_file(files("citeproof.database.building") / "sample.xml") as landmarks:
        sources = (landmarks, PACKED) if works else (landmarks,)
        name = _name(sources)
        with suppress(OSError, BuildError):  # go on if the folder cannot be used
            return _built(sources, (folder or user_cache_path("citeproof")) / name)
        try:
            return _built(sources, _temporary_folder() / name)
        except (OSError, BuildError) as error:
            raise DatabaseError(
                f"the sample database cannot be built: {error}; name one with --bib-db"
            ) from error


def _name(sources: Iterable[Path], package: Path = ROOT) -> str:
    """Return a folder name: ``sample-`` and a hash of ``sources`` and of the code that builds the
    database.
    """
    code = code_digest(package, "database", "store", "text")
    digest = sha256(f"{__version__} {code} ".encode())
    for source in sources:
        digest.update(source.read_bytes())
    return f"sample-{digest.hexdigest()[:16]}"


def _built(sources: Iterable[Path], home: Path) -> Path:
    """Return the path of the database in the folder ``home``.

    A missing database is built from ``sources``.
    """
    database = home / "sample.db"
    if database.exists():
        return database
    home.parent.mkdir(parents=True, exist_ok=True)
    own = Path(tempfile.mkdtemp(prefix="sample-", dir=home.parent))
    try:
        dump = own / "dblp.xml"
        if PACKED in sources:
            with dump.open("w", encoding="utf-8") as file:
                others = [each.read_text("utf-8") for each in sources if each != PACKED]
                known = frozenset(re.findall(' key="([^"]+)"', "".join(others)))
                # date of the newest record
                file.writelines(expanded(PACKED.read_bytes(), "2024-12-28", known))
        build([dump if source == PACKED else source for source in sources], own / database.name)
        create(own / database.name)
        dump.unlink(missing_ok=True)
        with suppress(OSError):  # another process has built the same database meanwhile
            own.rename(home)
    finally:
        shutil.rmtree(own, ignore_errors=True)
    if not database.exists():
        raise BuildError(f"{home}: cannot be written")
    return database


@cache
def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="citeproof-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def expanded(data: bytes, date: str, known: Collection[str] = ()) -> Iterator[str]:
    """Yield the text of a DBLP dump with the works in ``data``, the bytes of ``works.xz``.

    Works are dated ``date``. Works with a key in ``known`` are left out.
    """
    columns = [column.decode().split("\n") for column in lzma.decompress(data).split(BETWEEN)]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n'
    for row in zip(*columns, strict=True):
        said = dict(zip(COLUMNS, row, strict=True))
        if said["key"] not in known:
            yield _element(said, date)
    yield "</dblp>\n"


def _element(said: dict[str, str], date: str) -> str:
    kind = said["pub_type"]
    fields = [(name, said[name]) for name in _PLAIN]
    fields += [("author", name) for name in said["authors"].split(AUTHOR_SEPARATOR)]
    fields.append((_VENUES.get(kind, "publisher"), said["venue"]))
    fields.append(("ee", f"https://doi.org/{said['doi']}" if said["doi"] else ""))
    fields.append(("ee", f"https://arxiv.org/abs/{said['arxiv_id']}" if said["arxiv_id"] else ""))
    content = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields if value)
    form = f" publtype={quoteattr(said['publtype'])}" if said["publtype"] else ""
    return f'<{kind} mdate="{date}" key={quoteattr(said["key"])}{form}>{content}</{kind}>\n'
