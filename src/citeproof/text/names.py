"""Parse and compare the names of people and groups.

Names are compared by their parts: initials agree with given names, spellings are folded (``Müller``, ``Mueller``), and
particles and the order of the parts may differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from anyascii import anyascii

from citeproof.text.given_names import is_syllabic, joined, same_given
from citeproof.text.normalize import plain_text
from citeproof.text.spelling import is_typo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
SUFFIXES = _GENERATIONS | {"phd", "md", "dr", "prof"}
"""Folded words that do not belong to a name."""
_PARTICLE_LIST = """
von van der den de del della di da do dos das du la le los ter ten zu zur af av al el bin ben ibn st mac mc y
"""
_PARTICLES = frozenset(_PARTICLE_LIST.split())
_GROUP_LIST = """
collaboration consortium team group project committee initiative foundation society association institute
organization organisation network workgroup council office agency department inc ltd gmbh openai
"""
_GROUPS = frozenset(_GROUP_LIST.split())
"""Folded words of the names of groups."""
_DISTINCTIVE = 5
"""Minimum letters of equal given names with which a family name of four letters may have a typo, or one of three
(``Koen`` and ``Koehn``, folded to ``kon`` and ``kohn``) if the given name does not consist of syllables."""
_SPELLED_OUT = 3
"""Letters of a given name that is more than an initial."""
_FRAME = 3
"""Consonants that two forms of one name share at their beginnings."""
_UMLAUTS = str.maketrans(
    {"ä": "a", "ö": "o", "ü": "u", "Ä": "A", "Ö": "O", "Ü": "U", "å": "a", "Å": "A", "ø": "o", "Ø": "O"}
)
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_CAPITALS = re.compile(r"(?<![\w-])(?!II|IV|JR|SR)(?:[A-Z]{2,3}|[A-Z]{1,2}-[A-Z]{1,2})(?![\w-])")
"""Regex of initials without space: ``JA``. It also matches a short family name in capitals, which is harmless, because
joined words are compared too."""
_ABBREVIATION = re.compile(r"\b([A-Z])(?:h|u|a|e|o|s|z|m)\.(?=$|[\s,-])")
"""Regex of initials of two letters: one letter of another script, ``Yu.`` or ``Zh.``, and ``Wm.``."""
_HOMONYM_NUMBER = re.compile(r"\s+\d{4}$")
"""Regex of the number by which DBLP distinguishes authors of one name: ``Wei Wang 0001``."""
_PLAIN_NAME = re.compile(r"((?:[A-Z](?:\.|[a-z]+(?:-[A-Za-z][a-z]+)*)? )+[A-Z][a-z]+(?:-[A-Za-z][a-z]+)*)(?: \d{4})?")
"""Regex of most names: capitalised words and initials, the last not an initial, with or without a homonym number."""


Words = tuple[str, ...]
"""Folded words: lower case ASCII."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as folded words. ``family`` is empty for ``Given Family``, which may be split in several ways."""

    words: Words
    """All words in the order ``given, family``, without suffixes."""
    given: Words = ()
    family: Words = ()
    group: bool = False
    """A consortium or institution rather than a person."""
    unhyphenated: Words = ()
    """The words with hyphens as spaces, if there are hyphens, because half of a hyphenated name is often omitted."""
    either: bool = False
    """The family name may be first or last: ``Smith JA``, ``Jangmin O``."""
    letters: int = -1
    """Bit mask of the first letters of the words, for a quick test that two names differ; -1 for a group."""

    @property
    def key(self) -> str:
        """The words, separated by spaces."""
        return " ".join(self.words)

    def __hash__(self) -> int:
        """Hash only the words, because names are looked up in caches at every comparison."""
        return hash(self.words)


class NameAgreement(IntEnum):
    """The agreement of two names; higher is better."""

    NONE = 0
    """Different people."""
    GIVEN_DIFFERS = 1
    """Equal family names, and given names that cannot be of one person."""
    MISSPELT = 2
    """Equal except for a typo in the family name."""
    SAME = 3
    """Equal, or one is an abbreviation of the other."""


@lru_cache(maxsize=4096)
def parse_name(text: str) -> Name:
    """Parse one name: ``Family, Given``, ``Family, Jr., Given``, ``Given Family`` or ``Family AB``."""
    plain = _PLAIN_NAME.fullmatch(text)
    return (plain and _plain_name(plain[1])) or _any_name(text)


def _plain_name(text: str) -> Name | None:
    """Return the result of :func:`_any_name` for a match of :data:`_PLAIN_NAME`, in a tenth of the time.

    None for a name with a suffix and for a group.
    """
    folded = text.lower().replace(".", "")
    words = tuple(folded.replace("-", "").split())
    if not SUFFIXES.isdisjoint(words) or not _GROUPS.isdisjoint(words):
        return None
    unhyphenated = tuple(folded.replace("-", " ").split()) if "-" in folded else ()
    return _person(words, unhyphenated=unhyphenated)


def _person(
    words: Words, given: Words = (), family: Words = (), unhyphenated: Words = (), *, either: bool = False
) -> Name:
    """Return a name that is not of a group, with the bit mask of the first letters and digits of its words."""
    letters = sum({1 << (ord(word[0]) - ord("0")) for word in words + unhyphenated})
    return Name(words, given, family, unhyphenated=unhyphenated, either=either, letters=letters)


def _any_name(text: str) -> Name:
    """Parse a name of any form.

    ``van Dijk, Jr., M.A.`` and ``van Dijk MA`` both give the family name (van, dijk) and the given names (m, a).
    ``Ada Mary Winter`` gives only the words (ada, mary, winter), because the family name may have two words.
    """
    text = _HOMONYM_NUMBER.sub("", plain_text(text).strip())
    text = _ABBREVIATION.sub(r"\1.", text) if "." in text else text
    first, *behind = text.split(",")
    if not text.isupper():
        behind = [_CAPITALS.sub(_spaced, piece) for piece in behind]
    family, *others = map(fold_words, (first, *behind))
    others = [piece for piece in others if not SUFFIXES.issuperset(piece)]
    pieces = [kept for piece in (family, *others) if (kept := _without_suffixes(piece))]
    words = tuple(word for piece in (*pieces[1:], *pieces[:1]) for word in piece)
    if _GROUPS & set(words):
        return Name(words, group=True)
    if len(pieces) > 1:
        given = words[: len(words) - len(pieces[0])]
        unhyphenated = (*given, *fold_words(text.split(",")[0].replace("-", " "))) if "-" in text.split(",")[0] else ()
        return _person(words, given, pieces[0], unhyphenated)
    if cut := _before_initials(text):
        return _person((*words[cut:], *words[:cut]), words[cut:], words[:cut], either=True)
    return _person(words, unhyphenated=fold_words(text.replace("-", " ")) if "-" in text else ())


def compare_names(cited: Name, recorded: Name) -> NameAgreement:
    """Return the best agreement of two names, over every usual way to split and order them."""
    if not cited.words or not recorded.words:
        return NameAgreement.NONE
    if cited.words == recorded.words:
        return NameAgreement.SAME
    if not cited.letters & recorded.letters:
        return NameAgreement.NONE  # no common first letter, so no reading agrees
    return _compare_different(cited, recorded)


def is_letter_apart(cited: Name, recorded: Name) -> bool:
    """Whether the words agree, except for one typo in one of them: ``Yuxin Png`` and ``Yuxin Peng``.

    This also holds for different people, ``Wei Wang`` and ``Wei Yang``, so the caller needs more evidence.
    """
    if len(cited.words) != len(recorded.words) or cited.group or recorded.group:
        return False
    orders = [cited.words, cited.family + cited.given] if cited.either else [cited.words]
    return any(_are_letter_apart(words, recorded.words) for words in orders)


def is_form(cited: Name, recorded: Name) -> bool:
    """Whether the given names, both spelled out, may be forms of one name: Jon and Jonathon, Minh-Thang and Thang.

    They may if one has all parts of the other, or if two parts have equal first letters or equal first consonants
    (``Grigoris`` and ``Gregory``, but not ``Joao`` and ``Juliana``). Parts that consist of syllables must be equal.
    """
    if cited.group or recorded.group or not cited.words or not recorded.words:
        return False
    ours, theirs = _given_words(cited), _given_words(recorded)
    whole = {word for word in ours if len(word) >= _SPELLED_OUT}, {word for word in theirs if len(word) >= _SPELLED_OUT}
    if all(whole) and (whole[0] <= whole[1] or whole[1] <= whole[0]):
        return True
    return any(_are_forms(*pair) for pair in product(*whole))


def has_same_given(cited: Name, recorded: Name) -> bool:
    """Whether a given name of ``cited`` that is spelled out is a word of ``recorded``."""
    return any(len(word) >= _SPELLED_OUT and word == other for word in _given_words(cited) for other in recorded.words)


def _given_words(name: Name) -> Words:
    """Return the given names without hyphens. If the family name is unknown, these are all words but the last."""
    words = name.unhyphenated or name.words
    family = len(name.family) or 1
    return words[:-family] if len(words) > family else words


def _are_forms(word: str, other: str) -> bool:
    if is_syllabic(word) and is_syllabic(other):
        return False
    short, long = sorted((word, other), key=len)
    ends = len(short) > _SPELLED_OUT and long.endswith(short)
    return ends or word[:_SPELLED_OUT] == other[:_SPELLED_OUT] or _frame(word) == _frame(other)


def _frame(word: str) -> str:
    """Return the first consonants of ``word``; the whole word if it has fewer than :data:`_FRAME`."""
    frame = "".join(letter for letter in word if letter not in "aeiouy")[:_FRAME]
    return frame if len(frame) == _FRAME else word


def _are_letter_apart(words: Words, others: Words) -> bool:
    wrong = [pair for pair in zip(words, others, strict=True) if not _is_word_or_initial(*pair)]
    return not wrong or (len(wrong) == 1 and is_typo(*wrong[0], shortest=1) and max(map(len, wrong[0])) > 1)


def _is_word_or_initial(word: str, other: str) -> bool:
    return word == other or word == other[0] or other == word[0]


@lru_cache(maxsize=16384)
def _compare_different(cited: Name, recorded: Name) -> NameAgreement:
    if cited.group or recorded.group:
        return _compare_groups(cited, recorded)
    if _is_family(cited, recorded) or _is_family(recorded, cited):
        return NameAgreement.SAME
    if _same_in_another_order(cited.words, recorded.words):
        return NameAgreement.SAME
    found = _compare_readings(cited, recorded)
    if found is NameAgreement.NONE and (cited.unhyphenated or recorded.unhyphenated):
        initials = _has_initials_of(cited, recorded) or _has_initials_of(recorded, cited)
        return NameAgreement.SAME if initials else compare_names(_without_hyphens(cited), _without_hyphens(recorded))
    if found is NameAgreement.NONE and _are_swapped(cited, recorded):
        return NameAgreement.SAME
    return found


def _is_family(short: Name, full: Name) -> bool:
    """Whether ``short`` is the family name of ``full`` with its particles: ``de Boor`` of ``Carl de Boor``."""
    count = len(short.words)
    return count > 1 and full.words[-count:] == short.words and _PARTICLES.issuperset(short.words[:-1])


def _compare_readings(cited: Name, recorded: Name) -> NameAgreement:
    if len(cited.words) == len(recorded.words) == 2 and not cited.family and not recorded.family:
        return _compare_parts(_as_written(cited), _as_written(recorded))  # nine in ten pairs: one reading each
    found = NameAgreement.NONE
    for ours, theirs in _readings_of(cited, recorded):
        found = max(found, _compare_parts(ours, theirs))
        if found is NameAgreement.SAME:
            break
    return found


def _without_hyphens(name: Name) -> Name:
    """Return ``name`` with hyphens as spaces."""
    return _person(name.unhyphenated or name.words)


def likeness_keys(name: Name) -> frozenset[str]:
    """Return keys such that two names that agree at all share one. They save comparing long lists pairwise.

    The keys are the words and runs of two or three joined words, each as it is and with any one letter removed.
    ``Hail`` and ``Hall``, which differ by a typo, share ``hal``. ``Van der Berg`` and ``Vanderberg`` share
    ``vanderberg``.
    """
    wholes = {
        joined(words[start : start + length])
        for words in (name.words, name.unhyphenated)
        for length in (1, 2, 3)
        for start in range(len(words) - length + 1)
    }
    long = {whole for whole in wholes if len(whole) > 1} or wholes
    shortened = {whole[:cut] + whole[cut + 1 :] for whole in long if len(whole) >= 4 for cut in range(len(whole))}
    return frozenset(long | shortened)


Parts = tuple[str, Words]
"""One reading of a name: the family name as one string, and the given names."""


def _are_swapped(cited: Name, recorded: Name) -> bool:
    """Whether one name has family and given name swapped: ``Manning Christopher`` for ``Christopher D. Manning``.

    Both must be written in full in both names; initials would agree with different people.
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
    """Whether ``short`` is the family name and all initials of ``full``: ``Li, F.-F.`` for ``Li Fei-Fei``."""
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


def _same_in_another_order(words: Words, others: Words) -> bool:
    """Whether ``others`` are ``words`` rotated: ``Zhang Wei``, ``Wei Zhang``; ``Kim Il Sung``, ``Il-Sung Kim``."""
    whole = joined(others)
    return any(joined(words[cut:] + words[:cut]) == whole for cut in range(len(words)))


def _spaced(found: re.Match[str]) -> str:
    return " ".join(found[0])


def fold_words(text: str) -> Words:
    """Return the words of ``text`` in lower case ASCII. Hyphens join words, full stops and ``JA`` separate them."""
    text = _CAPITALS.sub(_spaced, text) if not text.isupper() else text
    if not text.isascii():
        text = anyascii(text.translate(_UMLAUTS))
    text = text.lower().replace("-", "").replace("'", "").replace("`", "")
    return tuple(_WORD.findall(text))


def _without_suffixes(words: Words) -> Words:
    return tuple(word for word in words if word not in SUFFIXES) if len(words) > 1 else words


def _before_initials(text: str) -> int:
    """Return the number of words before final initials: 1 for ``Smith JA``, 2 for ``van Dijk M``, 0 without any."""
    pieces = [piece for piece in text.replace(".", " ").split() if piece.lower() not in _GENERATIONS]
    cut = 0
    while cut < len(pieces) and pieces[cut] in _PARTICLES:
        cut += 1
    family, tail = pieces[cut : cut + 1], [piece.replace("-", "") for piece in pieces[cut + 1 :]]
    if not tail or len(family[0]) < 2:
        return 0
    longest = 3 if family[0].isupper() else 5  # ``LIU WEIJIE`` has no initials, but ``Carvalho ACPLF`` has
    if not all(len(piece) <= longest and piece.isupper() for piece in tail):
        return 0
    return len(fold_words(" ".join(pieces[: cut + 1])))


def _readings_of(cited: Name, recorded: Name) -> Iterator[tuple[Parts, Parts]]:
    """Yield the pairs of readings to compare. One of the two names may lack its second family name, but not both.

    So ``Juan Garcia`` agrees with ``Juan Garcia Lopez``, and ``John Michael Smith`` not with ``John Michael Jones``.
    """
    yield from product(_splits(cited), _splits(recorded))
    yield from product(_halves(cited), _splits(recorded))
    yield from product(_splits(cited), _halves(recorded))


def _as_written(name: Name) -> Parts:
    return joined(name.words[-1:]), name.words[:-1]


@lru_cache(maxsize=4096)
def _halves(name: Name) -> tuple[Parts, ...]:
    """Return the readings of ``name`` without its second family name, which Spanish authors often omit."""
    words, given = name.words, name.given
    if name.family:
        first = [(name.family[:1], given)] if len(name.family) > 1 else []
        misplaced = [(given[-1:], given[:-1])] if len(given) > 1 and len(given[-1]) > 1 else []  # "Lopez, Juan Garcia"
        return _readings([*first, *misplaced])
    return _readings((words[cut:-1], words[:cut]) for cut in range(1, len(words) - 1) if len(words[cut]) > 1)


@lru_cache(maxsize=4096)
def _splits(name: Name) -> tuple[Parts, ...]:
    """Return the readings of ``name``: as written, and with a compound family name. ``Ana de Luz`` has two."""
    words = name.words
    if len(words) == 1:
        return ((joined(words), ()),)
    if not name.family:
        return _readings((words[cut:], words[:cut]) for cut in range(1, len(words)))
    family, given = name.family, name.given
    readings = [(family, given)]
    if name.either:
        readings.append((given, family))
    if len(given) > 1:
        readings.append(((given[-1], *family), given[:-1]))
    if len(family) > 1:
        readings.append((family[-1:], (*given, *family[:-1])))
    return _readings(readings)


def _readings(parts: Iterable[tuple[Words, Words]]) -> tuple[Parts, ...]:
    """Return each reading with and without the particles of the family name."""
    found: dict[Parts, None] = {}
    for family, given in parts:
        plain = tuple(word for word in given if len(word) == 1 or word not in _PARTICLES) or given
        core = tuple(word for word in family if word not in _PARTICLES) or family
        found[joined(family), plain] = None
        found[joined(core), plain] = None
    return tuple(found)


def _compare_groups(cited: Name, recorded: Name) -> NameAgreement:
    """Return SAME if the words of one group include those of the other, because names of groups are often shortened."""
    ours = {word for word in cited.words if word not in {"the", "of", "and", "for"}}
    theirs = {word for word in recorded.words if word not in {"the", "of", "and", "for"}}
    return NameAgreement.SAME if ours and theirs and (ours <= theirs or theirs <= ours) else NameAgreement.NONE
