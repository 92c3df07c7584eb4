"""Titles that agree but for a subtitle or the order of words, in a database without a title index.

The title index finds them by keys of their own; here they are picked from titles that were read anyway. Both
ways answer alike: see :mod:`citeproof.bibdb.title_index.keys`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.bibdb.matches import Match
from citeproof.bibdb.title_index.keys import main_title, same_words
from citeproof.models import MatchKind
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from citeproof.models import Record

MAX_MAIN_TITLES = 50
"""A main title that more titles share ("Editorial", "Introduction") says nothing about which is meant."""


def related_titles(
    title: str, titles: Iterable[tuple[int, str]], records_of: Callable[[Sequence[int]], Mapping[int, Record]]
) -> Iterator[Match]:
    """Yield which of the normalised ``titles``, each with its record's id, lack or add a subtitle, or change the order.

    ``title`` is as it was cited. Where a record's subtitle begins only its raw title tells; ``records_of`` returns it.
    """
    query, main = normalize_title(title), main_title(title)
    near = [(record_id, text) for record_id, text in titles if _may_be_related(query, main, text)]
    records = records_of([record_id for record_id, _ in near])
    known = [(record_id, text, records[record_id]) for record_id, text in sorted(near) if record_id in records]
    subtitled = [each for each in known if main_title(each[2].title) == query]
    if len({text for _, text, _ in subtitled}) > MAX_MAIN_TITLES:
        subtitled = []
    for record_id, text, record in [each for each in known if main and each[1] == main] + subtitled:
        yield Match(similarity(query, text), record_id, MatchKind.MAIN_TITLE, record)
    for record_id, text, record in known:
        if same_words(text, query):
            yield Match(similarity(query, text), record_id, MatchKind.SAME_WORDS, record)


def _may_be_related(query: str, main: str, text: str) -> bool:
    if text.startswith(query + " ") or (main and text == main):
        return True
    return len(text) == len(query) and same_words(text, query)
