"""Check documents that are open in an editor. This module does not depend on the Language Server
Protocol.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from citeproof.fix.document import Corrector
from citeproof.model.record import Record
from citeproof.model.reference import (
    NOWHERE,
    Bibliography,
    Diagnostic,
    Place,
    Reference,
    Severity,
    Span,
)
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex, read
from citeproof.report.advice import Region, part, region, sentence
from citeproof.report.wording import facts, record_link
from citeproof.verification.session import Session

Entry = TypeVar("Entry", bound=Reference | Diagnostic)

MAX_OFFERED = 10
"""Maximum number of works that are offered as completions of a title.

For a citation key, up to ten times as many completions are offered.
"""
_DEPENDENT = re.compile(r"@string|@preamble|crossref|xdata", re.IGNORECASE)
"""Regex for constructs such as ``@string``, by which a BibTeX entry may depend on other parts of
the file.
"""
_CITATION = re.compile(
    r"\\[a-zA-Z]*cite[a-zA-Z]*\*?(?:\[[^\]]*\])*\{(?:[^{}]*,)?\s*([^{},]*)$|(?<!\w)@([\w:.-]+)$"
)
"""Regex for a citation whose key is incomplete at the end of a line: ``\\citep{lamp`` or
``[@lamp``.
"""
_TITLE = re.compile(r"^\s*(?:title\s*=\s*)?[{\"]*\s*(.*?)[}\",\s]*$", re.IGNORECASE)
"""Regex for a line with a title, such as ``title = {On Sheep},``. Group 1 is the title without the
field name.
"""


class Finding(NamedTuple):
    """A problem in a document. If ``error`` is true, the entry is INVALID or unreadable. Otherwise
    the problem is a warning.
    """

    region: Region
    message: str
    code: str
    error: bool


class Change(NamedTuple):
    """An edit of a document: ``text`` replaces the characters from ``start`` to ``end``, which are
    offsets.
    """

    start: int
    end: int
    text: str


class Checker:
    """Checks documents that are open in an editor. Verdicts are cached, so only changed entries are
    verified again.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._verdict = lru_cache(maxsize=20_000)(self._new_verdict)
        self._last: dict[str, tuple[str, Bibliography, bool]] = {}
        """Map from the name of a document to a tuple: its last text, its entries, and whether each
        entry can be parsed without the others.
        """

    def check(
        self, name: str, text: str, cancelled: Callable[[], bool] = lambda: False
    ) -> list[Finding] | None:
        """Return the problems of the document ``name`` with the content ``text``.

        None if ``cancelled()`` becomes true before the check is complete.
        """
        found: list[Finding] = []
        for entry in self._read(name, text).entries:
            if cancelled():
                return None
            if isinstance(entry, Reference):
                verdict, messages = self._verdict(replace(entry, place=NOWHERE))
                for issue, message in messages:
                    if place := region(entry, issue):
                        found.append(
                            Finding(place, message, issue.code, verdict.status is Status.INVALID)
                        )
            elif entry.severity is Severity.ISSUE and entry.line:
                place = Region(entry.line, 1, entry.line + 1, 1)
                found.append(Finding(place, entry.message, entry.code, error=True))
        return found

    def forget(self, name: str) -> None:
        """Remove the closed document ``name`` from the cache."""
        self._last.pop(name, None)

    def hover(self, name: str, text: str, line: int) -> str:
        """Return Markdown about the entry at ``line`` (from 1): status, advice and record. The
        result is empty if no entry is there.
        """
        if not (reference := self.reference_at(name, text, line)):
            return ""
        verdict, _ = self._verdict(replace(reference, place=NOWHERE))
        lines = [f"**{verdict.status.value}** {_escaped(sentence(verdict))}"]
        if candidate := verdict.best_match or next(
            (work.candidate for work in verdict.meant), None
        ):
            title, link = _escaped(candidate.record.title), record_link(candidate.record)
            lines += (f"[{title}]({link})" if link else title, _escaped(facts(candidate.record)))
        return "\n\n".join(lines)

    def change(self, name: str, text: str, line: int, **options: bool) -> Change | None:
        """Return the edit that corrects the entry at ``line`` (from 1). None if nothing can be
        corrected.

        ``options`` are passed to :class:`Corrector`: ``upgrade`` and ``complete``.
        """
        reference = self.reference_at(name, text, line)
        if not reference or not (span := reference.place.span) or not name.endswith(".bib"):
            return None
        number, start = self._read(name, text).references.index(reference), 0
        if not _DEPENDENT.search(text):  # the entry can be read without the rest of the file
            number, start, text = 0, span.start, text[span.start : span.end]

        def read_one(document: Document) -> Bibliography:
            return Bibliography(bibtex.read(document).references[number : number + 1])

        corrector = Corrector(
            read_one, self._session.pipeline.examine, self._session.validator, **options
        )
        corrected = corrector.correct(Document.of_text(text, name)).data.decode(
            "utf-8", "surrogatepass"
        )
        first, last = _edited_range(text, corrected)
        new = corrected[first : len(corrected) - len(text) + last]
        return Change(start + first, start + last, new) if new or first < last else None

    def reference_at(self, name: str, text: str, line: int) -> Reference | None:
        """Return the reference at ``line`` (from 1). None if no reference is there."""
        references = self._read(name, text).references
        return next(
            (one for one in references if one.line <= line <= one.line + one.raw.count("\n")), None
        )

    def works(self, line: str) -> list[Record]:
        """Return works in the database whose titles are similar to the title in ``line``, most
        similar first. At most :data:`MAX_OFFERED` works are returned.
        """
        match, database = _TITLE.match(line), self._session.database
        if not database or not match or len(match[1].split()) < 2:
            return []
        alike = database.look_up(match[1], every=True).candidates
        found = alike or filter(None, [database.nearest(match[1])])
        return [candidate.record for candidate in islice(found, MAX_OFFERED)]

    def citations(self, before: str, bibliographies: list[tuple[str, str]]) -> list[Reference]:
        """Return the entries of ``bibliographies`` that match the incomplete citation at the end of
        ``before``, such as ``[@lamp``.

        ``bibliographies`` has the name and the text of each ``.bib`` file.
        """
        if not (match := _CITATION.search(before)):
            return []
        typed = (match[1] or match[2] or "").strip().casefold()
        entries = [
            entry for name, text in bibliographies for entry in self._read(name, text).references
        ]
        fitting = [
            one
            for one in entries
            if typed in f"{one.key} {one.title} {' '.join(one.authors)}".casefold()
        ]
        return fitting[: MAX_OFFERED * 10]

    def _new_verdict(self, reference: Reference) -> tuple[Verdict, list[tuple[Issue, str]]]:
        """Verify ``reference``. Return the verdict, and a pair (issue, message) for each issue that
        the editor shows.
        """
        verdict = self._session.pipeline.verify(reference)
        shown = verdict.counted if verdict.is_flagged else ()
        parts = [(issue, part(issue, verdict)) for issue in shown]
        return verdict, [(issue, f"{message[0].upper()}{message[1:]}.") for issue, message in parts]

    def _read(self, name: str, text: str) -> Bibliography:
        before = self._last.get(name)
        if before and before[0] == text:
            return before[1]
        edited = self._with_one_entry_edited(name, text)
        separable = edited is not None or (name.endswith(".bib") and not _DEPENDENT.search(text))
        bibliography = edited or read(Document.of_text(text, name))
        self._last[name] = text, bibliography, separable
        return bibliography

    def _with_one_entry_edited(self, name: str, text: str) -> Bibliography | None:
        """Return the entries of ``text`` if only one entry was edited since the last text of the
        document ``name``. Only this entry is then parsed again.

        Otherwise return None.
        """
        old, known, separable = self._last.get(name, ("", Bibliography(()), False))
        if not separable:
            return None
        start, end = _edited_range(old, text)
        longer = len(text) - len(old)
        for number, entry in enumerate(known.entries):
            span = entry.place.span
            if not span or start <= span.start or span.end <= end:
                continue
            piece = text[span.start : span.end + longer]
            read_again = bibtex.read(Document.of_text(piece, name)).entries
            if _DEPENDENT.search(piece) or [type(one) for one in (entry, *read_again)] != [
                Reference,
                Reference,
            ]:
                return None
            if read_again[0].place.span != Span(0, len(piece)):
                return None
            fresh = _moved(read_again[0], span.start, entry.line - 1, entry.place.column - 1)
            lines = piece.count("\n") - entry.raw.count("\n")
            later = (_moved(one, longer, lines) for one in known.entries[number + 1 :])
            return replace(known, entries=(*known.entries[:number], fresh, *later))
        return None


def bibliographies_beside(path: Path, open_texts: dict[str, str]) -> list[tuple[str, str]]:
    """Return a pair (name, text) for each ``.bib`` file in the folder of ``path``.

    ``open_texts`` maps the names of files that are open in the editor to their unsaved texts.
    """
    files = filter(Path.is_file, sorted(path.parent.glob("*.bib")))
    texts = ((str(file), open_texts.get(str(file)), file) for file in files)
    return [
        (name, file.read_text("utf-8", "replace") if text is None else text)
        for name, text, file in texts
    ]


def _moved(entry: Entry, characters: int, lines: int, columns: int = 0) -> Entry:
    old = entry.place
    span = old.span and Span(old.span.start + characters, old.span.end + characters)
    fields = tuple(
        (field, Span(start + characters, end + characters)) for field, (start, end) in old.fields
    )
    place = Place(
        old.file, old.line + lines, old.page, span, fields, old.paper, old.column + columns
    )
    return replace(entry, place=place)


def _edited_range(old: str, new: str) -> tuple[int, int]:
    """Return start and end of the smallest part of ``old`` that must be replaced to get ``new``:
    (3, 6) for ``On Big Sheep`` and ``On Old Sheep``.
    """
    start = _common_prefix(old, new)
    return start, len(old) - min(
        _common_prefix(old[::-1], new[::-1]), min(len(old), len(new)) - start
    )


def _common_prefix(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts. It is found by binary search."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one.startswith(other[:middle]) else (low, middle - 1)
    return low


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)
