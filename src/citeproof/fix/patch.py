"""Write edits of bytes as a patch for ``git apply``.

The edits say which lines changed, so 100,000 changed lines take no longer than reading them.
"""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from io import BytesIO

ByteEdit = tuple[int, int, bytes]
"""An edit of bytes: start, end, and the replacement."""
CONTEXT = 3
"""Number of unchanged lines shown before and after a change, as in ``diff -u``."""


class _KnownMatcher(SequenceMatcher[bytes]):
    """A ``SequenceMatcher`` with a known result, which serves to group this result."""

    def __init__(self, opcodes: list[tuple[str, int, int, int, int]]) -> None:
        super().__init__(None, [], [])
        self._known = opcodes

    def get_opcodes(self) -> list[tuple[str, int, int, int, int]]:  # type: ignore[override]
        return self._known


def patch(name: str, old: bytes, new: bytes, edits: Iterable[ByteEdit]) -> bytes:
    """Return the patch that turns ``old`` into ``new``, the contents of the file ``name``; empty if they are equal.

    ``edits`` are the edits of ``old``, sorted by start.
    """
    if old == new:
        return b""
    before, after = BytesIO(old).readlines(), BytesIO(new).readlines()  # at line feeds only, as git does
    lines = [b"--- %s\n" % _quoted(f"a/{name}"), b"+++ %s\n" % _quoted(f"b/{name}")]
    for group in _KnownMatcher(list(_opcodes(before, after, _touched(old, edits)))).get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        lines.append(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n".encode())
        for tag, start, end, other, stop in group:
            lines += (_line(b" " if tag == "equal" else b"-", line) for line in before[start:end])
            if tag != "equal":
                lines += (_line(b"+", line) for line in after[other:stop])
    return b"".join(lines)


def _quoted(name: str) -> bytes:
    """Return a file name as in patches of git: in quotes, with octal escapes, if it has unusual characters."""
    if name.isprintable() and not {'"', "\\"} & set(name):
        return name.encode()
    raw = name.encode("utf-8", "surrogateescape")
    shown = (b"%c" % byte if 32 <= byte < 127 and byte not in b'"\\' else b"\\%03o" % byte for byte in raw)
    return b'"%s"' % b"".join(shown)


def _opcodes(
    before: list[bytes], after: list[bytes], touched: Iterable[tuple[int, int, int]]
) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield opcodes of :mod:`difflib` that turn the lines ``before`` into ``after``.

    Only lines in ``touched`` ranges can be replaced. An edit of the last line feed touches only the line before it.
    """
    done = other = shift = 0
    for first, last, growth in touched:
        start, stop = first + shift, min(last + shift + growth, len(after))
        shift += growth
        for tag, left, right, new_left, new_right in _compared(before[first:last], after[start:stop]):
            if tag != "equal":
                if first + left > done:
                    yield "equal", done, first + left, other, start + new_left
                done, other = first + right, start + new_right
                yield "replace", first + left, done, start + new_left, other
    if done < len(before):
        yield "equal", done, len(before), other, len(after)


def _compared(old: list[bytes], new: list[bytes]) -> list[tuple[str, int, int, int, int]]:
    """Return opcodes of :mod:`difflib`. More than 200 lines are replaced as a whole, because comparing is slow."""
    if max(len(old), len(new)) > 200:
        return [("replace", 0, len(old), 0, len(new))]
    return list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())


def _touched(old: bytes, edits: Iterable[tuple[int, int, bytes]]) -> list[tuple[int, int, int]]:
    """Return the ranges of lines that edits touch: first line, end, and number of lines that the edits add."""
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


def _range(start: int, end: int) -> str:
    return f"{start + 1},{end - start}" if end > start else f"{start},0"


def _line(sign: bytes, line: bytes) -> bytes:
    return sign + line if line.endswith(b"\n") else sign + line + b"\n\\ No newline at end of file\n"
