"""What stands behind one name: a document, a folder or an archive with its members, or why there is none."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from citeproof.inputs.collection import Collection, Member
from citeproof.inputs.document import Document
from citeproof.inputs.folder import Folder, is_hidden, walk
from citeproof.inputs.limits import DEEPEST, LARGEST, MOST_MEMBERS, Budget, RefusedError, read_at_most, too_large
from citeproof.inputs.packed import is_archive
from citeproof.models import Diagnostic, Place, Severity
from citeproof.text.encodings import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.inputs.archive import Archive
    from citeproof.inputs.collection import Opened

_BEGINNING = 262
_MOST_SAID = 100
"""Most members of one archive that are named because they are not read."""


def open_path(name: str, budget: Budget | None = None) -> Opened:
    """Open the file or folder ``name``; ``budget`` is what an archive may become, if it is not the usual one."""
    path = Path(name)
    beside = Folder(path.parent, LARGEST)
    return _guarded(name, lambda: _folder(name, path) if path.is_dir() else _file(name, beside, budget or Budget()))


def open_bytes(name: str, data: bytes, budget: Budget | None = None) -> Opened:
    """Open what ``data`` is, such as standard input; it has no neighbours. ``budget`` as for :func:`open_path`."""
    return _guarded(name, lambda: _of_bytes(name, data, budget or Budget(), 0, lambda: Document.of(name, data)))


def refused(name: str, code: str, message: str, severity: Severity = Severity.ISSUE) -> Diagnostic:
    """Return the diagnostic of a document that is not read; ``code`` is one of ``CODES`` without its first word."""
    return Diagnostic(Place(printable(name)), f"document.{code}", message, severity=severity)


def _guarded(name: str, opening: Callable[[], Opened]) -> Opened:
    """Return what ``opening`` does, or the diagnostic of what it raises."""
    try:
        return opening()
    except RefusedError as error:
        return refused(name, error.code, str(error))
    except FileNotFoundError:
        return refused(name, "missing", "No such file or directory; check the path")
    except (OSError, ValueError) as error:
        return refused(name, "unreadable", f"cannot be read: {getattr(error, 'strerror', None) or error}")


def _file(name: str, neighbours: Folder, budget: Budget) -> Document | Collection:
    """Open a file on disk; only an archive may have more than the most bytes of a document."""
    path = Path(name)
    with ExitStack() as closing:
        stream = closing.enter_context(path.open("rb"))
        if is_archive(stream.read(_BEGINNING)):
            stream.seek(0)
            packed = _packed(name, stream, budget, 1)
            if isinstance(packed, Collection):
                closing.pop_all()
            if packed:
                return packed
        stream.seek(0)
        data = read_at_most(stream, LARGEST) if path.stat().st_size <= LARGEST else b""
        if len(data) > LARGEST or path.stat().st_size > LARGEST:
            raise too_large()
    return Document.of(name, data, path=path, neighbours=neighbours)


def _of_bytes(
    name: str, data: bytes, budget: Budget, depth: int, document: Callable[[], Document]
) -> Document | Collection:
    """Return what ``data`` is: an archive inside ``depth`` others, else the ``document``."""
    if len(data) > LARGEST:
        raise too_large()
    if not is_archive(data[:_BEGINNING]):
        return document()
    packed = _packed(name, BytesIO(data), budget, depth + 1)
    return packed or replace(document(), unpacking=budget.anew())


def _packed(name: str, stream: IO[bytes], budget: Budget, depth: int) -> Document | Collection | None:
    """Return what is packed in ``stream``; None where it is an office document, which formats read whole."""
    from citeproof.inputs.archive import open_archive

    if depth > DEEPEST:
        raise RefusedError("nested", f"is an archive inside {DEEPEST} others; unpack them first")
    archive = open_archive(name, stream, budget)
    if isinstance(archive, bytes):
        inner = name.removesuffix(".gz")
        return _of_bytes(inner, archive, budget, depth, lambda: Document.of(inner, archive))
    if archive.office:
        archive.close()
        return None
    said = [refused(f"{name}/{path}" if path else name, error.code, str(error)) for path, error in archive.refused]
    if len(said) > _MOST_SAID:
        rest = f"{len(said) - _MOST_SAID:,} more members of it are not read for the same reasons"
        said = [*said[:_MOST_SAID], refused(name, archive.refused[_MOST_SAID][1].code, rest)]
    members = (path for path in sorted(archive.read) if not any(map(is_hidden, PurePosixPath(path).parts)))
    closing = ExitStack()
    closing.callback(stream.close)
    closing.callback(archive.close)
    return Collection(
        printable(name),
        tuple(Member(printable(f"{name}/{path}"), partial(_member, archive, path, budget, depth)) for path in members),
        tuple(said),
        closing.close,
    )


def _member(archive: Archive, path: str, budget: Budget, depth: int) -> Opened:
    """Open one member of an archive that is inside ``depth`` - 1 others."""
    name = f"{archive.name}/{path}"
    neighbours = archive.beside(str(PurePosixPath(path).parent))

    def opening() -> Opened:
        data = archive.read[path]()
        return _of_bytes(name, data, budget, depth, lambda: Document.of(name, data, neighbours=neighbours))

    return _guarded(name, opening)


def _folder(name: str, root: Path) -> Collection:
    """List a folder on disk and what is below it."""
    members: list[Member] = []
    said: list[Diagnostic] = []
    inside = root.resolve()
    for number, (path, fault) in enumerate(islice(walk(root), MOST_MEMBERS + 1)):
        if number == MOST_MEMBERS:
            message = f"has more than {MOST_MEMBERS:,} files; those behind are not read: name its folders one by one"
            said.append(refused(name, "too_many", message))
        elif fault:
            said.append(refused(str(path), "unreadable", f"cannot be read: {fault.strerror}"))
        elif path.is_symlink():
            # What a link inside the folder leads to is read by its own name.
            if not _leads_inside(path, inside):
                message = "is a link that leads out of the folder, and is not followed; name its target too"
                said.append(refused(str(path), "link", message))
        elif path.is_file():  # and no pipe or device
            members.append(Member(printable(str(path)), partial(_on_disk, path, root)))
    return Collection(printable(name), tuple(members), tuple(said))


def _on_disk(path: Path, root: Path) -> Opened:
    return _guarded(str(path), lambda: _file(str(path), Folder(root, LARGEST, path.parent), Budget()))


def _leads_inside(link: Path, root: Path) -> bool:
    try:
        return link.resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return False
