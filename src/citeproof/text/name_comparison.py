"""Compare names of people and groups.

An initial agrees with a given name. Particles such as ``van`` may be missing, and the order of
words may differ.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import chain, product

from citeproof.text.given_names import is_syllabic, joined, same_given
from citeproof.text.names import PARTICLES, Name, Words, person
from citeproof.text.spelling import is_typo

_DISTINCTIVE = 5
"""Minimum number of letters of a first given name that makes a typo in a short family name
acceptable, such as ``kon`` for ``kohn``. Both names must have this given name.
"""
_SPELLED_OUT = 3  # minimum number of letters of a given name that is not an initial
_CONSONANTS = 3  # number of first consonants that must be equal in two forms of one name
# one way to split a name: the family name as one string, and the given names
Parts = tuple[str, Words]


class NameAgreement(IntEnum):
    """How well two names agree. Higher values mean that the names are more similar."""

    NONE = 0  # the names are of different people
    GIVEN_DIFFERS = 1  # the family names are equal, but the given names do not agree
    MISSPELT = 2  # the names are equal except for a typo in the family name
    SAME = 3  # the names are equal, or one abbreviates the other


def compare_names(cited: Name, recorded: Name) -> NameAgreement:
    """Return how well a cited and a recorded name agree.

    All usual ways to split each name into given and family name are tried, and the best result is
    returned.
    """
    if not cited.words or not recorded.words:
        return NameAgreement.NONE
    if cited.words == recorded.words:
        return NameAgreement.SAME
    if not cited.letters & recorded.letters:
        return NameAgreement.NONE  # no common first letter, so no splits agree
    return _compare_different(cited, recorded)


def is_repeated(place: int, cited: Sequence[Name], recorded: Sequence[Name]) -> bool:
    """Whether the list ``cited`` contains the name ``cited[place]`` a second time, in this or
    another form: ``Stuart F. Allen`` and ``S. F. Allen`` both agree with one name in ``recorded``.
    """
    name, others = cited[place], (*cited[:place], *cited[place + 1 :])
    same = [other for other in recorded if compare_names(name, other) is NameAgreement.SAME]
    return any(
        compare_names(twin, other) is NameAgreement.SAME for other in same for twin in others
    )


def is_letter_apart(cited: Name, recorded: Name) -> bool:
    """Whether two names agree except for a typo in one word, as ``Yuxin Png`` and ``Yuxin Peng``
    do.

    Names of different people may also differ by one letter, such as ``Wei Wang`` and ``Wei Yang``,
    so the caller needs more evidence.
    """
    if len(cited.words) != len(recorded.words) or cited.group or recorded.group:
        return False
    for words in [cited.words, cited.family + cited.given] if cited.either else [cited.words]:
        pairs = zip(words, recorded.words, strict=True)
        wrong = [
            (word, other)
            for word, other in pairs
            if word != other and word != other[0] and other != word[0]
        ]
        if not wrong or (
            len(wrong) == 1 and is_typo(*wrong[0], shortest=1) and max(map(len, wrong[0])) > 1
        ):
            return True
    return False


def is_form(cited: Name, recorded: Name) -> bool:
    """Whether the given names of two names may be forms of one name, as ``Jon`` and ``Jonathon`` or
    ``Minh-Thang`` and ``Thang``.

    Initials are ignored. The given names match if all words of one name are in the other name, or
    if two words begin with the same letters or consonants, such as ``Grigoris`` and ``Gregory``.
    Words of East Asian syllables must be equal.
    """
    if cited.group or recorded.group or not cited.words or not recorded.words:
        return False
    ours, theirs = (
        {word for word in _given_words(name) if len(word) >= _SPELLED_OUT}
        for name in (cited, recorded)
    )
    if ours and theirs and (ours <= theirs or theirs <= ours):
        return True
    return any(_are_forms(*pair) for pair in product(ours, theirs))


def has_same_given(cited: Name, recorded: Name) -> bool:
    """Whether ``cited`` and ``recorded`` share a given name of at least three letters."""
    return any(
        len(word) >= _SPELLED_OUT and word == other
        for word in _given_words(cited)
        for other in recorded.words
    )


def _given_words(name: Name) -> Words:
    """Return the given names of ``name``, split at hyphens.

    If the family name is unknown, it is assumed to be the last word. All words of a family name
    with a hyphen are left out: ``Robert Garcia-Lopez`` gives ``Robert``.
    """
    words, whole = name.unhyphenated or name.words, joined(name.family or name.words[-1:])
    family = next((n for n in range(1, len(words)) if joined(words[-n:]) == whole), 1)
    return words[:-family] if len(words) > family else words


def _are_forms(word: str, other: str) -> bool:
    if is_syllabic(word) and is_syllabic(other):
        return False
    short, long = sorted((word, other), key=len)
    ends = len(short) > _SPELLED_OUT and long.endswith(short)
    return (
        ends
        or word[:_SPELLED_OUT] == other[:_SPELLED_OUT]
        or _first_consonants(word) == _first_consonants(other)
    )


def _first_consonants(word: str) -> str:
    """Return the first :data:`_CONSONANTS` consonants of ``word``, or the whole word if it has
    fewer consonants.
    """
    first = "".join(letter for letter in word if letter not in "aeiouy")[:_CONSONANTS]
    return first if len(first) == _CONSONANTS else word


@lru_cache(maxsize=16384)
def _compare_different(cited: Name, recorded: Name) -> NameAgreement:
    if cited.group or recorded.group:  # names of groups are often shortened
        ours, theirs = (set(name.words) - {"the", "of", "and", "for"} for name in (cited, recorded))
        return (
            NameAgreement.SAME
            if ours and theirs and (ours <= theirs or theirs <= ours)
            else NameAgreement.NONE
        )
    if _is_family(cited, recorded) or _is_family(recorded, cited):
        return NameAgreement.SAME
    words, whole = cited.words, joined(recorded.words)  # for "Kim Il Sung" and "Il-Sung Kim"
    if any(joined(words[cut:] + words[:cut]) == whole for cut in range(len(words))):
        return NameAgreement.SAME
    found = _compare_splits(cited, recorded)
    if found is NameAgreement.NONE and (cited.unhyphenated or recorded.unhyphenated):
        if _has_initials_of(cited, recorded) or _has_initials_of(recorded, cited):
            return NameAgreement.SAME
        return compare_names(
            *(person(name.unhyphenated or name.words) for name in (cited, recorded))
        )
    if found is NameAgreement.NONE and _are_swapped(cited, recorded):
        return NameAgreement.SAME
    return found


def _is_family(short: Name, full: Name) -> bool:
    """Whether ``short`` consists only of particles and the family name of ``full``: ``de Boor`` for
    ``Carl de Boor``.
    """
    count = len(short.words)
    return (
        count > 1 and full.words[-count:] == short.words and PARTICLES.issuperset(short.words[:-1])
    )


def _compare_splits(cited: Name, recorded: Name) -> NameAgreement:
    """Return the best agreement of two names over all ways to split each name into family name and
    given names.

    One of the names may lack a second family name, such as ``Lopez`` in ``Juan Garcia Lopez``.
    """
    if len(cited.words) == len(recorded.words) == 2 and not cited.family and not recorded.family:
        # Nine of ten names have two words of unknown role, and so only one split.
        return _compare_parts(
            *((joined(name.words[-1:]), name.words[:-1]) for name in (cited, recorded))
        )
    found = NameAgreement.NONE
    ways = ((_splits, _splits), (_halves, _splits), (_splits, _halves))
    for ours, theirs in chain.from_iterable(
        product(way(cited), other(recorded)) for way, other in ways
    ):
        found = max(found, _compare_parts(ours, theirs))
        if found is NameAgreement.SAME:
            break
    return found


def likeness_keys(name: Name) -> frozenset[str]:
    """Return search keys of a name. Names that agree have a key in common, so only names with a
    common key need to be compared.

    The keys are all words, and all sequences of two or three words joined to one text. For each key
    of four letters or more, the keys with one letter removed are added: ``Hail`` and ``Hall`` share
    ``hal``.
    """
    wholes = {
        joined(words[start : start + length])
        for words in (name.words, name.unhyphenated)
        for length in (1, 2, 3)
        for start in range(len(words) - length + 1)
    }
    long = {whole for whole in wholes if len(whole) > 1} or wholes
    shortened = {
        whole[:cut] + whole[cut + 1 :]
        for whole in long
        if len(whole) >= 4
        for cut in range(len(whole))
    }
    return frozenset(long | shortened)


def _are_swapped(cited: Name, recorded: Name) -> bool:
    """Whether one name has family and given name swapped: ``Manning Christopher`` for ``Christopher
    D. Manning``.

    Both names must contain the same full given name, because many people have the same initials.
    """
    if set(cited.words).isdisjoint(recorded.words):
        return False
    for one, other in ((cited, recorded), (recorded, cited)):
        family, given = one.words[0], one.words[1:]
        for theirs, others in _splits(other):
            full = {word for word in given if len(word) > 2} & set(others)
            if full and joined((family,)) == theirs and same_given(given, others):
                return True
    return False


def _has_initials_of(short: Name, full: Name) -> bool:
    """Whether ``short`` consists of the first word of ``full`` and the initials of all other words:
    ``Li F.-F.`` for ``Li Fei-Fei``.
    """
    family, *given = full.unhyphenated or ("",)
    initials = tuple(word[0] for word in given)
    return len(initials) > 1 and short.words in {(*initials, family), (family, *initials)}


def _compare_parts(ours: Parts, theirs: Parts) -> NameAgreement:
    (family, given), (other_family, other_given) = ours, theirs
    if family == other_family:
        return NameAgreement.SAME if same_given(given, other_given) else NameAgreement.GIVEN_DIFFERS
    if not given or not other_given:
        return NameAgreement.NONE
    shortest = 5
    if given[0] == other_given[0] and len(given[0]) >= _DISTINCTIVE:
        shortest = 4 if is_syllabic(given[0]) else 3
    misspelt = is_typo(family, other_family, shortest) and same_given(given, other_given)
    return NameAgreement.MISSPELT if misspelt else NameAgreement.NONE


@lru_cache(maxsize=4096)
def _halves(name: Name) -> tuple[Parts, ...]:
    """Return the ways to split ``name`` if it has two Spanish family names: the first family name,
    and the given names. The second family name is left out.
    """
    words, given = name.words, name.given
    if name.family:
        first = [(name.family[:1], given)] if len(name.family) > 1 else []
        # "Lopez, Juan Garcia"
        misplaced = [(given[-1:], given[:-1])] if len(given) > 1 and len(given[-1]) > 1 else []
        return _with_and_without_particles([*first, *misplaced])
    return _with_and_without_particles(
        (words[cut:-1], words[:cut]) for cut in range(1, len(words) - 1) if len(words[cut]) > 1
    )


@lru_cache(maxsize=4096)
def _splits(name: Name) -> tuple[Parts, ...]:
    """Return the ways to split ``name`` into family name and given names.

    A family name may have several words.
    """
    words = name.words
    if len(words) == 1:
        return ((joined(words), ()),)
    if not name.family:
        return _with_and_without_particles(
            (words[cut:], words[:cut]) for cut in range(1, len(words))
        )
    family, given = name.family, name.given
    splits = [(family, given)]
    if name.either:
        splits.append((given, family))
    if len(given) > 1:
        splits.append(((given[-1], *family), given[:-1]))
    if len(family) > 1:
        splits.append((family[-1:], (*given, *family[:-1])))
    return _with_and_without_particles(splits)


def _with_and_without_particles(parts: Iterable[tuple[Words, Words]]) -> tuple[Parts, ...]:
    """Return each pair (family name, given names) of ``parts`` twice: with the particles of the
    family name, such as ``van``, and without. Particles among the given names are always left out.
    """
    found: dict[Parts, None] = {}
    for family, given in parts:
        plain = tuple(word for word in given if len(word) == 1 or word not in PARTICLES) or given
        core = tuple(word for word in family if word not in PARTICLES) or family
        found |= {(joined(family), plain): None, (joined(core), plain): None}
    return tuple(found)
