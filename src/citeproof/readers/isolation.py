"""Read documents in a separate process, with limits of time and memory."""

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

from citeproof.model.reference import Bibliography, Diagnostic
from citeproof.processes import ProcessPool
from citeproof.readers import formats
from citeproof.readers.document import Document, Opened, alone
from citeproof.readers.fields.document_entries import without_entries
from citeproof.readers.papers import papers_of

# formats in which a short document can need much memory or time
_COSTLY = frozenset({"docx", "html", "odt", "pdf", "rtf", "xlsx"})
_NAMING_FILES = frozenset({"latex", "latex-aux", "markdown", "typst"})
# minimum number of bytes of other documents that are read in the worker process. Running text needs
# up to 140 times its length in memory
_LARGE = 2**20
GRACE_SECONDS = 5
"""Number of seconds after the time limit after which a process that is still running is killed."""
_ONE_AT_A_TIME = threading.Lock()  # lock, because a process has only one timer and one memory limit


class OverTime(BaseException):
    """Raised if a paper is not read within the time limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of time and memory for reading one paper. They have no effect on Windows."""

    seconds: float = 60.0
    megabytes: int = 2048  # maximum memory of the reading process, in MB

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Context manager that enforces the limits. If the block exceeds a limit, ``OverTime`` or
        ``MemoryError`` is raised, or the process is killed.
        """
        if sys.platform == "win32":
            yield
            return
        import resource

        with _ONE_AT_A_TIME, ExitStack() as undoing:
            soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
            with suppress(ValueError, OSError):  # a lower limit is in force already
                resource.setrlimit(resource.RLIMIT_DATA, (self.megabytes << 20, hard))
                undoing.callback(resource.setrlimit, resource.RLIMIT_DATA, (soft, hard))
            # in another thread, the alarm kills the process
            if threading.current_thread() is threading.main_thread():
                before = signal.signal(signal.SIGALRM, _too_long)
                undoing.callback(signal.signal, signal.SIGALRM, before or signal.SIG_DFL)
            undoing.callback(signal.setitimer, signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_REAL, self.seconds, GRACE_SECONDS)
            yield


def _too_long(_number: int, _frame: object) -> None:
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    raise OverTime


class IsolatedReader:
    """Reads documents that may be slow, or may crash a parser, in a worker process with limits on
    time and memory. These are PDF, office and HTML documents, and large texts. Other documents are
    read in this process.

    If a document exceeds a limit or crashes the worker process, a diagnostic is returned instead of
    its content. The worker process starts when it is first needed, or when :meth:`expecting` is
    called.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._pool = ProcessPool(1)
        self.on_read: Callable[[str], None] = lambda _name: None
        """Function that is called with the name of each document before it is read."""
        self.started = False  # whether the worker process was started by :meth:`expecting`

    def expecting(self, names: Iterable[str]) -> Self:
        """Start the worker process if one of the files ``names`` will be read in it, judging by the
        suffixes. Return this reader without waiting for the process.
        """
        expected = sorted({Path(name).suffix[1:].lower() for name in names} & _COSTLY)
        if expected and not self.started:
            self.started = True
            self._pool.submit(_load, expected)
        return self

    def papers(self, opened: Iterable[Opened]) -> Iterator[Document | Diagnostic | Bibliography]:
        """Yield the papers in files, folders and archives. Single files that this process can read
        are yielded as documents, without being parsed.
        """
        for one in papers_of(opened, self.read):
            yield self.read(one) if isinstance(one, Document) and _is_costly(one) else one

    def read(self, document: Document) -> Bibliography:
        """Read a document as :func:`formats.read` does. If it exceeds a limit, the result has only
        a diagnostic.
        """
        self.on_read(document.name)
        if not _is_costly(document):
            return formats.read(document)
        try:
            reading = partial(_read, self._limits)
            # the worker process cannot read the neighbours of a file in an archive
            apart = document if document.path else replace(document, neighbour=alone)
            call = self._pool.submit(reading, [apart])
            # Import what is needed to verify strings while the worker process reads the document.
            # The import takes about as long as this reading.
            import citeproof.readers.strings.reference  # noqa: F401

            return call.result()[0]
        except self._pool.deaths:
            return _too_costly(self._limits, document)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.close()


def _is_costly(document: Document) -> bool:
    """Whether a document is read in the worker process, because its format is costly or it is
    large.

    Large documents are still read in this process if they are read entry by entry, or if they are
    in an archive and name other files.
    """
    chosen = formats.detect(document)
    if chosen is None or chosen.NAME in _COSTLY:
        return chosen is not None
    is_large = len(document.data) > _LARGE and not hasattr(chosen, "begin")
    return is_large and (document.path is not None or chosen.NAME not in _NAMING_FILES)


def _load(names: list[str]) -> list[Bibliography]:
    """Read a damaged document in each of the formats ``names``, so that all modules that read the
    format are imported.
    """
    return [formats.read(Document.of(f"damaged.{name}", b"%PDF-"), name) for name in names]


def _read(limits: Limits, documents: list[Document]) -> list[Bibliography]:
    try:
        with limits.kept():
            found = formats.read(documents[0])
    except OverTime:
        return [_too_costly(limits, documents[0])]
    codes = {getattr(entry, "code", "") for entry in found.entries}
    return [_too_costly(limits, documents[0]) if "document.too_costly" in codes else found]


def _too_costly(limits: Limits, document: Document) -> Bibliography:
    limit = f"{limits.seconds:g} seconds or {limits.megabytes:,} MB of memory"
    message = f"reading it took more than {limit} and was stopped; give its reference list as text"
    return without_entries(document, "document.too_costly", message)
