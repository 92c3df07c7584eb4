"""Lines of a terminal: wrapped and indented, links never broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from citeproof.presentation.differences import Marked


def indent(console: Console, text: Text, by: int = 4) -> None:
    """Print ``text`` with its lines ``by`` columns in, those after the first two more."""
    for number, line in enumerate(text.wrap(console, console.width - by - 2)):
        line.rstrip()
        console.print(Text(" " * (by + 2 * bool(number))) + line)


def hang(console: Console, head: Text, text: Text) -> None:
    """Print ``text`` behind ``head``, further lines below its beginning; a single word is never broken."""
    if " " not in text.plain:
        console.print(head + text, soft_wrap=True)
        return
    for number, line in enumerate(text.wrap(console, console.width - len(head))):
        line.rstrip()
        console.print((head if number == 0 else Text(" " * len(head))) + line)


def whole(console: Console, text: Text, by: int) -> None:
    """Print ``text`` as one line ``by`` columns in, however long: a link over two lines cannot be followed."""
    console.print(Text(" " * by) + text, soft_wrap=True)


def one_line(console: Console, text: Text) -> None:
    """Print ``text`` in one line, cut where the terminal ends."""
    text.truncate(console.width, overflow="ellipsis")
    console.print(text, no_wrap=True)


def marked(parts: Marked) -> Text:
    """Return a text with what differs in brackets, so that the marks survive without colour."""
    if not parts:
        return Text("(none)")
    return Text.assemble(*((f"[{text}]", "bold underline") if differs else text for text, differs in parts))
