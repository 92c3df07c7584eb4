"""People's names: taken apart, folded to one spelling, and compared by their parts.

A name is compared by what it is made of, not letter by letter: initials stand for given names,
marks and transliterations fold together, particles and the order of the parts may differ.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from anyascii import anyascii

from citeproof.frozen import frozen
from citeproof.text.given_names import joined, same_given
from citeproof.text.normalize import plain_text
from citeproof.text.syllables import is_syllabic
from citeproof.text.typos import is_typo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
SUFFIXES = _GENERATIONS | {"phd", "md", "dr", "prof"}
_PARTICLE_LIST = """
von van der den de del della di da do dos das du la le los ter ten zu zur af av al el bin ben ibn st mac mc y
"""
_PARTICLES = frozenset(_PARTICLE_LIST.split())
_GROUP_LIST = """
collaboration consortium team group project committee initiative foundation society association institute
organization organisation network workgroup council office agency department inc ltd gmbh openai
"""
_GROUPS = frozenset(_GROUP_LIST.split())
_TELLING = 5
"""A given name of so many letters, cited in full, makes a typo in a family name of four letters believable, and in one
of three (``Koen`` and ``Koehn``, which fold to ``Kon`` and ``Kohn``) where the given name is no chain of syllables."""
_UMLAUTS = str.maketrans(
    {"ä": "a", "ö": "o", "ü": "u", "Ä": "A", "Ö": "O", "Ü": "U", "å": "a", "Å": "A", "ø": "o", "Ø": "O"}
)
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_CAPITALS = re.compile(r"(?<![\w-])(?!II|IV|JR|SR)(?:[A-Z]{2,3}|[A-Z]{1,2}-[A-Z]{1,2})(?![\w-])")
"""Initials written together; a family name in capitals falls apart too, which comparing joined words heals."""
_ABBREVIATION = re.compile(r"\b([A-Z])(?:h|u|a|e|o|s|z|m)\.(?=$|[\s,-])")
"""A letter that another script writes as one and Latin as two, ``Yu.`` or ``Zh.``, and ``Wm.``: an initial."""
_HOMONYM_NUMBER = re.compile(r"\s+\d{4}$")
_PLAIN_NAME = re.compile(r"((?:[A-Z](?:\.|[a-z]+(?:-[A-Za-z][a-z]+)*)? )+[A-Z][a-z]+(?:-[A-Za-z][a-z]+)*)(?: \d{4})?")
"""Most names: capitalised words and initials with a space between, no initial last; a homonym number may follow."""


@frozen
class Name:
    """A name as folded lower case words; ``family`` is empty where the writer did not say which part it is."""

    words: tuple[str, ...]
    """All words in the order ``given, family``, without suffixes."""
    given: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    group: bool = False
    """A consortium or institution rather than a person."""
    parted: tuple[str, ...] = ()
    """The words with hyphens taken for spaces, where that makes a difference: one half is often dropped."""
    either: bool = False
    """``Smith JA`` or ``Jangmin O``: the family name may stand first or last."""
    letters: int = -1
    """A bit for each letter that a part may begin with, so that strangers are told apart at once; -1 of a group."""

    @property
    def key(self) -> str:
        """The words as one string, for a quick test of equality."""
        return " ".join(self.words)

    def __hash__(self) -> int:
        """Names are looked up in caches at every comparison; few differ in all but their words."""
        return hash(self.words)


class NameAgreement(IntEnum):
    """How well two names agree; higher is better."""

    NONE = 0
    """Other people."""
    GIVEN_DIFFERS = 1
    """One family name, given names that exclude each other."""
    MISSPELT = 2
    """One typo apart."""
    SAME = 3
    """Equal, or one abbreviates the other."""


@lru_cache(maxsize=4096)
def parse_name(text: str) -> Name:
    """Return the parts of one name: ``Family, Given``, ``Family, Jr., Given`` or ``Given Family``."""
    plain = _PLAIN_NAME.fullmatch(text)
    return (plain and _plain_name(plain[1])) or _any_name(text)


def _plain_name(text: str) -> Name | None:
    """Return what :func:`_any_name` does of a text of :data:`_PLAIN_NAME`, in a tenth of the time."""
    folded = text.lower().replace(".", "")
    words = tuple(folded.replace("-", "").split())
    if not SUFFIXES.isdisjoint(words) or not _GROUPS.isdisjoint(words):
        return None
    parted = tuple(folded.replace("-", " ").split()) if "-" in folded else ()
    return Name(words, parted=parted, letters=_letters_of(words + parted))


def _letters_of(words: tuple[str, ...]) -> int:
    """Return a bit for each first letter or digit of folded ``words``."""
    return sum({1 << (ord(word[0]) - ord("0")) for word in words})


def _any_name(text: str) -> Name:
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
        parted = (*given, *fold_words(text.split(",")[0].replace("-", " "))) if "-" in text.split(",")[0] else ()
        return Name(words, given=given, family=pieces[0], parted=parted, letters=_letters_of(words + parted))
    if cut := _before_initials(text):
        turned = (*words[cut:], *words[:cut])
        return Name(turned, given=words[cut:], family=words[:cut], either=True, letters=_letters_of(words))
    parted = fold_words(text.replace("-", " ")) if "-" in text else ()
    return Name(words, parted=parted, letters=_letters_of(words + parted))


def compare_names(cited: Name, recorded: Name) -> NameAgreement:
    """Return how well two names agree, over every usual way of splitting and ordering them."""
    if not cited.words or not recorded.words:
        return NameAgreement.NONE
    if cited.words == recorded.words:
        return NameAgreement.SAME
    if not cited.letters & recorded.letters:
        return NameAgreement.NONE  # strangers, without trying every reading
    return _compare_different(cited, recorded)


def is_letter_apart(cited: Name, recorded: Name) -> bool:
    """Whether at most one word of two names has a letter wrong and the others agree: ``Yuxin Png``, ``Jian-Xin X``.

    Two people may be a letter apart as well, ``Wei Wang`` and ``Wei Yang``: something else must speak for one person.
    """
    if len(cited.words) != len(recorded.words) or cited.group or recorded.group:
        return False
    orders = [cited.words, cited.family + cited.given] if cited.either else [cited.words]
    return any(_are_letter_apart(words, recorded.words) for words in orders)


def _are_letter_apart(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    wrong = [pair for pair in zip(words, others, strict=True) if not _is_word_or_initial(*pair)]
    return not wrong or (len(wrong) == 1 and is_typo(*wrong[0], shortest=1) and max(map(len, wrong[0])) > 1)


def _is_word_or_initial(word: str, other: str) -> bool:
    return word == other or word == other[0] or other == word[0]


@lru_cache(maxsize=16384)
def _compare_different(cited: Name, recorded: Name) -> NameAgreement:
    if cited.group or recorded.group:
        return _compare_groups(cited, recorded)
    if _same_in_another_order(cited.words, recorded.words):
        return NameAgreement.SAME
    found = _compare_readings(cited, recorded)
    if found is NameAgreement.NONE and (cited.parted or recorded.parted):
        behind = _abbreviated_behind(cited, recorded) or _abbreviated_behind(recorded, cited)
        return NameAgreement.SAME if behind else compare_names(_in_parts(cited), _in_parts(recorded))
    if found is NameAgreement.NONE and _exchanged(cited, recorded):
        return NameAgreement.SAME
    return found


def _compare_readings(cited: Name, recorded: Name) -> NameAgreement:
    if len(cited.words) == len(recorded.words) == 2 and not cited.family and not recorded.family:
        return _compare_parts(_as_written(cited), _as_written(recorded))  # nine in ten pairs: two words read in one way
    found = NameAgreement.NONE
    for ours, theirs in _readings_of(cited, recorded):
        found = max(found, _compare_parts(ours, theirs))
        if found is NameAgreement.SAME:
            break
    return found


def _in_parts(name: Name) -> Name:
    """Return ``name`` with hyphens taken for spaces."""
    words = name.parted or name.words
    return Name(words, letters=_letters_of(words))


def likeness_keys(name: Name) -> frozenset[str]:
    """Return keys of which two names share one if they agree at all, so that long lists need not be compared pairwise.

    They are the words, also two or three of them joined, each as it is and with any one letter left out: ``Hail`` and
    ``Hall`` share ``hal`` and are one typo apart, ``Van der Berg`` and ``Vanderberg`` share ``vanderberg``.
    """
    wholes = {
        joined(words[start : start + length])
        for words in (name.words, name.parted)
        for length in (1, 2, 3)
        for start in range(len(words) - length + 1)
    }
    telling = {whole for whole in wholes if len(whole) > 1} or wholes
    shortened = {whole[:cut] + whole[cut + 1 :] for whole in telling if len(whole) >= 4 for cut in range(len(whole))}
    return frozenset(telling | shortened)


Parts = tuple[str, tuple[str, ...]]
"""One reading of a name: the family name as one string, and the given names."""


def _exchanged(cited: Name, recorded: Name) -> bool:
    """Whether family and given name of one are exchanged: ``Manning Christopher`` for ``Christopher D. Manning``.

    Both must be there in full, so that the exchange does not make one name of two.
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


def _abbreviated_behind(short: Name, full: Name) -> bool:
    """Whether ``short`` has both initials of a hyphened name behind the family: ``Li, F.-F.`` for ``Li Fei-Fei``."""
    family, *given = full.parted or ("",)
    initials = tuple(word[0] for word in given)
    return len(initials) > 1 and short.words in {(*initials, family), (family, *initials)}


def _compare_parts(ours: Parts, theirs: Parts) -> NameAgreement:
    (family, given), (other_family, other_given) = ours, theirs
    if family == other_family:
        return NameAgreement.SAME if same_given(given, other_given) else NameAgreement.GIVEN_DIFFERS
    if not given or not other_given:
        return NameAgreement.NONE
    shortest = 5
    if given[0] == other_given[0] and len(given[0]) >= _TELLING:
        shortest = 4 if is_syllabic(given[0]) else 3
    misspelt = is_typo(family, other_family, shortest) and same_given(given, other_given)
    return NameAgreement.MISSPELT if misspelt else NameAgreement.NONE


def _same_in_another_order(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether one is the other turned round: ``Zhang Wei`` for ``Wei Zhang``, ``Kim Il Sung`` for ``Il-Sung Kim``."""
    whole = joined(others)
    return any(joined(words[cut:] + words[:cut]) == whole for cut in range(len(words)))


def _spaced(found: re.Match[str]) -> str:
    return " ".join(found[0])


def fold_words(text: str) -> tuple[str, ...]:
    """Return the words of ``text`` in lower case ASCII; a hyphen joins, a full stop and ``JA`` separate."""
    text = _CAPITALS.sub(_spaced, text) if not text.isupper() else text
    if not text.isascii():
        text = anyascii(text.translate(_UMLAUTS))
    text = text.lower().replace("-", "").replace("'", "").replace("`", "")
    return tuple(_WORD.findall(text))


def _without_suffixes(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in SUFFIXES) if len(words) > 1 else words


def _before_initials(text: str) -> int:
    """Return how many words stand before the initials of ``Smith JA``, ``Smith J.-A.``, ``van Dijk M``; else 0."""
    pieces = [piece for piece in text.replace(".", " ").split() if piece.lower() not in _GENERATIONS]
    cut = 0
    while cut < len(pieces) and pieces[cut] in _PARTICLES:
        cut += 1
    family, tail = pieces[cut : cut + 1], [piece.replace("-", "") for piece in pieces[cut + 1 :]]
    if not tail or len(family[0]) < 2:
        return 0
    longest = 3 if family[0].isupper() else 5  # ``LIU WEIJIE`` has no initials, ``Carvalho ACPLF`` has
    if not all(len(piece) <= longest and piece.isupper() for piece in tail):
        return 0
    return len(fold_words(" ".join(pieces[: cut + 1])))


def _readings_of(cited: Name, recorded: Name) -> Iterator[tuple[Parts, Parts]]:
    """Yield the pairs of readings to compare: one of the two may have lost its second family name, never both.

    ``Juan Garcia`` is ``Juan Garcia Lopez``, but ``John Michael Smith`` is not ``John Michael Jones``.
    """
    yield from product(_splits(cited), _splits(recorded))
    yield from product(_halves(cited), _splits(recorded))
    yield from product(_splits(cited), _halves(recorded))


def _as_written(name: Name) -> Parts:
    return joined(name.words[-1:]), name.words[:-1]


@lru_cache(maxsize=4096)
def _halves(name: Name) -> tuple[Parts, ...]:
    """Return the readings of ``name`` without its second family name, which is often dropped where people have two."""
    words, given = name.words, name.given
    if name.family:
        first = [(name.family[:1], given)] if len(name.family) > 1 else []
        misplaced = [(given[-1:], given[:-1])] if len(given) > 1 and len(given[-1]) > 1 else []  # "Lopez, Juan Garcia"
        return _readings([*first, *misplaced])
    return _readings((words[cut:-1], words[:cut]) for cut in range(1, len(words) - 1) if len(words[cut]) > 1)


@lru_cache(maxsize=4096)
def _splits(name: Name) -> tuple[Parts, ...]:
    """Return every way to read ``name``: as written, or with a compound family name."""
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


def _readings(parts: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> tuple[Parts, ...]:
    """Return each reading twice: with the particles of the family name, and without."""
    found: dict[Parts, None] = {}
    for family, given in parts:
        plain = tuple(word for word in given if len(word) == 1 or word not in _PARTICLES) or given
        core = tuple(word for word in family if word not in _PARTICLES) or family
        found[joined(family), plain] = None
        found[joined(core), plain] = None
    return tuple(found)


def _compare_groups(cited: Name, recorded: Name) -> NameAgreement:
    """A group's name is abbreviated and extended freely: one's words must hold the other's."""
    ours = {word for word in cited.words if word not in {"the", "of", "and", "for"}}
    theirs = {word for word in recorded.words if word not in {"the", "of", "and", "for"}}
    return NameAgreement.SAME if ours and theirs and (ours <= theirs or theirs <= ours) else NameAgreement.NONE
