"""The difference of two versions of a file as a patch that ``git apply`` takes.

The changed lines are known from the edits, so that nothing has to be searched for: a file of 100,000 lines takes no
longer to compare than to read.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONTEXT = 3
"""Lines shown before and after a change, as ``diff -u`` does."""
_MOST_COMPARED = 200
"""So many neighbouring lines that edits touch are compared with each other at most; few entries have more."""


class _Known(SequenceMatcher[bytes]):
    """A comparison whose result is known."""

    def __init__(self, opcodes: list[tuple[str, int, int, int, int]]) -> None:
        super().__init__(None, [], [])
        self._known = opcodes

    def get_opcodes(self) -> list[tuple[str, int, int, int, int]]:  # type: ignore[override]
        """Return what is known."""
        return self._known


def patch(name: str, old: bytes, new: bytes, edits: Iterable[tuple[int, int, bytes]]) -> bytes:
    """Return the patch of the file ``name``; empty where nothing changed.

    ``edits`` are the changes in order: first byte, end, and the bytes that come instead.
    """
    before, after = _lines(old), _lines(new)
    groups = list(_Known(list(_opcodes(before, after, _touched(old, edits)))).get_grouped_opcodes(CONTEXT))
    if old == new:
        return b""
    lines = [f"--- a/{name}\n".encode(), f"+++ b/{name}\n".encode()]
    for group in groups:
        first, last = group[0], group[-1]
        lines.append(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n".encode())
        for tag, start, end, other, stop in group:
            if tag == "equal":
                lines += (_line(b" ", line) for line in before[start:end])
            else:
                lines += (_line(b"-", line) for line in before[start:end])
                lines += (_line(b"+", line) for line in after[other:stop])
    return b"".join(lines)


def _lines(data: bytes) -> list[bytes]:
    """Return the lines as git sees them: a line feed ends one, and nothing else does."""
    *ended, last = data.split(b"\n")
    lines = [line + b"\n" for line in ended]
    return [*lines, last] if last else lines


def _opcodes(
    before: list[bytes], after: list[bytes], touched: Iterable[tuple[int, int, int]]
) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield what became of the lines: stretches that are equal, and those that an edit touched.

    Behind the last line feed there is no line: an edit of that line feed touches what stands before it alone.
    Within a touched stretch, a line that is there still is equal.
    """
    done = other = shift = 0
    for first, last, growth in touched:
        start, stop = first + shift, min(last + shift + growth, len(after))
        shift += growth
        for tag, left, right, new_left, new_right in _compared(before[first:last], after[start:stop]):
            if tag == "equal":
                continue
            if first + left > done:
                yield "equal", done, first + left, other, start + new_left
            yield "replace", first + left, first + right, start + new_left, start + new_right
            done, other = first + right, start + new_right
    if done < len(before):
        yield "equal", done, len(before), other, len(after)


def _compared(old: list[bytes], new: list[bytes]) -> list[tuple[str, int, int, int, int]]:
    """Return what became of a few lines; many are taken to differ, since comparing them could take long."""
    if max(len(old), len(new)) > _MOST_COMPARED:
        return [("replace", 0, len(old), 0, len(new))]
    return list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())


def _touched(old: bytes, edits: Iterable[tuple[int, int, bytes]]) -> list[tuple[int, int, int]]:
    """Return the stretches of lines that edits touch, each with the number of lines that it grows by."""
    found: list[tuple[int, int, int]] = []
    line = at = 0
    for start, end, text in edits:
        line += old.count(b"\n", at, start)
        at = start
        last = line + old.count(b"\n", start, end) + 1
        growth = text.count(b"\n") - old.count(b"\n", start, end)
        if found and line <= found[-1][1]:
            before = found.pop()
            found.append((before[0], max(before[1], last), before[2] + growth))
        else:
            found.append((line, last, growth))
    return found


def _range(start: int, end: int) -> str:
    return f"{start + 1},{end - start}" if end > start else f"{start},0"


def _line(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n\\ No newline at end of file\n"
