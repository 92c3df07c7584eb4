"""Write edits of a file as a patch for ``git apply``.

The whole files are not compared, but only the lines that the edits change.
"""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from io import BytesIO

ByteEdit = tuple[int, int, bytes]
"""An edit of a range of bytes: start offset, end offset, and the replacement."""
_Change = tuple[int, int, int, int]
"""A range of changed lines: index of the first line and index after the last line in the old file,
and the same two indexes in the new file.
"""
CONTEXT = 3
"""Number of unchanged lines shown before and after a change, as in ``diff -u``."""


def patch(name: str, old: bytes, new: bytes, edits: Iterable[ByteEdit]) -> bytes:
    """Return a patch, as bytes, that changes the file ``name`` from the content ``old`` to the
    content ``new``. ``edits`` are the edits that turned ``old`` into ``new``.

    The patch is empty if both contents are equal.
    """
    if old == new:
        return b""
    # split at line feeds, as git does
    before, after = BytesIO(old).readlines(), BytesIO(new).readlines()
    lines = [b"--- %s\n" % _quoted(f"a/{name}"), b"+++ %s\n" % _quoted(f"b/{name}")]
    hunks: list[list[_Change]] = []
    for change in _changes(before, after, _touched(old, edits)):
        if hunks and change[0] - hunks[-1][-1][1] <= 2 * CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    for hunk in hunks:
        (start, _, new_start, _), (_, end, _, new_end) = hunk[0], hunk[-1]
        above, below = min(CONTEXT, start), min(CONTEXT, len(before) - end)
        ranges = _range(start - above, end + below), _range(new_start - above, new_end + below)
        lines.append(b"@@ -%s +%s @@\n" % ranges)
        shown = start - above
        for first, last, new_first, new_last in hunk:
            lines += (_line(b" ", line) for line in before[shown:first])
            lines += (_line(b"-", line) for line in before[first:last])
            lines += (_line(b"+", line) for line in after[new_first:new_last])
            shown = last
        lines += (_line(b" ", line) for line in before[shown : end + below])
    return b"".join(lines)


def _quoted(name: str) -> bytes:
    """Return a file name as git writes it in patches: with quotes and octal escapes if it has
    unusual characters.
    """
    if name.isprintable() and not {'"', "\\"} & set(name):
        return name.encode()
    raw = name.encode("utf-8", "surrogateescape")
    shown = (
        b"%c" % byte if 32 <= byte < 127 and byte not in b'"\\' else b"\\%03o" % byte
        for byte in raw
    )
    return b'"%s"' % b"".join(shown)


def _changes(
    before: list[bytes], after: list[bytes], touched: Iterable[tuple[int, int, int]]
) -> Iterator[_Change]:
    """Compare the old lines ``before`` with the new lines ``after`` in the ranges ``touched``,
    which :func:`_touched` returns. Yield the ranges that have changed.

    A range may end beyond the last line.
    """
    shift = 0
    for first, last, growth in touched:
        start, stop = first + shift, min(last + shift + growth, len(after))
        shift += growth
        old, new = before[first:last], after[start:stop]
        if (
            max(len(old), len(new)) > 200
        ):  # comparing would take long; few entries have as many lines
            yield first, first + len(old), start, stop
            continue
        for tag, left, right, new_left, new_right in SequenceMatcher(
            None, old, new, autojunk=False
        ).get_opcodes():
            if tag != "equal":
                yield first + left, first + right, start + new_left, start + new_right


def _touched(old: bytes, edits: Iterable[ByteEdit]) -> list[tuple[int, int, int]]:
    """Return the ranges of lines of ``old`` that ``edits`` change. Each range is a tuple: index of
    the first line, index after the last line, and number of lines that the edits add.
    """
    found: list[tuple[int, int, int]] = []
    line = at = 0
    for start, end, text in edits:
        line += old.count(b"\n", at, start)
        at = start
        ends = old.count(b"\n", start, end)
        first, last, growth = line, line + ends + 1, text.count(b"\n") - ends
        if found and line <= found[-1][1]:
            first, end_before, growth_before = found.pop()
            last, growth = max(end_before, last), growth_before + growth
        found.append((first, last, growth))
    return found


def _range(start: int, end: int) -> bytes:
    return b"%d,%d" % ((start + 1, end - start) if end > start else (start, 0))


def _line(sign: bytes, line: bytes) -> bytes:
    return (
        sign + line if line.endswith(b"\n") else sign + line + b"\n\\ No newline at end of file\n"
    )
