"""Combine each possible list of authors of a reference string with each possible title, and find
the best combinations.

A string has about sixty combinations, and callers need only the one to five most plausible. For
most combinations, only an upper bound of the score is computed, because an exact score takes
longer.
"""

import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush, heapreplace
from typing import NamedTuple

from citeproof.readers.strings import authors, possible_titles
from citeproof.readers.strings.features import weight_of

_AFTER_AUTHORS = re.compile(
    r"(?P<stop> *\. )|(?P<colon> *:)|(?P<quote>[.,]? *[“\"‘„«`])|(?P<comma> *,)|(?P<bracket>"
    r" *[(\[])|(?P<nothing> *$)"
)
MONTH = (
    r"(?:Jan(?:uary?|uar|vier)?|Feb(?:ruary?|ruar)?|Mar(?:ch|s)?|Apr(?:il)?|May|June?|July?|"
    r"Aug(?:ust)?|"
    r"Sept?(?:emb(?:er|re))?|O[ck]t(?:ob(?:er|re))?|Nov(?:emb(?:er|re))?|De[cz](?:ember)?|"
    r"Jänner|März|Mai|Juni|Juli|févr?(?:ier)?|avril|juin|juillet|août|déc(?:embre)?|"
    r"Spr(?:ing)?|Sum(?:mer)?|Fall|Aut(?:umn)?|Win(?:ter)?|Frühjahr|Sommer|Herbst)"
)
"""Regex for a month or season in English, German or French."""
YEAR = r"(?:1[5-9]|20)\d\d"
_UNDATED = (
    r"(?:n\. ?d\.?|no date|in press|forthcoming|to appear|submitted|im Druck|im Erscheinen|i\."
    r" ?E\.|s\. ?d\.|"
    r"o\. ?[JD]\.|sous presse|à paraître)"
)
# day and month: ``6. März ``, ``Sept. 2, ``
_DAY = rf"(?:\d{{1,2}}\.? +)?{MONTH}\b\.?(?: +\d{{1,2}},)? +"
DATE = re.compile(
    r"[ .,:;]*+(?=[(\[12jfmasondwitàé])(?:\( *(?:\[?(?:ca?\."
    rf" ?)?(?:{_DAY})?{YEAR}[a-z]?|{_UNDATED})[^()]{{0,40}}\)|"
    rf"\[ *{YEAR}[a-z]? *\]|"
    rf"(?:{MONTH}\.? +)?{YEAR}[a-z]?\b(?:[-–/]\d{{2,4}}(?=[.:)]))?(?![-–]\d)|{_UNDATED})"
    r" *[.,:;]* *",
    re.IGNORECASE,
)
"""Regex for a date between authors and title: ``(2010, May).``, ``(6. März 1939)``, ``, 1981.``."""
_ANY_YEAR = re.compile(r"[12](?<![\w/.–-].)(?:(?<=1)[5-9]|(?<=2)0)\d\d(?=[a-z]?(?![\w/]|\.\d{4}))")
_YEAR = re.compile(YEAR)
_GLUED = re.compile(rf"(?<!\d){YEAR}(?!\d)")
_IN_BRACKETS = re.compile(
    rf"[(\[] *(?:{MONTH}\.? *)?(?:\d{{1,2}},? *)?({YEAR})[a-z]? *(?:[,;] *[^()]{{0,30}})?[)\]]"
)
_BEHIND_EDITION = re.compile(rf"(?<!\d)\d{{1,2}}({YEAR})(?!\d)")
"""Regex for a year that directly follows the raised number of an edition: ``72004`` is the seventh
edition of 2004.
"""
_IN_ORDER = (_IN_BRACKETS, _ANY_YEAR, _GLUED, _BEHIND_EDITION)
_VISIT_LIST = (
    "accessed retrieved cited visited viewed abgerufen consult besucht zugriff aufgerufen"
    " eingesehen geprüft"
)
VISITS = _VISIT_LIST.split()  # words before the date on which a web page was visited
_ACCESSED = re.compile(rf"\b(?:{'|'.join(VISITS)})\b(?:[^.;)\]]|(?<=\d)\.){{0,40}}", re.IGNORECASE)
_PAGES = re.compile(
    r"[PpSs:](?:(?<=:)|(?<!\w.)(?:(?<=[Pp])(?:[Pp]?\.?|[Aa][Gg][Ee][Ss]?)|(?<=[Ss])\.)) *\d++"
    r" *[-–—]++ *\d+"
)


class Beginning(NamedTuple):
    """A possible list of the authors of a reference string, with the position at which the title
    begins.
    """

    group: authors.AuthorList
    start: int
    dated: str  # date between authors and title, as written; empty if there is none
    behind: str  # name of the separator of authors and title: ``dated``, ``colon``, ``comma``, ...
    weight: int  # score of the list of authors, in hundredths
    # map from the punctuation that ends a title, such as ``stop``, to the score of this ending
    joined: dict[str, int]


class Combination(NamedTuple):
    """A possible list of authors with a possible title. If the work has no title, its venue takes
    the place of the title.
    """

    weight: int  # score, in hundredths; higher is more plausible
    beginning: Beginning
    title: possible_titles.Title


class Combinations:
    """All ways to split one reference string into authors and title, ordered by the list of authors
    and then by the end of the title.
    """

    def __init__(self, body: str, near: int = sys.maxsize) -> None:
        """``near`` is the maximum difference in score between the best list of authors and any
        other list. Lists with a larger difference are left out.
        """
        found = list(beginnings(body))
        least = max(beginning.weight for beginning in found) - near
        self._beginnings = [beginning for beginning in found if beginning.weight > least]
        starts = [beginning.start for beginning in self._beginnings]
        self.titles = possible_titles.Titles(body, min(starts), max(starts))
        self._proposed: list[possible_titles.Proposal] = []
        for number, beginning in enumerate(self._beginnings):
            self._proposed += self.titles.beginning_at(
                beginning.start, number, beginning.weight, beginning.joined
            )

    def heaviest_first(self, within: int = sys.maxsize) -> Iterator[Combination]:
        """Yield the combinations, highest score first. Combinations with equal scores keep the
        order of :meth:`__iter__`.

        This is a best-first search over upper bounds of the scores. The bounds leave out features
        that only lower a score. A combination is yielded once its score exceeds all remaining
        bounds. ``within`` is a difference in score: combinations whose score is lower than the
        highest score by ``within`` or more may be left out.
        """
        waiting = self._proposed.copy()
        heapify(waiting)
        weighed: list[tuple[int, int, int, bool, Combination]] = []
        enough = sys.maxsize
        while waiting and waiting[0][0] < enough:
            proposal = waiting[0]
            if weighed and weighed[0][:4] < proposal[:4]:
                yield heappop(weighed)[4]
                continue
            closer = self.titles.with_closer_bound(proposal)
            if closer != proposal:
                heapreplace(waiting, closer)
                continue
            heappop(waiting)
            if combination := self._weighed(proposal):
                heappush(weighed, (-combination.weight, *proposal[1:4], combination))
                enough = min(enough, within - combination.weight)
        while weighed:
            yield heappop(weighed)[4]

    def __iter__(self) -> Iterator[Combination]:
        """Yield all combinations, ordered by the list of authors and then by the position at which
        the title ends.
        """
        return filter(None, map(self._weighed, map(self.titles.with_closer_bound, self._proposed)))

    def features_of(self, combination: Combination) -> tuple[str, ...]:
        """Return the features that determine the score of ``combination``, such as ``people:2``: it
        has two authors.
        """
        group, behind = combination.beginning.group, combination.beginning.behind
        title = combination.title
        joined = _joined_features(behind, group.form, title.joint)
        return (*author_features(group, behind)[0], *joined, *self.titles.features_of(title))

    def _weighed(self, proposal: possible_titles.Proposal) -> Combination | None:
        """Return the combination for ``proposal``, with its exact score instead of an upper bound.
        None if the text of the proposal is not a title and cannot be a venue.
        """
        if (title := self.titles.title(proposal)) is None:
            return None
        beginning = self._beginnings[proposal[1]]
        return Combination(
            beginning.weight + beginning.joined[title.joint] + title.weight, beginning, title
        )


def beginnings(body: str) -> Iterator[Beginning]:
    """Yield each possible list of authors of the reference string ``body``, with the position at
    which the title begins.
    """
    for group in authors.proposals(body):
        match = DATE.match(body, group.end)
        start, dated = (match.end(), match[0]) if match else (group.end, "")
        behind = "dated" if match else feature_after_authors(body, group)
        yield Beginning(
            group,
            start,
            dated,
            behind,
            author_features(group, behind)[1],
            _joined(behind, group.form),
        )


@cache
def _joined(behind: str, form: str) -> dict[str, int]:
    return {
        joint: weight_of(_joined_features(behind, form, joint)) for joint in possible_titles.JOINTS
    }


def _joined_features(behind: str, form: str, joint: str) -> tuple[str, ...]:
    """Return the features of ``behind``, the punctuation after the authors, and ``form``, the way
    in which names are written, each together with ``joint``, the ending of the title. Example:
    ``dated>stop`` is a date before the title and a full stop after it.
    """
    return f"{behind}>{joint}", f"{form or 'none'}>{joint}"


def author_features(group: authors.AuthorList, behind: str) -> tuple[tuple[str, ...], int]:
    """Return the features of ``group``, a list of authors, such as ``people:2`` for two names, and
    their total weight in hundredths. ``behind`` is the name of the punctuation after the list.
    """
    ended = group.others or group.editors
    return _author_features(
        group.form, behind, min(len(group.names), 6), group.left_out, ended, group.has_sentence
    )


@lru_cache(maxsize=4096)
def _author_features(
    form: str, behind: str, count: int, left_out: int, marked_end: bool, has_sentence: bool
) -> tuple[tuple[str, ...], int]:
    named = form or "none"
    features = [f"people:{named}", f"people:{named}>{behind}", f"people:{count}"]
    if left_out:
        features.append(f"people:left_out:{left_out}")
    if marked_end:
        features.append("people:marked_end")
    if has_sentence:
        features.append("people:has_sentence")
    return tuple(features), weight_of(features)


def feature_after_authors(body: str, group: authors.AuthorList) -> str:
    """Return the name of the punctuation that follows the list of authors ``group`` in ``body``:
    ``stop``, ``colon``, ``quote``, ``comma``, ``other``, ...
    """
    if not group.end:
        return "beginning"
    behind = body[group.end : group.end + 4]
    if match := _AFTER_AUTHORS.match(behind):
        return str(match.lastgroup)
    return "initial" if body[group.end - 1] == "." and behind[:1] == " " else "other"


@lru_cache(maxsize=16)  # cached, because several possible titles begin at the same position
def year_of(text: str, dated: str) -> int | None:
    """Return the year of publication in ``dated``, a date after the authors. If ``dated`` has no
    year, return the year in ``text``. None if there is no year.

    In ``text``, the last year in brackets is preferred to the last other year. Dates of visits to
    web pages, and page numbers, are ignored.
    """
    if dated and (match := _ANY_YEAR.search(dated) or _YEAR.search(dated)):
        return int(match[0])
    if any(map(text.lower().__contains__, VISITS)):
        text = _ACCESSED.sub(" ", text)
    rest = _PAGES.sub(" ", text)
    years = next(filter(None, (pattern.findall(rest) for pattern in _IN_ORDER)), None)
    return int(years[-1]) if years else None
