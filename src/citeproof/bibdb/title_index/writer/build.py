"""Writes a title index in bounded memory: spill by length, sort, sign, append, rename."""

from __future__ import annotations

import os
import tempfile
import zlib
from array import array
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from citeproof.bibdb.title_index import format as layout
from citeproof.bibdb.title_index import signature
from citeproof.bibdb.title_index.format import CODECS, PAIRS, ROW, SECTIONS
from citeproof.bibdb.title_index.keys import main_hash, main_length
from citeproof.bibdb.title_index.writer.spill import Spill
from citeproof.errors import BuildError
from citeproof.storage.replacement import replacing
from citeproof.text import normalize
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from citeproof.bibdb.title_index.signature import Pairs
    from citeproof.bibdb.title_index.writer.spill import Group

_SAMPLE = 20_000
"""Titles from which the signature bits of a class of lengths are tuned."""

_SORTED = 1 << 17
"""Titles of one length that are sorted and signed at once: 65 MB."""
_COUNTED = 1 << 16
"""Titles whose letters are counted at once: 8 MB."""


class Distinct(NamedTuple):
    """The distinct titles of one group, by balance and then text."""

    text: NDArray[np.uint8]
    counts: NDArray[np.uint16]
    balance: NDArray[np.int64]
    ids: NDArray[np.int64]
    """Record ids of all of them, in their order."""
    shares: NDArray[np.int64]
    """How many of ``ids`` belong to each."""
    mains: dict[int, set[int]]
    """The lengths of the main titles of those that have any."""


class TitleIndexBuilder:
    """Collects titles and writes them as a title index; a context manager that leaves no scratch files."""

    def __init__(self, path: Path, memory: int = 64 << 20) -> None:
        """Build the index at ``path``; ``memory`` is the bytes of text that memory takes before they go to disk.

        Raises:
            BuildError: the folder of ``path`` cannot be written to.
        """
        self._path = path
        self._stack = ExitStack()
        self._spill = Spill(self._scratch(), memory)
        self._records = 0
        self._sections: _Sections | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the scratch files up."""
        self._stack.close()

    def add(self, record_id: int, title: str, normalized: str | None = None) -> None:
        """Take the raw ``title`` of a record in, with its normal form where the caller has it."""
        if normalized is None:
            normalized = normalize_title(title)
        self._spill.add(normalized, record_id, main_length(title, normalized))
        self._records += 1

    def add_all(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Take in the titles, raw and normalised, of consecutive records, the first of which is ``first_id``.

        A title without letter and digit is in no index.
        """
        for record_id, (title, normal) in enumerate(zip(titles, normalized, strict=True), first_id):
            if normal:
                self.add(record_id, title, normal)

    def prepare(self, progress: Callable[[float], None] = lambda _: None) -> None:
        """Sort and sign the titles, now that no more come; ``progress`` is told which share is done, 0 to 1."""
        writer = self._sections = _Sections({name: self._scratch() for name in SECTIONS})
        counts = self._spill.counts()
        total = sum(counts.values())
        written = 0
        for lengths in length_classes(sorted({length for length, _ in counts})):
            pairs = signature.tune(self._sample(lengths, counts))
            writer.append_pairs(lengths[0], pairs)
            for length in lengths:
                groups = {width: self._spill.read(length, width) for width in CODECS if (length, width) in counts}
                for part in by_balance(groups, length):
                    writer.append_length(length, {w: distinct(group, length, w) for w, group in part.items()}, pairs)
                written += sum(len(group.ids) for group in groups.values())
            progress(written / total)
        writer.append_main_titles()

    def finish(self, fingerprint: dict[str, Any], progress: Callable[[float], None] = lambda _: None) -> layout.Header:
        """Write the file for the database that ``fingerprint`` names, and put it in its place in one step.

        What :meth:`prepare` does is done first, if it was not.

        Raises:
            BuildError: it cannot be written, or another process is writing it; the file before stays.
        """
        if self._sections is None:
            self.prepare(progress)
        assert self._sections
        with replacing(self._path) as building, building.open("r+b") as file:
            return self._assemble(file, self._sections, fingerprint)

    def _scratch(self) -> IO[bytes]:
        """Return a file without a name beside the index: it is gone when this process is."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            return self._stack.enter_context(tempfile.TemporaryFile(dir=self._path.parent))
        except OSError as error:
            raise BuildError(f"{self._path.parent}: cannot write the title index here: {error.strerror}") from error

    def _sample(self, lengths: list[int], counts: dict[tuple[int, int], int]) -> NDArray[np.uint16]:
        keys = [key for key in counts if key[0] in lengths]
        step = 1 + sum(counts[key] for key in keys) // _SAMPLE
        parts = [_letter_counts(self._spill.read(*key).text[::step], *key) for key in keys]
        return np.concatenate(parts)

    def _assemble(self, file: IO[bytes], writer: _Sections, fingerprint: dict[str, Any]) -> layout.Header:
        """Copy the sections into ``file``, after them their checksums, and write the header in front."""
        file.seek(layout.HEADER_ROOM)
        sums: dict[str, bytes] = {}
        extents: dict[str, tuple[int, int]] = {}
        for name, section in writer.files.items():
            file.seek(layout.padding(file.tell()), os.SEEK_CUR)
            first = file.tell()
            sums[name] = _copy(section, file, layout.block_size(name))
            extents[name] = (first, file.tell() - first)
            section.truncate(0)
        file.seek(layout.padding(file.tell()), os.SEEK_CUR)
        sections = {}
        for name, table in sums.items():
            sections[name] = layout.Section(
                *extents[name], layout.block_size(name), sums=file.tell(), checksum=zlib.crc32(table)
            )
            file.write(table)
        header = layout.Header(
            normalize.VERSION, signature.VERSION, fingerprint, writer.titles, self._records, file.tell(), sections
        )
        file.seek(0)
        file.write(header.encode())
        return header


class _Sections:
    """The sections while they grow, each in a scratch file."""

    def __init__(self, files: dict[str, IO[bytes]]) -> None:
        self.files = files
        self.titles = 0
        self._ids = 0
        self._main_hashes = array("I")
        self._main_titles = array("I")

    def append_pairs(self, length: int, pairs: Pairs) -> None:
        """Add the signature bits of the lengths from ``length`` on."""
        self.files["pairs"].write(np.array([(length, pairs.classes, pairs.counts)], PAIRS).tobytes())

    def append_length(self, length: int, groups: dict[int, Distinct], pairs: Pairs) -> None:
        """Add titles of one length: by balance, then width, then text. Those of higher balance come in a later call."""
        signatures = {width: pairs.sign(group.counts) for width, group in groups.items()}
        cyclic = {width: signature.cyclic(group.counts) for width, group in groups.items()}
        ends = {width: np.concatenate(([0], np.cumsum(group.shares))) for width, group in groups.items()}
        for balance in sorted(set().union(*(group.balance.tolist() for group in groups.values()))):
            for width, group in groups.items():
                first, last = np.searchsorted(group.balance, [balance, balance + 1])
                if first == last:
                    continue
                self._write("rows", np.array([(length, balance, width, last - first)], ROW))
                self._write("text", group.text[first:last])
                self._write("cyclic", cyclic[width][first:last])
                self._write("near", signatures[width][first:last, 0])
                self._write("far", signatures[width][first:last, 1])
                self._write("starts", (self._ids + ends[width][first:last] - ends[width][first]).astype("<u4"))
                self._write("ids", group.ids[ends[width][first] : ends[width][last]].astype("<i8"))
                self._remember_mains(group, width, range(first, last))
                self._ids += int(ends[width][last] - ends[width][first])
                self.titles += int(last - first)

    def append_main_titles(self) -> None:
        """Add the main titles in the order of their hashes, and the end of the last title's record ids."""
        hashes = np.frombuffer(self._main_hashes, np.uint32)
        order = np.argsort(hashes, kind="stable")
        self._write("main_hash", hashes[order].astype("<u4"))
        self._write("main_title", np.frombuffer(self._main_titles, np.uint32)[order].astype("<u4"))
        self._write("starts", np.array([self._ids], "<u4"))

    def _remember_mains(self, group: Distinct, width: int, rows: range) -> None:
        for row in rows:
            for letters in group.mains.get(row, ()):
                main = group.text[row, : letters * width].tobytes().decode(CODECS[width])
                self._main_hashes.append(main_hash(main))
                self._main_titles.append(self.titles + row - rows.start)

    def _write(self, name: str, values: NDArray[Any]) -> None:
        self.files[name].write(np.ascontiguousarray(values).tobytes())


def length_classes(lengths: list[int]) -> Iterator[list[int]]:
    """Yield ascending ``lengths`` in classes tuned together: the last at most 8 % or 3 letters above the first."""
    current: list[int] = []
    for length in lengths:
        if current and length > max(current[0] + 3, current[0] * 1.08):
            yield current
            current = []
        current.append(length)
    if current:
        yield current


def by_balance(groups: dict[int, Group], length: int) -> Iterator[dict[int, Group]]:
    """Yield the titles of one length, rising in balance, in parts of about :data:`_SORTED` titles.

    To sort and sign a title takes some 500 bytes, its text some 100. Titles of equal balance are never parted. With
    parts of 250 titles, and 100 titles of balance 30, 100 of 31 and 200 of 32, those of 30 and 31 come first.
    """
    total = sum(len(group.ids) for group in groups.values())
    if total <= _SORTED:
        yield groups
        return
    balances = {width: _balances(group.text, length, width) for width, group in groups.items()}
    counts = sum(np.bincount(balance, minlength=length + 1) for balance in balances.values())
    part_of = np.cumsum(counts) // _SORTED
    for part in np.unique(part_of):
        chosen = {width: np.flatnonzero(part_of[balance] == part) for width, balance in balances.items()}
        yield {width: group.taken(chosen[width]) for width, group in groups.items() if len(chosen[width])}


def distinct(group: Group, length: int, width: int) -> Distinct:
    """Return the distinct titles of ``group`` by balance and then bytes, each with its record ids."""
    counts = _letter_counts(group.text, length, width)
    balance = signature.balances(counts)
    whole = (
        np.ascontiguousarray(group.text).view(f"S{length * width}").ravel() if length else np.zeros(len(counts), "S1")
    )
    order = np.argsort(whole, kind="stable")
    order = order[np.argsort(balance[order], kind="stable")]
    whole = whole[order]
    first = np.flatnonzero(np.concatenate(([True], whole[1:] != whole[:-1])))
    shares = np.diff(np.concatenate((first, [len(order)])))
    owner = np.repeat(np.arange(len(first)), shares)
    mains: dict[int, set[int]] = {}
    for row in np.flatnonzero(group.mains[order]).tolist():
        mains.setdefault(int(owner[row]), set()).add(int(group.mains[order[row]]))
    kept = order[first]
    return Distinct(group.text[kept], counts[kept], balance[kept], group.ids[order], shares, mains)


def _letter_counts(text: NDArray[np.uint8], length: int, width: int) -> NDArray[np.uint16]:
    codes = np.ascontiguousarray(text).view(f"<u{width}").reshape(len(text), length)
    return signature.letter_counts(codes)


def _balances(text: NDArray[np.uint8], length: int, width: int) -> NDArray[np.int64]:
    parts = (text[first : first + _COUNTED] for first in range(0, len(text), _COUNTED))
    return np.concatenate([signature.balances(_letter_counts(part, length, width)) for part in parts])


def _copy(source: IO[bytes], target: IO[bytes], block: int) -> bytes:
    """Append ``source`` to ``target`` and return the checksums of its blocks."""
    source.seek(0)
    sums: list[int] = []
    while data := source.read(1 << 20):
        sums += layout.block_checksums(memoryview(data), block)
        target.write(data)
    return np.array(sums, "<u4").tobytes()
