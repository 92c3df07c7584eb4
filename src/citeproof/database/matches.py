"""The answer of an index to a query title, and the comparison of titles that were read from a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citeproof.database.title_index.exact import MOST_MAIN_TITLES, is_reordering, main_title
from citeproof.model.record import MatchKind, Record
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarities, similarity


def related_titles(
    title: str, titles: Iterable[tuple[int, str]], records_of: Callable[[Sequence[int]], Mapping[int, Record]]
) -> Iterator[Match]:
    """Yield the records of ``titles`` that differ from ``title`` only by a subtitle or the order of words.

    ``title`` is raw; ``titles`` are record ids with normalised titles, from a database without a title index. A title
    index would give the same answer (:mod:`citeproof.database.title_index.exact`).
    """
    query, main = normalize_title(title), main_title(title)
    near = [
        (record_id, text)
        for record_id, text in titles
        if text.startswith(query + " ")
        or (main and text == main)
        or (len(text) == len(query) and is_reordering(text, query))
    ]
    records = records_of([record_id for record_id, _ in near])
    known = [(record_id, text, records[record_id]) for record_id, text in sorted(near) if record_id in records]
    subtitled = [each for each in known if main_title(each[2].title) == query]
    if len({text for _, text, _ in subtitled}) > MOST_MAIN_TITLES:
        subtitled = []
    for record_id, text, record in [each for each in known if main and each[1] == main] + subtitled:
        yield Match(similarity(query, text), record_id, MatchKind.MAIN_TITLE, record)
    for record_id, text, record in known:
        if is_reordering(text, query):
            yield Match(similarity(query, text), record_id, MatchKind.SAME_WORDS, record)


class Match(NamedTuple):
    """A record whose title was compared with the query."""

    similarity: float
    """Normalised Indel similarity, 0 to 1: 1 - edits (letters deleted or inserted) / letters of both titles."""
    record_id: int
    kind: MatchKind = MatchKind.TITLE
    record: Record | None = None
    """The record; None if the index has not read it."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The answer of an index, or of brute force, to a title."""

    found: tuple[Match, ...]
    """Matches at or above the threshold: the most similar first, equally similar records by id."""
    nearest: Match | None
    """The best match below the threshold. None if matches were found, or no title was compared."""
    examined: int
    """Number of titles compared with the query."""
    complete: bool
    """Whether no better record exists in the database."""
    cut: bool = False
    """Whether the search stopped because it had compared its maximum number of titles."""
    more: int = 0
    """Number of records at or above the threshold that are not in :attr:`found`."""


def compare(query: str, titles: Mapping[int, str], threshold: float) -> tuple[tuple[Match, ...], Match | None]:
    """Return the records whose normalised ``titles`` reach ``threshold``; if there are none, the nearest record.

    The similarity is an exact quotient that is rounded once, so a similarity equal to the threshold reaches it.
    """
    if not titles:
        return (), None
    ids, alike = list(titles), similarities(query, list(titles.values()))
    reached = (alike >= threshold).nonzero()[0].tolist()
    if not reached:
        best = int(alike.argmax())
        return (), Match(float(alike[best]), ids[best])
    found = (Match(float(alike[place]), ids[place]) for place in reached)
    return tuple(sorted(found, key=lambda match: (-match.similarity, match.record_id))), None
