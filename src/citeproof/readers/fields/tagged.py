"""Read records in which each value has a tag, as in RIS, MEDLINE and EndNote's exports."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from citeproof.model.reference import Diagnostic, Place, Reference, Span
from citeproof.readers.document import Document
from citeproof.readers.fields.document_entries import references_of

NO_FIELDS = "the record has no field of a reference"
"""Phrase for the diagnostic of a record from which no reference can be made."""
# converts a record, given with its text and its place
_Convert = Callable[["TaggedRecord", str, Place], Reference | None]


@dataclass(slots=True)
class TaggedRecord:
    """A record in which each value has a tag, as in RIS and MEDLINE. In EndNote XML, the tags are
    paths of elements.
    """

    start: int
    line: int
    end: int = 0
    closed: bool = False  # whether the record has an end tag
    continued: bool = False  # whether a value extends over several lines
    values: dict[str, list[str]] = field(default_factory=dict)
    r"""Map from a tag to the lines of its values. A line that continues a value begins with
    ``\n``.
    """
    # pair of tag in lower case and span in the text for each value
    fields: list[tuple[str, Span]] = field(default_factory=list)

    def place(self, file: str) -> Place:
        """Return the :class:`Place` of the record in the document ``file``: line, span and
        fields.
        """
        return Place(file, self.line, span=Span(self.start, self.end), fields=tuple(self.fields))

    def joined(self) -> dict[str, list[str]]:
        r"""Return :attr:`values` with each value joined to one line: ``["A b", "C"]`` for
        ``["A", "\nb", "C"]``.
        """
        return (
            {tag: _joined(said) for tag, said in self.values.items()}
            if self.continued
            else self.values
        )


def _joined(lines: Iterable[str]) -> list[str]:
    values: list[list[str]] = []
    for line in lines:
        if values and line.startswith("\n"):
            values[-1].append(line[1:])
        else:
            values.append([line])
    return [" ".join(value) for value in values]


def read_records(
    document: Document,
    name: str,
    records: Iterable[TaggedRecord],
    convert: _Convert,
    title: str = "",
) -> list[Reference | Diagnostic]:
    """Read each record of a document in the format ``name`` as a reference. ``convert`` makes a
    reference from a record.

    ``title`` names the tag of the title, such as `` (TI)``, in the diagnostic of a record without
    fields.
    """
    placed = ((record.place(document.name), record) for record in records)
    message = f"{NO_FIELDS}; give it at least a title{title}"
    return list(references_of(document.text, placed, convert, f"{name}.no_fields", message))


def tagged_records(
    text: str, tagged: re.Pattern[str], first: str, indent: str = ""
) -> Iterator[TaggedRecord]:
    """Yield the records in ``text``. A record ends at a blank line, or before the tag ``first``.

    ``tagged`` matches a line that has a tag. Any other line that begins with ``indent`` continues
    the value before it.
    """
    record: TaggedRecord | None = None
    tag, position = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.strip()
        match = tagged.fullmatch(line)
        if record and (not written or (match and match[1] == first)):
            yield record
            record = None
        if match:
            record = record or TaggedRecord(position, number)
            tag = match[1]
            if match[2]:
                record.values.setdefault(tag, []).append(match[2])
                start, end = match.span(2)
                record.fields.append((tag.lower(), Span(position + start, position + end)))
        elif record and written and line.startswith(indent):
            record.values.setdefault(tag, []).append(f"\n{written}")
            record.continued = True
        if record:
            record.end = position + len(line.rstrip())
        position += len(line) + 1
    if record:
        yield record
