"""Read lists of references in plain text, mails and chat answers. The module ``lists.items`` finds
the references and classifies all other lines.
"""

import re
from collections.abc import Iterator
from itertools import islice

from citeproof.model.account import Account, Unread
from citeproof.model.reference import Bibliography, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import references_of
from citeproof.readers.lists.checks import checked
from citeproof.readers.lists.items import Item, Split, split_text
from citeproof.readers.lists.sections import is_heading
from citeproof.readers.lists.text_lines import is_dated, is_like_reference
from citeproof.readers.strings import is_title, is_too_long
from citeproof.readers.strings.reference import reference_of_string, title_of_string

NAME = "text"
SUFFIXES = (".txt", ".text")
CODES = {
    "text.too_long": (
        "more than 3,000 characters after the authors and no beginning of a next reference"
    )
}

MOST_REFERENCES = 100_000
"""Maximum number of references in a text. Reading a reference takes about 0.2 ms and 1.3 KB of
memory.
"""
_SEEN = 20_000  # number of characters at the beginning that decide whether this is the format
_JUDGED = 40  # maximum number of references that decide whether this is the format
_LABEL = re.compile(r"[\[(]?(\d{1,4})[\]).]")
_TAKEN_FOR = (
    "was read as a list of references; with the format 'titles' (--from titles) each line is one"
    " title"
)


def accepts(document: Document) -> int:
    """Return 1 if the document may be a list of references in plain text, else 0."""
    beginning = document.text[:_SEEN]
    first = beginning.lstrip().partition("\n")[0].strip()
    if is_heading(first):
        return 1
    if not is_dated(beginning):
        return int(split_text(beginning).counted)
    found = split_text(beginning)
    judged = [is_like_reference(item.text) for item in islice(found.items, _JUDGED)]
    return int(found.counted or 2 * sum(judged) > len(judged))


def read(document: Document) -> Bibliography:
    """Read the references in a plain text, and account for all of its lines."""
    found = split_text(document.text)
    message = (
        "this is too long for one reference; begin each with its number, or separate them by blank"
        " lines"
    )
    entries = list(
        references_of(
            document.text,
            _placed(document.name, found),
            _reference,
            "text.too_long",
            message,
            MOST_REFERENCES,
        )
    )
    references = [entry for entry in entries if isinstance(entry, Reference)]
    labels = [match[1] if (match := _LABEL.match(entry.raw)) else "" for entry in references]
    checked_ones, extraction = checked(document.name, references, labels)
    following = iter(checked_ones)
    read_ones = tuple(
        next(following) if isinstance(entry, Reference) else entry for entry in entries
    )
    unread = tuple(
        Unread(document.name, line.line, line.kind, line.text, line.lost) for line in found.others
    )
    is_guess = not document.format and document.suffix in SUFFIXES
    account = Account(
        document.name, len(references), found.read, unread, _TAKEN_FOR if is_guess else ""
    )
    return Bibliography(read_ones, extraction=extraction, account=account)


def _placed(name: str, found: Split) -> Iterator[tuple[Place, tuple[int, Item]]]:
    for number, item in enumerate(found.items, start=1):
        yield Place(name, item.line, span=Span(item.begin, item.end)), (number, item)


def _reference(numbered: tuple[int, Item], raw: str, place: Place) -> Reference | None:
    number, item = numbered
    if is_too_long(item.text):
        return None
    reader = title_of_string if is_title(item.text) else reference_of_string
    return reader(item.text, str(number), place, raw)
