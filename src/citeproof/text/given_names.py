"""Compare given names, which may be abbreviated to initials, short forms or nicknames.

All words are folded: lower case letters without diacritics.
"""

from __future__ import annotations

import re
from functools import lru_cache

from citeproof.text.spelling import is_typo

_DIGRAPHS = re.compile(r"(?<=[aou])e(?![aeiou])|(?<=a)a")
"""Regex of the second letter of ``ae``, ``oe``, ``ue`` and ``aa``."""
_SHORT_FORM = 4
"""Minimum letters of a short form that is the beginning of a name: ``Alex``, ``Anima``."""
_FEMININE = frozenset({"a", "e", "ia", "ie", "ien", "ina", "ine", "ella", "elle", "ette", "ita", "le", "na"})
"""Endings that make a woman's name of a man's, which is another name: ``Daniela``, ``Stefanie``, ``Philippa``."""
_SYLLABLE = r"""
(?:zh|ch|sh|hs|ts|tz|kw|gw|hw|jh|ng|[bpmfdtnlgkhjqxrzcsyw])? y?
(?:a(?:e|i|o|u|n|ng|k|l|m|p|t)?
 |e(?:e|i|h|n|ng|o|ok|ol|om|on|ong|u|ui|ul|un|ung|up)?
 |i(?:a|ao|an|ang|e|eh|en|u|n|ng|ong|h|k|l|m|p|t)?
 |o(?:o|ok|on|u|ul|un|ung|i|k|l|m|n|ng|p)?
 |u(?:a|ai|an|ang|e|ei|eh|en|h|i|k|l|m|n|ng|o|t)?)
"""
_SYLLABLES = re.compile(rf"(?:{_SYLLABLE})+", re.VERBOSE)
"""Regex of East Asian syllables: a consonant, one or two vowels, and a nasal or stop, in Pinyin, Wade-Giles and the
romanisations of Korean, Cantonese and Japanese. Other names of this form are treated in the same way."""


@lru_cache(maxsize=8192)
def joined(words: tuple[str, ...]) -> str:
    """Return the words as one, with ``ae``, ``oe``, ``ue`` and ``aa`` as one letter: ``moeller`` gives ``moller``."""
    whole = "".join(words)
    digraph = "ae" in whole or "oe" in whole or "ue" in whole or "aa" in whole
    return _DIGRAPHS.sub("", whole) if digraph else whole


def same_given(cited: tuple[str, ...], recorded: tuple[str, ...]) -> bool:
    """Whether two lists of given names may be of one person. An empty list agrees with every other.

    They agree if each name of the shorter list is, or abbreviates, one of the longer list in the same order (``X. M.``
    and ``Xiao Ming``), if the joined words are equal, or if they share a word that is not an initial.
    """
    if not cited or not recorded:
        return True
    if len(cited) == len(recorded) == 1:
        return _is_one(cited[0], recorded[0])
    if len(cited) == len(recorded) and all(map(_shortens, cited, recorded)):
        return True
    if _subsequence(cited, recorded) or _subsequence(recorded, cited):
        return True
    if _initials(cited) == joined(recorded) or _initials(recorded) == joined(cited):
        return True
    first, other = joined(cited), joined(recorded)
    if first == other or is_typo(first, other):
        return True
    # "Xiaoming" is cited as "X.-M.", whose letters occur in it in this order.
    if _letters_in_order(cited, other) or _letters_in_order(recorded, first):
        return True
    shared = {word for word in cited if len(word) > 1} & {word for word in recorded if len(word) > 1}
    return bool(shared)


@lru_cache(maxsize=8192)
def _is_one(word: str, other: str) -> bool:
    """Return the result of :func:`same_given` for one word each, in less time: nine in ten pairs have one each."""
    if _shortens(word, other) or (min(len(word), len(other)) <= 2 and _stands_for(word, other)):
        return True
    first, second = joined((word,)), joined((other,))
    return first == second or word[0] == second or other[0] == first or is_typo(first, second)


def _subsequence(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    rest = iter(long)
    return all(any(_stands_for(word, other) for other in rest) for word in short)


def _stands_for(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    if len(short) == 2 and is_syllabic(short) and is_syllabic(long):
        return same_given_name(short, long)
    if len(short) <= 2 and long.startswith(short):
        return True
    return same_given_name(short, long) or (len(word) < len(other) and _shortens(word, other))


def _shortens(word: str, other: str) -> bool:
    """Whether one name is a nickname or the beginning of the other: ``Alex``, or ``Octavian`` for ``Octavian-Eugen``.

    The beginning of a name is another name before a feminine ending, and if both names consist of syllables.
    """
    if same_given_name(word, other):
        return True
    short, long = sorted((word, other), key=len)
    rest = long.removeprefix(short)
    if len(short) < _SHORT_FORM or rest == long or rest in _FEMININE:
        return False
    return not (is_syllabic(short) and is_syllabic(long))


def _letters_in_order(words: tuple[str, ...], whole: str) -> bool:
    """Whether ``words`` are single letters that occur in ``whole`` in this order, the first at its beginning."""
    if not all(len(word) == 1 for word in words) or not whole.startswith(words[0]):
        return False
    rest = iter(whole)
    return all(letter in rest for letter in words)


def _initials(words: tuple[str, ...]) -> str:
    return "".join(word[0] for word in words)


@lru_cache(maxsize=4096)
def is_syllabic(name: str) -> bool:
    """Whether a name in lower case consists of East Asian syllables: ``lingxiao``, ``seunghyun``, not ``alexandros``.

    Each syllable has a meaning, so ``li`` is not short for ``lingxiao`` as ``alex`` is for ``alexandros``.
    """
    return _SYLLABLES.fullmatch(name) is not None


_VARIANTS = """
abe abraham | al albert alan allan alfred alexander
alex alexander alexandra aleksandr alexandre alexei alejandro | andy andrew andreas andrei | art arthur
ben benjamin benedict | bern bernie bernard bernhard | beth liz betty elizabeth elisabeth
bill billy will william wilhelm willem | bob bobby rob robert robin | brad bradley
cathy kate katie kathy kathryn catherine katherine katharine | charlie charles chuck carl karl
chris christopher christian christine christina christoph | cindy cynthia | dan danny daniel | dave david
deb debbie deborah | dick rick rich richard ricardo | don donald | doug douglas
ed eddie edward edmund edwin eduardo | fred frederick friedrich frederic | gabe gabriel
geoff jeff geoffrey jeffrey | gene eugene | george georg jorge georgios | greg gregory grigory
hal harold harry henry | jack john johnny johann johannes | jacob jake jakob | jan johannes
jerry jeremy gerald jerome gerard | jim jimmy james | joe joseph josef jose | jon jonathan jonathon john | josh joshua
julie julia juliana | ken kenneth | larry lawrence laurence | len leonard leo | lou louis lewis luis
maggie margaret peggy meg | manny manuel emmanuel | marc mark marcus markus marco
matt matthew matthias mathew | max maximilian maxim | mel melvin
mick mike misha mikhail michael michal michel miguel mikael | nat nathan nathaniel | nate nathan nathaniel nathanael
nick nicholas nicolas nikolas nikolai nicola | pam pamela | pat patrick patricia | paul pavel pablo
pete peter petr pieter pierre pedro | phil philip phillip philippe | ray raymond | ron ronald | russ russell
sam samuel samantha | sandy sandra alexander | sasha alexander alexandra aleksandr aleksandra
sofia sophia sofie sophie
spyros spyridon
kasia katarzyna
dima dmitry dmitri dmitriy | kolya nikolai nikolay | vova volodymyr vladimir | zhenya evgeny evgeniy eugene
tanya tatiana tatyana | katya ekaterina katerina | pasha pavel | lena elena helen | becky rebecca rebekah
jess jessica jesse | jen jenny jennifer | vicky victoria | liz eliza elizabeth | zach zack zachary
josh joshua | mitch mitchell mitchel | drew andrew | trish patricia | abby abigail | ali alison alistair
nico nicolas nicholas niko | theo theodore theodoros theodor | kostas konstantinos constantine
yannis ioannis giannis john | dimitris dimitrios | panos panagiotis | george yorgos georgios giorgos
pepe jose | paco francisco | lucho luis | moe mohammad mohammed mohamed muhammad mohamad
sergey sergei serge sergio | steve stephen steven stefan stephan | stan stanley stanislav stanislaw
stu stuart stewart | sue susan suzanne
ted theodore edward | terry terrence theresa | tim timothy | tom thomas tomas | tony anthony antony antonio
val valerie valentin | vic victor viktor | vince vincent | vlad vladimir | walt walter | wes wesley
yuri yury iouri
durk diederik | anima animashree | hans johannes johann | sepp josef joseph | toni anton antonio antonius
xavi xavier | nacho ignacio | manolo manuel | quim joaquim | yossi yosef joseph josef | avi avraham abraham
shmulik shmuel samuel | mooly shmuel | itzik yitzhak isaac | moshe moses | mo mohammad mohammed mohamed muhammad
mahdi mehdi | rafi rafael raphael | tolya anatoly anatoliy | slava vyacheslav vladislav | grisha grigory grigori
kostya konstantin | volodya vladimir | lev leo leonid | nikos nikolaos nicholas nikolas
costas kostas konstantinos constantinos | vangelis evangelos | thanasis athanasios | babis charalampos
manolis emmanouil emmanuel | lefteris eleftherios | stelios stylianos | sotiris sotirios
vasilis vassilis vasileios | thodoris theodoros | stathis efstathios eustathios | yiannis yannis ioannis
antonis antonios | christos chris | elli ellie eleonora eleanor | guus augustus august | jaap jacob jakob
piet pieter peter | wim willem | joop johannes | kees cornelis | henk hendrik | rik hendrik richard | ab abraham
bas sebastiaan sebastian | jurek jerzy | zbyszek zbigniew | kuba jakub | tomek tomasz | ola aleksandra
gosia malgorzata | pepa josef | honza jan
"""
"""Groups of nicknames and variants of one name, separated by ``|`` or by line ends."""


def _table() -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, variants in enumerate(_VARIANTS.replace("\n", "|").split("|")):
        for name in variants.split():
            groups.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}


_GROUPS_OF = _table()
_NONE: frozenset[int] = frozenset()


_INITIALS = {(name[0], number) for name, numbers in _GROUPS_OF.items() for number in numbers}


def same_given_name(name: str, other: str) -> bool:
    """Whether two given names in lower case are equal or variants: nicknames, or forms in other languages.

    One may be the initial of a variant: ``w`` of ``bill``, because he is also William.
    """
    if name == other:
        return True
    initial, whole = sorted((name, other), key=len)
    if len(initial) == 1:
        return any((initial, number) in _INITIALS for number in _GROUPS_OF.get(whole, _NONE))
    return not _GROUPS_OF.get(name, _NONE).isdisjoint(_GROUPS_OF.get(other, _NONE))
