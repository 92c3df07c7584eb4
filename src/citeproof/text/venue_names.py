"""Names of journals and conferences: every usual way to write one, brought to comparable words.

``Proceedings of the 36th International Conference on Machine Learning (ICML)``, ``Proc. Int. Conf.
Mach. Learn.`` and ``ICML 2019`` have nothing in common letter by letter. A name is cut into pieces,
a piece into words without what changes from year to year, and words are compared as ISO 4
abbreviates them: by their beginnings, or by first and last letters.
"""

from __future__ import annotations

import re
from functools import lru_cache

from citeproof.text.normalize import normalize_title, plain_text

_FILLER_LIST = """
of the on for in and at to a an de la le der die und des fur et proceedings proc procs annual ann yearly international
intl int internat biennial joint jt held part volume vol vols no issue edition version book papers selected revised
main track long short virtual event online
"""
_FILLER = frozenset(_FILLER_LIST.split())
"""Words that say nothing about which venue it is, or that writers drop at will."""
_STOP = frozenset(["of", "the", "on", "for", "in", "and", "at", "to", "a", "an", "proceedings", "proc", "annual"])
_CONFERENCE = frozenset(["conference", "conf", "symposium", "symp", "advances", "adv", "meeting", "congress"])

_ORGANISERS = frozenset(["ieee", "acm", "cvf", "usenix", "siam", "ifip", "cie", "rsj", "iapr"])
"""Societies in front of a name; without them it means the same, as long as a name is left."""

_ORDINAL = re.compile(
    r"""\d+(?:st|nd|rd|th)?|[ivxl]{2,}|(?:twen|thir|for|four|fif|six|seven|eigh|nine)ty
    |first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelve?th|(?:thir|four|fif|six)teenth
    |(?:seven|eigh|nine)teenth|(?:twent|thirt|fort|fift|sixt|sevent|eight)ieth""",
    re.VERBOSE,
)
_YEAR = re.compile(r"['’]?\b(?:19|20)\d\d\b|['’]\d\d\b|(?<=[A-Za-z])['’]?\d\d\b")
_PIECES = re.compile(r"\s*[,;:()\[\]]\s*|\s+[-–—]+\s+|\s*[–—]\s*|\.\s+(?=In:?\s)|\s*\|\s*")
_ACRONYM = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z])[A-Za-z][A-Za-z0-9]{2,}\b")
_BESIDE = re.compile(
    r"""\b(?:workshops?|wksp|findings|companion|tutorials?|demonstrations?|demos?|student|doctoral|posters?|adjunct
    |extended\ abstracts?|satellite|co-?located|shared\ task|competition|challenge|datasets?\ and\ benchmarks?
    |industry|industrial)\b""",
    re.IGNORECASE | re.VERBOSE,
)

_SERIES_LIST = """
lecture notes computer science|lncs|lecture notes artificial intelligence|lnai|ceur workshop|ceur ws|pmlr|jmlr w cp
|machine learning research|acm|ieee|aaai press|springer|elsevier|mit press|curran associates|curran associates inc
|association computing machinery|association computational linguistics|open review|openreview|openreview net|icps
|communications computer information science|ccis|leibniz informatics lipics|lipics|acm press|ieee press|omnipress
|ieee computer society|advances intelligent systems computing|springer verlag|wiley|acl anthology|usenix association
|ifip advances information communication technology|jmlr workshop|jmlr org|mlr press|mlresearchpress
"""
_SERIES = frozenset(" ".join(series.split()) for series in _SERIES_LIST.replace("\n", "|").split("|"))

_PREPRINT = re.compile(
    r"""\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|psyarxiv|techrxiv|ssrn|hal|e-?prints?|preprints?|research\ ?square)\b
    |computing\ research\ repository""",
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(maxsize=1024)
def is_preprint_server(name: str) -> bool:
    """Whether a venue's name is a repository of preprints: ``arXiv preprint arXiv:1606.06565``, ``CoRR``."""
    return bool(_PREPRINT.search(name))


@lru_cache(maxsize=1024)
def is_series(name: str) -> bool:
    """Whether a name is a publisher or a series that many venues appear in, and so names no venue."""
    return " ".join(_words(name)) in _SERIES or " ".join(venue_words(name)) in _SERIES


def says_beside(name: str, title: str) -> bool:
    """Whether ``title`` says that its volume lies beside venue ``name``: ``CVPR Workshops 2021``."""
    return bool(name) and any(title[: found.start()].rstrip().endswith(name) for found in _BESIDE.finditer(title))


def is_beside(name: str) -> bool:
    """Whether a name says that the work appeared beside a venue: at a workshop, in a companion or in findings."""
    return bool(_BESIDE.search(name))


def is_full_name(name: str) -> bool:
    """Whether a name says in words which venue it is: ``ROCLING`` and ``SIGLEX Workshop`` do not."""
    return len(venue_words(_BESIDE.sub(" ", name))) > 1


@lru_cache(maxsize=1024)
def venue_words(name: str) -> tuple[str, ...]:
    """Return the words that tell this venue from others, in lower case; numbers, years and filler are gone."""
    words = _words(name)
    without = tuple(word for word in words if word not in _ORGANISERS)
    return without if len(without) > 1 else words


def bare_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a venue without those that say that it is a conference."""
    return tuple(word for word in words if word not in _CONFERENCE)


@lru_cache(maxsize=1024)
def acronyms(name: str) -> frozenset[str]:
    """Return the acronyms that a name spells out (with ``International`` and without) or contains, in lower case."""
    words = normalize_title(_YEAR.sub(" ", name)).split()
    skipped = _STOP | _ORGANISERS
    words = [word for word in words if word not in skipped and not _ORDINAL.fullmatch(word)]
    spelled = {initials(tuple(words)), initials(tuple(word for word in words if word not in _FILLER))}
    contained = {word.lower() for word in _ACRONYM.findall(_YEAR.sub("", name))}
    return frozenset({word for word in spelled if len(word) >= 4} | (contained - _ORGANISERS))


@lru_cache(maxsize=1024)
def venue_pieces(name: str) -> tuple[str, ...]:
    """Return the parts of a name that may each name the venue: the whole, its segments, its acronyms."""
    name = plain_text(name)
    found = dict.fromkeys([name, *_PIECES.split(name)])
    if not is_beside(name):
        found |= dict.fromkeys(_ACRONYM.findall(_YEAR.sub("", name)))
        found |= dict.fromkeys(part for word in name.split() if "/" in word for part in word.split("/"))
    return tuple(piece for piece in found if piece and venue_words(piece))


@lru_cache(maxsize=4096)
def may_spell(name: str, other: str) -> bool:
    """Whether two names may be spellings of one venue: equal, abbreviated, an acronym, or with words dropped."""
    words, others = venue_words(name), venue_words(other)
    if not words or not others:
        return False
    if len(others) > 1 and words[: len(others)] == others:
        return True
    if abbreviates(words, others) or not acronyms(name).isdisjoint({*acronyms(other), "".join(others)}):
        return True
    if "".join(words) in acronyms(other):
        return True
    few, many = sorted((set(bare_words(words)), set(bare_words(others))), key=len)
    return len(few) > 1 and few <= many and len(many) <= len(few) + 1 and few == set(bare_words(words))


@lru_cache(maxsize=1024)
def spells_out(name: str, acronym: str) -> bool:
    """Whether beginnings of the words of ``name``, in order, make ``acronym``: SToC, NeurIPS."""
    words = normalize_title(_YEAR.sub(" ", name)).split()
    rest = acronym.lower()
    return len(rest) >= 3 and _consumed(tuple(words), rest)


def _consumed(words: tuple[str, ...], rest: str) -> bool:
    if not rest:
        return True
    for place, word in enumerate(words):
        for taken in range(1, min(len(word), len(rest)) + 1):
            if word[:taken] != rest[:taken]:
                break
            if _consumed(words[place + 1 :], rest[taken:]):
                return True
    return False


def abbreviates(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether word by word one abbreviates the other: ``mach learn`` and ``machine learning``."""
    return len(words) == len(others) and all(map(_abbreviates_word, words, others))


def initials(words: tuple[str, ...]) -> str:
    """Return the first letters of ``words``."""
    return "".join(word[0] for word in words)


def _words(name: str) -> tuple[str, ...]:
    words = normalize_title(_YEAR.sub(" ", name)).split()
    return tuple(word for word in words if word not in _FILLER and not _ORDINAL.fullmatch(word))


def _abbreviates_word(word: str, other: str) -> bool:
    """``trans`` begins ``transactions``; ``natl`` keeps first and last letters of ``national`` in order."""
    short, long = sorted((word, other), key=len)
    if long.startswith(short):
        return True
    if len(short) < 3 or short[0] != long[0]:
        return False
    common = 0
    for left, right in zip(short, long, strict=False):
        if left != right:
            break
        common += 1
    # "engineering" and "engng", "networks" and "networking": a long common beginning, or letters in order to the end
    rest = iter(long)
    in_order = all(letter in rest for letter in short)
    return common >= 5 or (in_order and short[-1] == long[-1] and common >= 2)
