"""Write a title index with bounded memory.

Titles are collected by length and then sorted. Titles of the same length are sorted by *balance*
and then by text. The *balance* of a title is the number of its letters from a fixed half of the
alphabet. The *signature* of a title is a bit pattern that is computed from its letter counts. The
*width* of a title is the number of bytes that store each of its letters: 1, 2 or 4.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citeproof.database.building.title_spill import Group, Spill, SpillChunk
from citeproof.database.title_index import format as layout
from citeproof.database.title_index import signature
from citeproof.database.title_index.exact import main_hash, main_length
from citeproof.database.title_index.format import (
    CODECS,
    LONG,
    OFFSET_EVERY,
    PAIRS,
    ROW,
    SECTIONS,
    SEVERAL,
)
from citeproof.database.title_index.signature import Pairs
from citeproof.database.title_index.words import Words, chosen_words
from citeproof.model.errors import BuildError
from citeproof.store.files import replacing
from citeproof.text import normalize
from citeproof.text.normalize import normalize_title

# maximum number of titles sampled, per range of lengths, to choose the bits of signatures
_SAMPLE = 20_000
# approximate number of titles whose words are counted, to choose the words that are stored as a
# number
_WORD_SAMPLE = 500_000
# approximate maximum number of titles that are sorted at a time, in 65 MB of memory
_SORTED = 1 << 17
_COUNTED = 1 << 16  # number of titles whose letters are counted at a time, in 8 MB of memory


Checkpoint = tuple[int, Sequence[SpillChunk]]
"""A pair: the number of titles that were added, and the parts of the temporary file in which they
are.
"""


class Distinct(NamedTuple):
    """Distinct titles of the same length, sorted by :attr:`balance` and then by text."""

    text: NDArray[np.uint8]  # one row of bytes for each title
    counts: NDArray[np.uint16]  # letter counts, one row for each title
    # number of letters from a fixed half of the alphabet, for each title
    balance: NDArray[np.int64]
    # the record ids of all titles: first those of the first title, then those of the second, and so
    # on
    ids: NDArray[np.int64]
    shares: NDArray[np.int64]  # for each title, the number of its record ids in ``ids``
    # map from the index of a title to the lengths of its parts before a subtitle
    mains: dict[int, set[int]]


class TitleIndexBuilder(ExitStack):
    """Collects titles and writes a title index. ``close`` deletes the temporary files."""

    def __init__(
        self,
        path: Path,
        memory: int = 64 << 20,
        file: IO[bytes] | None = None,
        collected: Checkpoint = (0, ()),
    ) -> None:
        """Prepare an index file at ``path``.

        At most ``memory`` bytes of titles are collected in memory. Further titles are collected in
        ``file``, by default a temporary file. If ``file`` already has titles, ``collected`` is the
        value that :meth:`checkpoint` returned for them.
        """
        super().__init__()
        self._path = path
        self._records, chunks = collected
        self._spill = Spill(file or self._scratch(), memory, chunks)
        self._sections: _Sections | None = None

    def add(self, record_id: int, title: str, normalized: str | None = None) -> None:
        """Add the ``title`` of the record with the id ``record_id``. ``normalized`` is the
        normalised title. If it is None, ``title`` is normalised here.
        """
        normalized = normalize_title(title) if normalized is None else normalized
        self._spill.add(normalized, record_id, main_length(title, normalized))
        self._records += 1

    def add_all(self, first_id: int, titles: Sequence[str], normalized: Sequence[str]) -> None:
        """Add the ``titles`` of records with the ids ``first_id``, ``first_id + 1`` and so on,
        except empty titles. ``normalized`` are the normalised titles.
        """
        for record_id, (title, normal) in enumerate(zip(titles, normalized, strict=True), first_id):
            if normal:
                self.add(record_id, title, normal)

    def checkpoint(self) -> Checkpoint:
        """Write all titles to the file.

        Return a value with which a later builder can continue to use the file.
        """
        return self._records, self._spill.checkpoint()

    def prepare(self) -> Iterator[float]:
        """Sort all titles and prepare the index.

        Yield the finished fraction, 0 to 1. Add no titles afterwards.
        """
        counts = self._spill.counts()
        total, written = sum(counts.values()), 0
        writer = self._sections = _Sections(
            {name: self._scratch() for name in SECTIONS}, self._common_words(counts)
        )
        for lengths in length_classes(sorted({length for length, _ in counts})):
            keys = [key for key in counts if key[0] in lengths]
            step = 1 + sum(counts[key] for key in keys) // _SAMPLE
            sample = [_letter_counts(self._spill.read(*key)["text"][::step], *key) for key in keys]
            pairs = signature.tune(np.concatenate(sample))
            writer.write("pairs", np.array([(lengths[0], pairs.classes, pairs.counts)], PAIRS))
            for length in lengths:
                groups = {
                    width: self._spill.read(length, width)
                    for width in CODECS
                    if (length, width) in counts
                }
                for part in by_balance(groups, length):
                    writer.append_length(
                        length, {w: distinct(group, length, w) for w, group in part.items()}, pairs
                    )
                written += sum(map(len, groups.values()))
            yield written / total
        writer.complete()

    def _common_words(self, counts: dict[tuple[int, int], int]) -> list[str]:
        share = min(1.0, _WORD_SAMPLE / max(1, sum(counts.values())))
        words: Counter[str] = Counter()
        for length, width in counts:
            if width == 1:
                titles = _letters(self._spill.read(length, width, share)["text"])
                words.update(chain.from_iterable(title.split(" ") for title in titles))
        return chosen_words(words)

    def finish(
        self, fingerprint: dict[str, Any], progress: Callable[[float], None] = lambda _: None
    ) -> layout.Header:
        """Write the index file and return the header.

        ``fingerprint`` identifies the state of the database.
        """
        if self._sections is None:
            for share in self.prepare():
                progress(share)
        assert self._sections
        with replacing(self._path) as building, building.open("r+b") as file:
            return self._assemble(file, self._sections, fingerprint)

    def _scratch(self) -> IO[bytes]:
        try:  # a file without a name, in the folder of the index
            self._path.parent.mkdir(parents=True, exist_ok=True)
            return self.enter_context(tempfile.TemporaryFile(dir=self._path.parent))
        except OSError as error:
            fault = (
                f"cannot write the title index here: {error.strerror}; --index-dir names another"
                " folder"
            )
            raise BuildError(f"{self._path.parent}: {fault}") from error

    def _assemble(
        self, file: IO[bytes], writer: _Sections, fingerprint: dict[str, Any]
    ) -> layout.Header:
        """Write the header, all sections in ``writer``, and the checksums of the sections to
        ``file``. ``fingerprint`` identifies the state of the database.

        Return the header.
        """
        file.seek(layout.HEADER_ROOM)
        copied: dict[str, tuple[int, int, bytes]] = {}
        for name, section in writer.files.items():
            file.seek(-file.tell() % layout.PAGE, os.SEEK_CUR)
            first = file.tell()
            sums = _copy(section, file, layout.BLOCKS[name])
            copied[name] = first, file.tell() - first, sums
            section.truncate(0)
        file.seek(-file.tell() % layout.PAGE, os.SEEK_CUR)
        sections = {}
        for name, (first, size, sums) in copied.items():
            sections[name] = layout.Section(
                first, size, layout.BLOCKS[name], file.tell(), zlib.crc32(sums)
            )
            file.write(sums)
        versions = (normalize.VERSION, signature.VERSION)
        header = layout.Header(
            *versions, fingerprint, writer.titles, self._records, file.tell(), sections
        )
        file.seek(0)
        file.write(header.encode())
        return header


class _Sections:
    """The sections of a title index, such as ``text`` and ``ids``, in temporary files until the
    index is complete.
    """

    def __init__(self, files: dict[str, IO[bytes]], words: list[str]) -> None:
        self.files = files
        self.titles = 0
        self._words = Words(words)
        self.write("words", np.frombuffer("\n".join(words).encode(CODECS[1]), np.uint8))
        self._units = self._several = self._more_ids = 0
        self._main_hashes = array("I")
        self._main_titles = array("I")

    def append_length(self, length: int, groups: dict[int, Distinct], pairs: Pairs) -> None:
        """Append the titles of ``length`` letters. ``groups`` maps a number of bytes per letter to
        the titles.

        Call this method for short titles first.
        """
        signatures = {width: pairs.sign(group.counts) for width, group in groups.items()}
        cyclic = {width: signature.cyclic(group.counts) for width, group in groups.items()}
        ends = {
            width: np.concatenate(([0], np.cumsum(group.shares))) for width, group in groups.items()
        }
        for balance in sorted(set().union(*(group.balance.tolist() for group in groups.values()))):
            for width, group in groups.items():
                first, last = np.searchsorted(group.balance, [balance, balance + 1])
                if first == last:
                    continue
                self.write("rows", np.array([(length, balance, width, last - first)], ROW))
                self._write_texts(group.text[first:last], length, width)
                self.write("cyclic", cyclic[width][first:last])
                self.write("near", signatures[width][first:last, 0])
                self.write("far", signatures[width][first:last, 1])
                self._write_ids(group, ends[width], int(first), int(last))
                for row in range(first, last):
                    for letters in group.mains.get(row, ()):
                        main = group.text[row, : letters * width].tobytes().decode(CODECS[width])
                        self._main_hashes.append(main_hash(main))
                        self._main_titles.append(self.titles + row - first)
                self.titles += int(last - first)

    def _write_texts(self, text: NDArray[np.uint8], length: int, width: int) -> None:
        if width == 1:
            coded = [self._words.encode(title) for title in _letters(text)]
            sizes = np.array([*map(len, coded)], np.int64) // 2
            self.files["text"].write(b"".join(coded))
        else:
            sizes = np.full(len(text), length * width // 2, np.int64)
            self.write("text", text)
        ends = self._units + np.cumsum(sizes)
        first = -self.titles % OFFSET_EVERY  # index of the first title whose offset is stored
        self.write("offsets", (ends - sizes)[first::OFFSET_EVERY].astype("<u4"))
        self._units = int(ends[-1])
        (long,) = (sizes >= LONG).nonzero()
        self.write("sizes", np.minimum(sizes, LONG).astype(np.uint8))
        self.write("long_title", (self.titles + long).astype("<u4"))
        self.write("long_size", sizes[long].astype("<u4"))

    def _write_ids(self, group: Distinct, ends: NDArray[np.int64], first: int, last: int) -> None:
        shares, firsts = group.shares[first:last], group.ids[ends[first:last]]
        several = (shares > 1) | (firsts < 0) | (firsts >= SEVERAL)
        number = self._several + np.cumsum(several) - 1
        self.write("ids", np.where(several, SEVERAL + number, firsts).astype("<u4"))
        more = group.ids[ends[first] : ends[last]][np.repeat(several, shares)]
        starts = self._more_ids + np.concatenate(([0], np.cumsum(shares[several])))
        self.write("starts", starts[:-1].astype("<u4"))
        self.write("more_ids", more.astype("<i8"))
        self._several += int(several.sum())
        self._more_ids += len(more)

    def complete(self) -> None:
        """Complete the sections ``main_hash``, ``main_title`` and ``starts`` after all titles were
        appended.
        """
        hashes = np.frombuffer(self._main_hashes, np.uint32)
        order = np.argsort(hashes, kind="stable")
        self.write("main_hash", hashes[order].astype("<u4"))
        self.write("main_title", np.frombuffer(self._main_titles, np.uint32)[order].astype("<u4"))
        self.write("starts", np.array([self._more_ids], "<u4"))

    def write(self, name: str, values: NDArray[Any]) -> None:
        self.files[name].write(np.ascontiguousarray(values).tobytes())


def length_classes(lengths: list[int]) -> Iterator[list[int]]:
    """Yield groups of ascending ``lengths``.

    Lengths in a group differ by at most 3, or by 8 % if that is more.
    """
    current: list[int] = []
    for length in lengths:
        if current and length > max(current[0] + 3, current[0] * 1.08):
            yield current
            current = []
        current.append(length)
    if current:
        yield current


def by_balance(groups: dict[int, Group], length: int) -> Iterator[dict[int, Group]]:
    """Yield the titles of ``length`` letters in batches of about 131,000 titles, in ascending order
    of balance.

    The balance of a title is the number of letters from a fixed half of the alphabet. Titles of
    equal balance are in the same batch. ``groups`` maps a number of bytes per letter to the titles.
    """
    # Example: batches have 250 titles. 100 titles have balance 30, 100 have balance 31 and 200 have
    # balance 32. The cumulative counts are 100, 200 and 400. Divided by 250, they are 0, 0 and 1.
    # So the titles of balance 30 and 31 are the first batch.
    if sum(map(len, groups.values())) <= _SORTED:
        yield groups
        return
    balances = {width: _balances(group["text"], length, width) for width, group in groups.items()}
    counts = sum(np.bincount(balance, minlength=length + 1) for balance in balances.values())
    part_of = np.cumsum(counts) // _SORTED
    for part in np.unique(part_of):
        chosen = {
            width: np.flatnonzero(part_of[balance] == part) for width, balance in balances.items()
        }
        yield {width: group[chosen[width]] for width, group in groups.items() if len(chosen[width])}


def distinct(group: Group, length: int, width: int) -> Distinct:
    """Return the distinct titles in ``group``, which all have ``length`` letters of ``width`` bytes
    each.
    """
    text = np.ascontiguousarray(group["text"])
    counts = _letter_counts(text, length, width)
    balance = signature.balances(counts)
    whole = text.view(f"S{length * width}").ravel() if length else np.zeros(len(group), "S1")
    order = np.argsort(whole, kind="stable")
    order = order[np.argsort(balance[order], kind="stable")]
    whole = whole[order]
    first = np.flatnonzero(np.concatenate(([True], whole[1:] != whole[:-1])))
    shares = np.diff(np.concatenate((first, [len(order)])))
    owner = np.repeat(np.arange(len(first)), shares)
    lengths = group["main"][order]
    mains: dict[int, set[int]] = {}
    for row in np.flatnonzero(lengths).tolist():
        mains.setdefault(int(owner[row]), set()).add(int(lengths[row]))
    kept = order[first]
    return Distinct(text[kept], counts[kept], balance[kept], group["id"][order], shares, mains)


def _letter_counts(text: NDArray[np.uint8], length: int, width: int) -> NDArray[np.uint16]:
    return signature.letter_counts(
        np.ascontiguousarray(text).view(f"<u{width}").reshape(len(text), length)
    )


def _balances(text: NDArray[np.uint8], length: int, width: int) -> NDArray[np.int64]:
    parts = (text[first : first + _COUNTED] for first in range(0, len(text), _COUNTED))
    return np.concatenate(
        [signature.balances(_letter_counts(part, length, width)) for part in parts]
    )


def _letters(text: NDArray[np.uint8]) -> Iterator[str]:
    """Yield the titles of a matrix with one byte per letter."""
    letters, length = text.tobytes().decode(CODECS[1]), text.shape[1]
    return (letters[row * length : (row + 1) * length] for row in range(len(text)))


def _copy(source: IO[bytes], target: IO[bytes], block: int) -> bytes:
    """Append ``source`` to ``target``.

    Return a CRC-32 of 4 bytes for every ``block`` bytes of ``source``.
    """
    source.seek(0)
    sums: list[int] = []
    while data := source.read(1 << 20):
        sums += [zlib.crc32(data[first : first + block]) for first in range(0, len(data), block)]
        target.write(data)
    return np.array(sums, "<u4").tobytes()
