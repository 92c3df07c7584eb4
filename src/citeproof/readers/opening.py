"""Open the files, folders and archives that the user named. A file that cannot be opened becomes a
diagnostic.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, TypeAlias

from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Place, Severity
from citeproof.readers.document import (
    DEEPEST,
    DENSEST,
    LARGEST,
    MOST_MEMBERS,
    Budget,
    Collection,
    Document,
    Member,
    Neighbour,
    Opened,
    RefusedError,
    alone,
    is_archive,
    read_at_most,
    too_large,
)
from citeproof.text.encodings import printable
from citeproof.text.identifiers import find_arxiv_id

_STDIN = "-"
_ARXIV = re.compile(r"arxiv:", re.IGNORECASE)  # beginning of the name of a paper of arXiv
Fetch: TypeAlias = Callable[[str], bytes | str]
"""Function that takes an arXiv id, and returns the paper as bytes, or a text that says why it could
not be fetched.
"""
CODES = {
    "document.missing": "there is no such file",
    "document.unreadable": "the system does not let it be read",
    "document.too_large": f"it has more than {LARGEST // 2**20} MB",
    "document.too_many": (
        f"the folder or archive has more than {MOST_MEMBERS:,} files; the rest is not read"
    ),
    "document.bomb": (
        f"it unpacks to more than {DENSEST} times its packed size, or its archive to more than 4 GB"
    ),
    "document.too_costly": (
        "reading it was stopped, because it took more than 60 seconds or 2,048 MB of memory, or"
        " more memory than the machine has"
    ),
    "document.damaged": "the archive, or a member of it, is damaged or packed in an unknown way",
    "document.protected": "the member of an archive is protected by a password",
    "document.link": (
        "a link in an archive, or a link in a folder that leads out of the folder or nowhere; it is"
        " not followed"
    ),
    "document.outside": "the path of a member leads out of its archive",
    "document.nested": f"more than {DEEPEST} archives are inside each other",
    "document.repeated": "a note, not a fault: the document was named before, and is read once",
    "document.binary": "it is not text, and no format can read it",
    "document.unknown_format": "its format was not detected; name it with `--from`",
    "document.malformed": "its content is not in the named format",
    "document.empty": "no entry was found in it",
    "document.guessed_encoding": (
        "a note, not a fault: it is not UTF-8, and its encoding was guessed"
    ),
}
"""Map from the code of a diagnostic about a whole document to its meaning."""
# maximum number of bytes of a file that lists file names: enough for 100,000 long names
_LONGEST_LIST = 2**24
# maximum number of diagnostics of files in an archive; one further diagnostic states how many are
# left out
_MOST_REFUSED = 100


def _not_fetched(_arxiv_id: str) -> str:
    return "is a paper of arXiv; citeproof verify --enable-online fetches it"


def open_documents(
    names: Iterable[str],
    input_format: str | None = None,
    *,
    everything: bool = False,
    fetch: Fetch = _not_fetched,
) -> Iterator[Opened]:
    """Open each of ``names``, and yield a document, a folder, an archive or a diagnostic.

    The name ``-`` is standard input. ``arxiv:1706.03762`` is a paper of arXiv, which ``fetch``
    returns. ``input_format`` is the name of the format, or None to detect it. With ``everything``,
    entries that a paper does not cite are checked, too.
    """
    seen: set[Path] = set()
    for name in names:
        path = None
        with suppress(OSError, ValueError, RuntimeError):
            path = Path(name).resolve() if name != _STDIN else None
        if path in seen:
            yield refused(name, "repeated", "is named twice; it is read once", Severity.NOTE)
            continue
        opened = (
            open_bytes("<stdin>", read_at_most(sys.stdin.buffer, LARGEST))
            if name == _STDIN
            else _fetched(name, fetch)
            if _ARXIV.match(name) and path and not path.exists()
            else open_path(name)
        )
        if path and not isinstance(opened, Diagnostic):
            seen.add(path)
        yield _with_options(opened, input_format, everything=everything)


def _fetched(name: str, fetch: Fetch) -> Opened:
    arxiv_id = find_arxiv_id(name)
    if not arxiv_id:
        return refused(name, "missing", "is not an arXiv id, such as arxiv:1706.03762")
    data = fetch(arxiv_id)
    return refused(name, "unreadable", data) if isinstance(data, str) else open_bytes(name, data)


def open_data(data: bytes, input_format: str | None = None) -> Opened:
    """Open ``data``, the content of a file without a name. The resulting document has the name
    ``<bytes>``.
    """
    return _with_options(open_bytes("<bytes>", data), input_format)


def open_path(name: str, budget: Budget | None = None, root: Path | None = None) -> Opened:
    """Open the file or folder ``name``. ``budget`` limits the unpacking of an archive.

    A document can refer only to files inside the folder ``root``. The default is the folder of the
    document.
    """
    if not name:  # as a path, it would be the current folder
        return refused("''", "missing", "the name is empty; name a file or a folder")
    path = Path(name)
    beside = partial(neighbour_on_disk, root or path.parent, path.parent)
    return _guarded(
        name,
        lambda: _folder(name, path) if path.is_dir() else _file(name, beside, budget or Budget()),
    )


def open_bytes(name: str, data: bytes, budget: Budget | None = None) -> Opened:
    """Open ``data``, the content of a document without a folder, such as standard input. ``budget``
    limits how much is unpacked.
    """
    return _guarded(name, lambda: _of_bytes(name, data, budget or Budget(), 0))


def refused(name: str, code: str, message: str, severity: Severity = Severity.ISSUE) -> Diagnostic:
    """Return a diagnostic that says why the document ``name`` is not read.

    ``code`` is the code of the diagnostic without its prefix ``document.``.
    """
    return Diagnostic(Place(printable(name)), f"document.{code}", message, severity=severity)


def listed(name: str) -> list[str]:
    """Return the file names that the file ``name`` lists, one per line or separated by zero bytes.

    Raises InputError if the list cannot be read.
    """
    shown = "<stdin>" if name == _STDIN else name
    try:
        with nullcontext(sys.stdin.buffer) if name == _STDIN else Path(name).open("rb") as stream:
            data = read_at_most(stream, _LONGEST_LIST)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{shown}: cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error
    if len(data) > _LONGEST_LIST:
        raise InputError(
            f"{shown}: has more than {_LONGEST_LIST // 2**20} MB, and is not a list of names"
        )
    separator = b"\0" if b"\0" in data else b"\n"
    names = [line.strip(b"\r").decode("utf-8", "surrogateescape") for line in data.split(separator)]
    if not (named := [name for name in names if name.strip()]):
        raise InputError(f"{shown}: names no file; it must have one file name per line")
    return named


def neighbour_on_disk(root: Path, base: Path, name: str) -> Document | None:
    """Return the file ``base/name``, or None if it is missing, too large, or outside the folder
    ``root``.
    """
    try:
        inside = root.resolve()
        path = (base / name).resolve()
        if not path.is_relative_to(inside) or not path.is_file() or path.stat().st_size > LARGEST:
            return None
        data = path.read_bytes()
    except (OSError, ValueError):
        return None
    shown = str(root / path.relative_to(inside))
    return Document.of(shown, data, path=path, neighbour=partial(neighbour_on_disk, root, base))


def walk(root: Path) -> Iterator[tuple[Path, Diagnostic | None]]:
    """Yield the files in ``root`` and its subfolders, sorted by folder. Each is a pair: its path,
    and None or a diagnostic with the reason why it is not read.

    Broken links, links that lead out of ``root``, and folders that cannot be listed have a
    diagnostic. Hidden files and folders, pipes, devices, and links to files in ``root`` are
    skipped.
    """
    inside = root.resolve()
    faults: list[OSError] = []
    for folder, folders, files in os.walk(root, onerror=faults.append):
        here = Path(folder)
        links = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not _is_hidden(name) and name not in links)
        for path in (here / name for name in sorted((*files, *links)) if not _is_hidden(name)):
            if path.is_symlink():
                leads_inside = False
                with suppress(OSError, RuntimeError):
                    leads_inside = path.resolve(strict=True).is_relative_to(inside)
                if not leads_inside:
                    message = (
                        "is a link that leads out of the folder or nowhere, and is not followed;"
                        " name its target"
                    )
                    yield path, refused(str(path), "link", message)
            elif path.is_file():
                yield path, None
    for fault in faults:
        yield (
            Path(fault.filename),
            refused(fault.filename, "unreadable", f"cannot be read: {fault.strerror}"),
        )


def _is_hidden(name: str) -> bool:
    # macOS adds a folder ``__MACOSX`` to archives
    return name.startswith(".") or name == "__MACOSX"


def _with_options(opened: Opened, input_format: str | None, *, everything: bool = False) -> Opened:
    if isinstance(opened, Diagnostic):
        return opened
    return replace(opened, format=input_format or "", everything=everything)


def _guarded(name: str, opening: Callable[[], Opened]) -> Opened:
    """Call ``opening`` and return its result. If it raises an exception, return a diagnostic about
    ``name`` instead.
    """
    try:
        return opening()
    except RefusedError as error:
        return refused(name, error.code, str(error))
    except FileNotFoundError:
        path = Path(name)
        others = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
        meant = get_close_matches(path.name, others, 1, 0.8)
        hint = (
            f"perhaps {printable(str(path.with_name(meant[0])))} is meant"
            if meant
            else "check the path"
        )
        return refused(name, "missing", f"No such file or directory; {hint}")
    except NotADirectoryError:
        file = next(str(above) for above in Path(name).parents if above.is_file())
        return refused(
            name,
            "missing",
            f"{file} is a file, not a folder; if it is an archive, name it as a whole",
        )
    except (OSError, ValueError) as error:
        return refused(
            name, "unreadable", f"cannot be read: {getattr(error, 'strerror', None) or error}"
        )


def _file(name: str, neighbour: Neighbour, budget: Budget) -> Opened:
    """Open the file ``name`` on disk. ``neighbour`` finds other files in its folder, and ``budget``
    limits the unpacking. Only an archive may have more than ``LARGEST`` bytes.
    """
    path = Path(name)
    with ExitStack() as closing:
        stream = closing.enter_context(path.open("rb"))
        if not stream.seekable():  # a pipe: ``citeproof verify <(pandoc ...)``
            return _of_bytes(name, read_at_most(stream, LARGEST), budget, 0, neighbour)
        if is_archive(stream.read(262)):
            stream.seek(0)
            packed = _packed(name, stream, budget, 1)
            if isinstance(packed, Collection):
                closing.pop_all()
            if packed:
                return packed
        stream.seek(0)
        if path.stat().st_size > LARGEST or len(data := read_at_most(stream, LARGEST)) > LARGEST:
            raise too_large()
    return Document.of(name, data, path=path, neighbour=neighbour)


def _of_bytes(
    name: str, data: bytes, budget: Budget, depth: int, neighbour: Neighbour = alone
) -> Opened:
    """Open the bytes of a document or an archive. ``depth`` is the number of archives around it: 1
    for a file in an archive.
    """
    if len(data) > LARGEST:
        raise too_large()
    if not is_archive(data):
        return Document.of(name, data, neighbour=neighbour)
    packed = _packed(name, BytesIO(data), budget, depth + 1)
    return packed or replace(
        Document.of(name, data, neighbour=neighbour), unpacking=replace(budget)
    )


def _packed(name: str, stream: IO[bytes], budget: Budget, depth: int) -> "Opened | None":
    """Open the archive in ``stream``.

    Return None for an office document, such as a .docx file, which is a zip archive too.
    """
    from citeproof.readers.archive import open_archive

    if depth > DEEPEST:
        raise RefusedError("nested", f"is an archive inside {DEEPEST} others; unpack them first")
    archive = open_archive(name, stream, budget)
    if isinstance(archive, bytes):
        return _of_bytes(name.removesuffix(".gz"), archive, budget, depth)
    if archive.office:
        archive.close()
        return None
    said = [
        refused(f"{name}/{path}" if path else name, error.code, str(error))
        for path, error in archive.refused
    ]
    if len(said) > _MOST_REFUSED:
        rest = f"{len(said) - _MOST_REFUSED:,} more members of it are not read for the same reasons"
        said = [*said[:_MOST_REFUSED], refused(name, archive.refused[_MOST_REFUSED][1].code, rest)]

    def opened(path: str) -> Opened:
        beside = partial(archive.neighbour, str(PurePosixPath(path).parent))
        whole = f"{name}/{path}"
        return _guarded(
            whole, lambda: _of_bytes(whole, archive.read[path](), budget, depth, beside)
        )

    paths = (
        path for path in sorted(archive.read) if not any(map(_is_hidden, PurePosixPath(path).parts))
    )
    members = tuple(Member(printable(f"{name}/{path}"), partial(opened, path)) for path in paths)
    closing = ExitStack()
    closing.callback(stream.close)
    closing.callback(archive.close)
    return Collection(printable(name), members, tuple(said), closing.close)


def _folder(name: str, root: Path) -> Collection:
    found = walk(root)
    first = list(islice(found, MOST_MEMBERS))
    paths = (str(path) for path, fault in first if not fault)
    members = (Member(printable(path), partial(open_path, path, root=root)) for path in paths)
    said = [diagnostic for _, diagnostic in first if diagnostic]
    if next(found, None):
        message = (
            f"has more than {MOST_MEMBERS:,} files; the rest is not read: name its folders one"
            " by one"
        )
        said.append(refused(name, "too_many", message))
    return Collection(printable(name), tuple(members), tuple(said))
