"""Edit a BibTeX entry so that new and changed fields look like the other fields of the entry.

An entry consists of its type, its key and its fields, with separators between the fields::

    @article{key,⏎  title     = {A Title},⏎  year      = 1970}
            ^^^^^^^^                     ^^^^^                 separators: a comma, the line's end,
            the indentation

A new field gets the separator, the padding, the capitals, and the quotes or braces that are most
frequent in the entry.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from enum import StrEnum
from statistics import mode
from typing import NamedTuple, Self

from citeproof.model.reference import Place, Span

Edit = tuple[Span, str]
"""An edit of a document: a range of its text, and the text that replaces this range."""

_KEY = re.compile(r"@\s*(?P<type>[A-Za-z_]+)\s*[{(][^,={}\"%]{0,2000}(?=,)")
_HEAD = re.compile(r"(?P<name>[^\W\d][^\s=,{}\"#%()\\]*)(?P<before>\s*)=(?P<after>\s*)$")
_SEPARATOR = re.compile(r"\s*,\s*")
_END = re.compile(r"\s*(?:,\s*)?[})]")
_DESCRIPTIVE_FIELDS = frozenset(
    {
        "author",
        "authors",
        "title",
        "subtitle",
        "journal",
        "journaltitle",
        "booktitle",
        "volume",
        "number",
        "pages",
        "year",
        "date",
        "month",
        "publisher",
        "editor",
        "series",
        "address",
        "organization",
        "school",
        "edition",
        "institution",
    }
)
"""Fields that describe a work, such as ``title``. New fields are added after the last of these
fields in an entry.
"""


class Field(NamedTuple):
    """A field in the text of a BibTeX entry."""

    name: str
    """Name in lower case. ``written`` is the name as it stands in the entry."""
    written: str
    before: str
    """White space before the ``=``. ``after`` is the white space after the ``=``."""
    after: str
    gap: Span
    """Range from the end of the previous field's value, or of the key, to the start of the name."""
    head: Span
    """Range from the start of the name to the start of the value."""
    value: Span
    """Range of the value, including quotes or braces. ``raw`` is the text in this range."""
    raw: str

    @property
    def content(self) -> str:
        """The value without quotes or braces. A macro or a concatenation is returned unchanged."""
        content = inside(self.raw)
        return self.raw if content is None else content


class FieldChange(NamedTuple):
    """A planned change of a field of an entry."""

    field: Field | None
    """The field to change, or None to add a field."""
    name: str
    """Name of the field that is added. It is used only if ``field`` is None."""
    value: str
    """New value in LaTeX. An empty value means that the field is removed."""


class ShownChange(NamedTuple):
    """A changed field, as shown to users. If the field was added or removed, ``before`` or
    ``after`` is empty.
    """

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of the type, the fields and the end of a BibTeX entry. Methods return edits of the
    entry.
    """

    text: str
    """Text of the whole document."""
    kind: Span
    """Range of the entry type, such as ``article``."""
    fields: tuple[Field, ...]
    end: int
    """Offset of the end of the entry."""

    @classmethod
    def of(cls, place: Place, text: str) -> Self | None:
        """Return the layout of the entry at ``place`` in ``text``, or None if the entry cannot be
        split into fields.
        """
        if place.span is None or not (key := _KEY.match(text, place.span.start, place.span.end)):
            return None
        fields, at = [], key.end()
        for name, value in sorted(place.fields, key=lambda item: item[1].start):
            begin = max(at, value.start - 200)  # a field name and its ``=`` are shorter than this
            head = _HEAD.search(text[begin : value.start])
            if head is None or head["name"].lower() != name:
                return None
            start = begin + head.start()
            written, before, after = head.groups()
            gap, head_span, raw = (
                Span(at, start),
                Span(start, value.start),
                text[value.start : value.end],
            )
            fields.append(Field(name, written, before, after, gap, head_span, value, raw))
            at = value.end
        return cls(text, Span(*key.span("type")), tuple(fields), place.span.end) if fields else None

    def field(self, *names: str) -> Field | None:
        """Return the first field of ``names`` that the entry has, or None if it has none of
        them.
        """
        return next((field for name in names for field in self.fields if field.name == name), None)

    def is_plain(self) -> bool:
        """Return whether only a comma and white space, without comments, stand between any two
        fields.
        """
        return all(self._is_separator(field.gap) for field in self.fields) and all(
            self._followed_by_separator()
        )

    def with_type(self, kind: str) -> Edit:
        """Return the edit that changes the type of the entry to ``kind``."""
        return self.kind, _in_case_of([self.text[self.kind.start : self.kind.end]], kind)

    def with_name(self, field: Field, name: str) -> Edit:
        """Return the edit that renames ``field`` to ``name``."""
        return field.head, self._head(name)

    def without(self, field: Field) -> Edit:
        """Return the edit that removes ``field`` and the separator before it."""
        return Span(field.gap.start, field.value.end), ""

    def adding(self, values: Iterable[tuple[str, str]]) -> Edit | None:
        """Return the edit that adds fields, given as pairs of name and value, or None if the entry
        has no suitable position for them.
        """
        gaps = [field.gap for field in reversed(self.fields) if self._is_separator(field.gap)]
        found = [self.text[gap.start : gap.end] for gap in gaps]
        separators = [separator for separator in found if "\n" in separator] or found
        places = [
            field
            for field, fits in zip(self.fields, self._followed_by_separator(), strict=True)
            if fits
        ]
        if not separators or not places:
            return None
        separator = mode(separators)
        last = next(
            (field for field in reversed(places) if field.name in _DESCRIPTIVE_FIELDS), places[-1]
        )
        new = "".join(
            f"{separator}{self._head(name)}{self._delimited(value)}" for name, value in values
        )
        return (Span(last.value.end, last.value.end), new) if new else None

    def changed(self, changes: Iterable[FieldChange]) -> tuple[list[Edit], list[ShownChange]]:
        """Return the edits for ``changes``, and the changes as shown to users. A change that would
        not alter the text is left out.
        """
        edits: list[Edit] = []
        shown: list[ShownChange] = []
        added: list[tuple[str, str]] = []
        for field, name, value in changes:
            before = field.content if field else ""
            if before == value:
                continue
            if field is None:
                added.append((name, value))
            elif value:
                edits.append((field.value, wrapped(value, field.raw)))
            else:
                edits.append(self.without(field))
            shown.append(ShownChange(name if value or not field else field.name, before, value))
        if edit := self.adding(added):
            edits.append(edit)
        return edits, shown

    def _is_separator(self, gap: Span) -> bool:
        return _SEPARATOR.fullmatch(self.text, gap.start, gap.end) is not None

    def _followed_by_separator(self) -> Iterator[bool]:
        """Yield for each field whether a comma or the end of the entry follows its value directly,
        without a comment between them.
        """
        ended = _END.match(self.text, self.fields[-1].value.end, self.end) is not None
        followed = (*(self._is_separator(field.gap) for field in self.fields[1:]), ended)
        # A comment may be a part of the value: the parser reads ``{2001} % checked`` as one value.
        for field, fits in zip(self.fields, followed, strict=True):
            yield fits and ("%" not in field.raw or inside(field.raw) is not None)

    def _head(self, name: str) -> str:
        """Return a field name and ``=`` in the style of the entry, such as ``title=``, ``Title = ``
        or ``title = ``.
        """
        name = _in_case_of([field.written for field in self.fields], name)
        after = mode(field.after for field in self.fields)
        if column := self._column(lambda field: len(field.written) + len(field.before)):
            return f"{name:<{column}}={after}"
        before = mode(field.before for field in self.fields)
        if column := self._column(lambda field: field.head.end - field.head.start):
            return f"{f'{name}{before}=':<{column}}"
        return f"{name}{before}={after}"

    def _column(self, width: Callable[[Field], int]) -> int:
        """Return the width in characters to which most fields are padded so that they are aligned.
        Return 0 if they are not aligned. ``width`` returns the width of a field.
        """
        widths = [width(field) for field in self.fields]
        common = mode(widths)
        lengths = {
            len(field.written)
            for field, own in zip(self.fields, widths, strict=True)
            if own == common
        }
        return common if len(lengths) > 1 and 2 * widths.count(common) > len(widths) else 0

    def _delimited(self, value: str) -> str:
        if value.isdigit() and any(field.raw.isdigit() for field in self.fields):
            return value
        first = Counter(field.raw[:1] for field in self.fields)
        return f'"{value}"' if '"' not in value and first['"'] > first["{"] else f"{{{value}}}"


def inside(raw: str) -> str | None:
    """Return the BibTeX value ``raw`` without its quotes or braces, or None if it is a macro or a
    concatenation.
    """
    if raw.isdigit():
        return raw
    closing = {"{": "}", '"': '"'}.get(raw[:1])
    if not closing or len(raw) < 2 or raw[-1] != closing:
        return None
    depth = 0
    for char in raw[1:-1]:
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth < 0 or (char == '"' and closing == '"' and depth == 0):
            return None
    return raw[1:-1] if depth == 0 else None


def wrapped(new: str, raw: str) -> str:
    """Return ``new`` as a BibTeX value in the notation of the value ``raw``: in braces, in quotes,
    or as a plain number.
    """
    if raw.isdigit() and new.isdigit():
        return new
    if raw.startswith('"') and '"' not in new and inside(raw) is not None:
        return f'"{new}"'
    return f"{{{new}}}"


def _in_case_of(names: Sequence[str], name: str) -> str:
    """Return ``name`` in the case that most of ``names`` have: ``YEAR``, ``Year`` or ``year``."""
    if 2 * sum(own.isupper() for own in names) > len(names):
        return name.upper()
    return (
        name.capitalize()
        if 2 * sum(own[:1].isupper() for own in names) > len(names)
        else name.lower()
    )


class Kind(StrEnum):
    """Reason why a field was changed."""

    CORRECTED = "corrected"
    """The value differed from the record of the cited work."""
    UPGRADED = "upgraded"
    """The cited preprint was replaced by its published version."""
    ADDED = "added"
    """The field was missing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Edits of one entry, with the values that the entry must have after the edits."""

    kind: Kind
    edits: tuple[Edit, ...]
    """Edits of the text. Empty if the change cannot be written into the entry."""
    changing: frozenset[str]
    """Attributes of the reference that the edits change. All other attributes must stay the
    same.
    """
    wanted: Mapping[str, object] = attribute(default_factory=dict)
    fixed: Mapping[str, tuple[str, ...]] = attribute(default_factory=dict)
    """Map from each corrected attribute to the issue codes of its differences. After the correction
    there must be no such difference.
    """
    fields: tuple[ShownChange, ...] = ()
    """Fields that an upgrade or a completion changes, as shown to users."""
