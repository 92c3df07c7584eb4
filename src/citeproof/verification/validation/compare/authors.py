"""Compare the cited authors with the authors of a record: cited names that the record lacks, names
that are not cited, and the order.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nsmallest
from itertools import product

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.name_comparison import NameAgreement, compare_names, is_repeated, likeness_keys
from citeproof.text.names import Name, authors_in, is_placeholder, named, parse_name
from citeproof.verification.validation.policy import Difference, found

# maximum number of pairs of names that are all compared; two lists of 30 names have 900 pairs
_FEW_PAIRS = 1000
# maximum number of recorded names that are compared with one cited name in long lists
_MOST_NAMESAKES = 100
# minimum number of recorded authors for accepting a record that lacks some cited authors
_SEVERAL = 3
ROUND = 10
"""Number of authors after which exports of Google Scholar cut a list, without adding "et al."."""
_OF_NAMES = {
    NameAgreement.GIVEN_DIFFERS: "authors.given_name",
    NameAgreement.MISSPELT: "authors.spelling",
}
"""Map from the agreement of two names to the code of their difference."""
Pairs = dict[int, tuple[int, NameAgreement]]
"""Map from the index of a cited name to a pair: the index of the matching recorded name, and the
agreement of both names.
"""


@dataclass(frozen=True, slots=True)
class AuthorMatch:
    """Result of comparing the cited authors with the authors of one record."""

    cited: int  # number of cited names; 0 if reference or record has no names
    # number of cited names in the record; a name with a different given name is counted as 0.5
    agreeing: float
    differences: tuple[Difference, ...] = ()
    absent: tuple[str, ...] = ()  # cited names that the record does not have
    uncited: tuple[str, ...] = ()
    """Names in the record that are not cited. Empty if the cited list ends in "et al."."""
    recorded: int = 0  # number of recorded names

    @property
    def comparable(self) -> bool:
        """Whether the reference and the record have names of authors."""
        return self.cited > 0

    @property
    def share(self) -> float:
        """Share of the cited names that are in the record, 0 to 1; 1 if reference or record has no
        names.
        """
        return self.agreeing / self.cited if self.cited else 1.0

    @property
    def agrees(self) -> bool:
        """Whether at least half of the cited names are in the record, or all names of the record
        (at least 3) are cited.
        """
        everyone = not self.uncited and self.agreeing >= _SEVERAL and self.agreeing == self.recorded
        return self.share >= 0.5 or everyone

    @property
    def all_cited(self) -> bool:
        """Whether each cited name is in the record; False without names."""
        return self.comparable and self.share == 1

    @property
    def everyone(self) -> bool:
        """Whether each cited name is in the record, and each name of the record is cited.

        False without names.
        """
        return self.all_cited and not self.uncited


def compare_authors(reference: Reference, record: Record) -> AuthorMatch:
    """Compare the cited authors with the authors of a record."""
    authors, recorded_authors = reference.authors, tuple(named(record.authors))
    names: Sequence[str] = named(authors)
    if names and tuple(names) == recorded_authors:
        return AuthorMatch(len(names), float(len(names)), recorded=len(names))
    match = partial(_match, is_cut=len(recorded_authors) < len(record.authors))
    # organisations are often added to a list of authors, or left out
    persons, recorded_persons = (
        tuple(name for name in each if not parse_name(name).group)
        for each in (names, recorded_authors)
    )
    open_end = reference.and_others or len(persons) < len(authors)
    if persons and recorded_persons:
        names, recorded_authors = persons, recorded_persons
    elif persons or recorded_persons:
        cited, shown = "; ".join(names), "; ".join(recorded_authors)
        group = found("authors.more", cited, shown)
        return AuthorMatch(0, 0.0, (group,) if names and recorded_authors else ())
    whole = match(names, recorded_authors, open_end=open_end)
    joined = [name for name in names if len(authors_in(name)) > 1] if whole.differences else []
    if not joined:
        return whole
    apart = match(
        [person for name in names for person in authors_in(name)],
        recorded_authors,
        open_end=open_end,
    )
    split = {person for name in joined for person in authors_in(name)}
    if not split.isdisjoint(apart.absent):
        return whole
    commas = found("authors.commas", "; ".join(joined), "; ".join(recorded_authors))
    return replace(apart, differences=(*apart.differences, commas))


def _match(
    names: Sequence[str], recorded_authors: Sequence[str], *, is_cut: bool, open_end: bool
) -> AuthorMatch:
    """Compare two lists of names.

    With ``is_cut``, the record has only the first authors of a work. If all of these are cited,
    only these are counted. Further cited names can be neither confirmed nor refuted.
    """
    cited, recorded = [*map(parse_name, names)], [*map(parse_name, recorded_authors)]
    if not cited or not recorded:
        return AuthorMatch(0, 0.0)
    pairs = pair_names(cited, recorded)
    agreeing = sum(
        0.5 if pair[1] is NameAgreement.GIVEN_DIFFERS else 1.0 for pair in pairs.values()
    )
    unpaired = [place for place in range(len(cited)) if place not in pairs]
    few = pairs and len(unpaired) * len(recorded) <= _FEW_PAIRS
    absent = tuple(
        names[place] for place in unpaired if not (few and is_repeated(place, cited, recorded))
    )
    paired = {other for other, _ in pairs.values()}
    uncited = tuple(
        name for place, name in enumerate(recorded_authors) if place not in paired and not open_end
    )
    lacking, counted = "authors.not_on_record", len(cited)
    if is_cut and len(pairs) == len(recorded):
        lacking, counted = "authors.first_only", len(pairs)
    differences = tuple(_differences(names, recorded_authors, pairs, absent, uncited, lacking))
    return AuthorMatch(counted, agreeing, differences, absent, uncited, len(recorded))


def _differences(
    names: Sequence[str],
    recorded: Sequence[str],
    pairs: Pairs,
    absent: Sequence[str],
    uncited: Sequence[str],
    lacking: str,
) -> Iterator[Difference]:
    """Yield the differences between the cited ``names`` and the ``recorded`` names.

    ``absent`` are the cited names that the record lacks, and ``uncited`` the recorded names that
    are not cited. The latter are reported only if the cited list is shorter than the recorded list.
    ``lacking`` is the key of the sentence on ``absent``.
    """
    cited, shown = "; ".join(names), "; ".join(recorded)
    if missing := [name for name in absent if not is_placeholder(name)]:
        yield found(lacking, "; ".join(missing), shown)
    if uncited and len(names) < len(recorded):
        key = "authors.dropped" if len(names) % ROUND else "authors.dropped/round"
        counts = {"count": len(names), "all": len(recorded), "missing": "; ".join(uncited)}
        yield found(key, cited, shown, **counts)
    paired = sorted(pairs.items())
    for place, (other, agreement) in paired:
        if code := _OF_NAMES.get(agreement):
            yield found(code, names[place], recorded[other])
    places = [other for _, (other, _) in paired]
    if places != sorted(places):
        yield found("authors.order", cited, shown)


def pair_names(cited: Sequence[Name], recorded: Sequence[Name]) -> Pairs:
    """Match each cited name with the recorded name that agrees best.

    Each recorded name is used at most once.
    """
    places = range(min(len(cited), len(recorded)))
    equal = [place for place in places if cited[place].words == recorded[place].words]
    pairs: Pairs = {place: (place, NameAgreement.SAME) for place in equal}
    taken = set(equal)
    rest = [place for place in range(len(cited)) if place not in pairs]
    free = [place for place in range(len(recorded)) if place not in taken]
    scored = [
        (-agreement, abs(place - other), place, other)
        for place, other in _worth_comparing(cited, recorded, rest, free)
        if cited[place].letters & recorded[other].letters  # rules out most pairs
        and (agreement := compare_names(cited[place], recorded[other])) is not NameAgreement.NONE
    ]
    for negative, _, place, other in sorted(scored):
        if place not in pairs and other not in taken:
            pairs[place] = (other, NameAgreement(-negative))
            taken.add(other)
    return pairs


def _worth_comparing(
    cited: Sequence[Name], recorded: Sequence[Name], rest: Sequence[int], free: Sequence[int]
) -> Iterable[tuple[int, int]]:
    """Return pairs of indexes of names to compare: an index in ``cited``, one of ``rest``, and an
    index in ``recorded``, one of ``free``. For long lists, only pairs of names that may be similar
    are returned.
    """
    if len(rest) * len(free) <= _FEW_PAIRS:
        return product(rest, free)
    by_key: defaultdict[str, list[int]] = defaultdict(list)
    for other in free:
        for key in likeness_keys(recorded[other]):
            by_key[key].append(other)

    def nearest(place: int) -> list[int]:
        sharing = {other for key in likeness_keys(cited[place]) for other in by_key.get(key, ())}
        return nsmallest(_MOST_NAMESAKES, sharing, key=lambda other: (abs(place - other), other))

    return ((place, other) for place in rest for other in nearest(place))
