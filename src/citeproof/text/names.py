"""Parse names of people and groups into words in lower-case ASCII: ``Müller, J.`` gives ``muller``
and ``j``.

The module also computes the keys of the author index. A key is a checksum of the family name and
the first initial, because these are nearly the same in all spellings of a name. A key finds the
records of a person, and those of other people with the same family name and initial.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from anyascii import anyascii

from citeproof.text.given_names import joined
from citeproof.text.normalize import plain_text

_OTHERS = frozenset({"others", "et al", "et al.", "and others"})
_NO_NAME = frozenset(
    {
        "anonymous",
        "anonymous author",
        "anonymous authors",
        "unknown",
        "unknown author",
        "no author",
        "n.a.",
        "n/a",
    }
)
_LONG_NAME = 5  # minimum number of letters of a name that rarely occurs in a text by chance

_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
SUFFIXES = _GENERATIONS | {"phd", "md", "dr", "prof"}
"""Suffixes and titles of people in lower case, such as ``jr``, which comparisons of names ignore.
"""
_PARTICLE_LIST = """
von van der den de del della di da do dos das du la le los ter ten zu zur af av al el bin ben ibn
st mac mc y
"""
# particles before a family name, such as ``van``, in lower case
PARTICLES = frozenset(_PARTICLE_LIST.split())
_GROUP_LIST = """
collaboration consortium team group project committee initiative foundation society association
institute organization organisation network workgroup council office agency department inc ltd gmbh
openai
"""
_GROUPS = frozenset(_GROUP_LIST.split())  # lower-case words that only names of groups contain
_UMLAUTS = str.maketrans("äöüÄÖÜåÅøØ", "aouAOUaAoO")
_WORD = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"(?<![\w-])(?!II|IV|JR|SR)(?:[A-Z]{2,3}|[A-Z]{1,2}-[A-Z]{1,2})(?![\w-])")
"""Regex for initials without spaces: ``JA``.

Short family names in capitals match too. This does no harm, because names are also compared with
their words joined.
"""
_ABBREVIATION = re.compile(r"\b([A-Z])(?:h|u|a|e|o|s|z|m)\.(?=$|[\s,-])")
"""Regex for an initial of two letters: ``Wm.``, or ``Yu.`` and ``Zh.`` for one Cyrillic letter."""
_HOMONYM_NUMBER = re.compile(r"\s+\d{4}$")
"""Regex for the number with which DBLP distinguishes authors who have the same name: ``0001`` in
``Wei Wang 0001``.
"""
_PLAIN_NAME = re.compile(
    r"((?:[A-Z](?:\.|[a-z]+(?:-[A-Za-z][a-z]+)*)? )+[A-Z][a-z]+(?:-[A-Za-z][a-z]+)*)(?: \d{4})?"
)
"""Regex for a simple name such as ``Donald E. Knuth``, with or without a number: ``Wei Wang
0001``.
"""
_PLACEHOLDERS = re.compile(
    r"""^(?:
        (?:the\s+)?anon(?:ymous|\.)?(?:\s+(?:authors?|submission|\d+))*
      | (?:john|jane)\s+(?:q\.?\s+)?(?:doe|roe|smith\s+doe)
      | doe,?\s+(?:john|jane|j\.?) | (?:j\.\s*)doe
      | (?:first|given|fore)[\s_-]*name[\s\d_-]*,?\s*(?:last|family|sur)[\s_-]*name[\s\d]*
      | (?:last|family|sur)[\s_-]*name[\s\d_-]*,?\s*(?:first|given|fore)[\s_-]*name[\s\d]*
      | (?:(?:first|second|third|fourth|last|main|lead|co|corresponding)[\s-]+)?authors?[\s,#_-]*
        (?:one|two|three|four|five|six|[a-e]|\d{1,2}|names?|unknown|list|here|first|second|third)?
      | (?:one|two|three|[a-e])\s*,\s*author
      | (?:name|names|author)\s+
        (?:not\s+(?:available|given|known)|unknown|withheld|redacted|tba|tbd|tbc|surname)
      | unknown(?:\s+authors?)? | n\.?/?a\.? | tba | tbd | to\s+be\s+(?:announced|determined|added)
      | no\s+authors?(?:\s+(?:listed|given))?
      | xxx+ | foo\s+bar | test\s+(?:author|user) | todo | lorem\s+ipsum | redacted
    )\.?$""",
    re.VERBOSE,
)
"""Regex for a placeholder that stands in place of a name, such as ``john doe``, in lower case.

The regex does not match capital letters, because it would be slower if it ignored case.
"""
_KEPT_WORDS = 1 << 16
"""Maximum number of words in the cache of family names, and in the cache of initials.

Together the two caches need 22 MB. With half this number, building a database takes a seventh
longer.
"""
Words = tuple[str, ...]  # words of a name, in lower-case ASCII


@dataclass(frozen=True, slots=True)
class Name:
    """A parsed name in lower-case ASCII.

    If it is unknown where the family name begins, ``given`` and ``family`` are empty.
    """

    words: Words  # all words in the order ``given, family``, without suffixes
    given: Words = ()
    family: Words = ()
    group: bool = False  # whether the name belongs to a consortium or institution, not to a person
    unhyphenated: Words = ()
    """All words of the name with hyphenated words split: ``ann`` and ``marie`` for ``Ann-Marie``.
    Empty if the name has no hyphen.
    """
    # whether the family name may be first or last: ``Smith JA``, ``Jangmin O``
    either: bool = False
    letters: int = -1
    """Bit mask of the first letters of all words, with one bit for each letter. A group has -1,
    which is all bits.

    Two names without a common bit cannot agree.
    """

    @property
    def key(self) -> str:
        """The words, joined by spaces."""
        return " ".join(self.words)

    def __hash__(self) -> int:
        """Return the hash of ``words``, which is faster than a hash of all fields."""
        return hash(self.words)


@lru_cache(maxsize=4096)
def parse_name(text: str) -> Name:
    """Parse one name of a person or group. It may be written as ``Family, Given``,
    ``Family, Jr., Given``, ``Given Family`` or ``Family AB``.
    """
    plain = _PLAIN_NAME.fullmatch(text)
    return (plain and _plain_name(plain[1])) or _any_name(text)


def _plain_name(text: str) -> Name | None:
    """Parse a name of letters, full stops and hyphens, in a tenth of the time of :func:`_any_name`.

    Return None for the name of a group and for a name with a suffix.
    """
    folded = text.lower().replace(".", "")
    words = tuple(folded.replace("-", "").split())
    if not SUFFIXES.isdisjoint(words) or not _GROUPS.isdisjoint(words):
        return None
    return person(
        words, unhyphenated=tuple(folded.replace("-", " ").split()) if "-" in folded else ()
    )


def person(
    words: Words,
    given: Words = (),
    family: Words = (),
    unhyphenated: Words = (),
    *,
    either: bool = False,
) -> Name:
    """Return the :class:`Name` of a person. The parameters are its fields of the same names, and
    its field ``letters`` is computed.
    """
    letters = sum({1 << (ord(word[0]) - ord("0")) for word in words + unhyphenated})
    return Name(words, given, family, unhyphenated=unhyphenated, either=either, letters=letters)


def _any_name(text: str) -> Name:
    """Parse a name of any form.

    ``van Dijk, Jr., M.A.`` and ``van Dijk MA`` both give the family name (van, dijk) and the given
    names (m, a). ``Ada Mary Winter`` gives only the words (ada, mary, winter), because the family
    name may have two words.
    """
    text = _HOMONYM_NUMBER.sub("", plain_text(text).strip())
    text = _ABBREVIATION.sub(r"\1.", text) if "." in text else text
    first, *behind = text.split(",")
    pieces = [_without_suffixes(fold_words(first))]
    for piece in behind:
        words = fold_words(piece if text.isupper() else _CAPITALS.sub(_spaced, piece))
        if not SUFFIXES.issuperset(words):  # leaves out ``Jr.`` of ``Lee, Jr., Ann``
            pieces.append(_without_suffixes(words))
    family, *others = list(filter(None, pieces)) or [()]
    given = tuple(word for piece in others for word in piece)
    words = given + family
    if not _GROUPS.isdisjoint(words):
        return Name(words, group=True)
    if others:
        return person(
            words,
            given,
            family,
            given + fold_words(first.replace("-", " ")) if "-" in first else (),
        )
    if cut := _before_initials(text):
        return person((*words[cut:], *words[:cut]), words[cut:], words[:cut], either=True)
    return person(words, unhyphenated=fold_words(text.replace("-", " ")) if "-" in text else ())


def _without_suffixes(words: Words) -> Words:
    """Return the words that are not suffixes. A single word is kept: ``Prof`` may be a family
    name.
    """
    return words if len(words) == 1 else tuple(word for word in words if word not in SUFFIXES)


def _spaced(found: re.Match[str]) -> str:
    return " ".join(found[0])


def fold_words(text: str) -> Words:
    """Return the words of ``text`` in lower-case ASCII: ``Ann-Marie JA`` gives ``annmarie``, ``j``,
    ``a``.
    """
    text = _CAPITALS.sub(_spaced, text) if not text.isupper() else text
    if not text.isascii():
        text = anyascii(text.translate(_UMLAUTS))
    return tuple(_WORD.findall(text.lower().replace("-", "").replace("'", "").replace("`", "")))


def _before_initials(text: str) -> int:
    """Return the number of words before the initials at the end of ``text``: 1 for ``Smith JA``, 2
    for ``van Dijk M``, 0 for ``Ann Lee``.
    """
    pieces = [
        piece for piece in text.replace(".", " ").split() if piece.lower() not in _GENERATIONS
    ]
    cut = 0
    while cut < len(pieces) and pieces[cut] in PARTICLES:
        cut += 1
    family, tail = pieces[cut : cut + 1], [piece.replace("-", "") for piece in pieces[cut + 1 :]]
    if not tail or len(family[0]) < 2:
        return 0
    # maximum number of initials: five for ``ACPLF`` in ``Carvalho ACPLF``
    longest = 3 if family[0].isupper() else 5
    if not all(len(piece) <= longest and piece.isupper() for piece in tail):
        return 0
    return len(fold_words(" ".join(pieces[: cut + 1])))


@lru_cache(maxsize=4096)
def is_placeholder(name: str) -> bool:
    """Whether ``name`` is a placeholder for a person's name: ``Anonymous``, ``John Doe``."""
    return bool(
        _PLACEHOLDERS.match(" ".join(name.lower().replace("{", "").replace("}", "").split()))
    )


def named(authors: Iterable[str]) -> list[str]:
    """Return ``authors`` without entries such as "others" and "et al.", which are not names."""
    return [name for name in authors if name.strip().lower().rstrip(".") not in _OTHERS]


def authors_in(name: str) -> tuple[str, ...]:
    """Return the authors in ``name``. These are two if a comma separates two names that both look
    complete, and otherwise one.

    People read ``Ann Mary Lee, Bob Fox`` as two authors, although BibTeX reads it as one author
    with the family name ``Ann Mary Lee``.
    """
    first, _, second = (piece.strip() for piece in name.partition(","))
    both_whole = " " in first and " " in second and "," not in second
    return (first, second) if both_whole else (name,)


def is_anonymous(name: str) -> bool:
    """Return whether ``name`` stands for an unnamed author, such as "Anonymous"."""
    return name.lower() in _NO_NAME


def family_finder(text: str) -> Callable[[str], bool]:
    """Return a function that tests whether ``text`` contains the family name of the person whose
    name is passed to it.

    Long family names are also found where ``text`` has lost the spaces between words.
    """
    words = fold_words(text)
    known, glued = frozenset(words), "".join(words)

    def has(name: str) -> bool:
        last = parse_name(name).words[-1:]
        return bool(last) and (
            last[0] in known or (len(last[0]) >= _LONG_NAME and last[0] in glued)
        )

    return has


def recorded_keys(names: Sequence[str]) -> list[int]:
    """Return the :func:`recorded_key` of every name in ``names``.

    Results for first and last words are cached, because the key of ``Guy L. Steele`` depends only
    on ``Guy`` and ``Steele``. If the last word is a suffix, as in ``Guy L. Steele Jr.``, the cache
    is not used.
    """
    families = map(_plain_family, [name.rpartition(" ")[2] for name in names])
    initials = map(_plain_initial, [name.partition(" ")[0] for name in names])
    return [
        recorded_key(name) if family is None or initial is None else zlib.crc32(initial, family)
        for name, family, initial in zip(names, families, initials, strict=True)
    ]


def recorded_key(name: str) -> int:
    """Return the 32-bit key of a name ``Given Family`` in a record.

    Suffixes and numbers at the end are ignored.
    """
    words = name.split()
    if not words:
        return 0
    last = len(words) - 1
    while last and (words[last].isdigit() or _is_addition(words[last])):
        last -= 1
    # the first given name, such as ``Kamrul`` in ``Md. Kamrul Hasan``
    given = words[1] if last and _is_addition(words[0]) else words[0]
    return zlib.crc32(_initial(given), _family(words[last]))


def _family(word: str) -> int:
    """Return the CRC-32 of a family name. The key of a name is this checksum continued with the
    first initial.
    """
    family = word.lower() if word.isascii() and word.isalpha() else (fold_words(word) or ("",))[-1]
    return zlib.crc32(f"{joined((family,))} ".encode())


def _initial(word: str) -> bytes:
    initial = (
        word[0].lower()
        if word[0].isascii() and word[0].isalpha()
        else (fold_words(word) or ("",))[0][:1]
    )
    return initial.encode()


@lru_cache(maxsize=_KEPT_WORDS)
def _plain_family(word: str) -> int | None:
    return _family(word) if _is_plain(word) else None


@lru_cache(maxsize=_KEPT_WORDS)
def _plain_initial(word: str) -> bytes | None:
    return _initial(word) if _is_plain(word) else None


def _is_plain(word: str) -> bool:
    """Whether ``word`` is a single word that is neither a number nor a suffix such as ``Jr.``."""
    return word.split() == [word] and not word.isdigit() and not _is_addition(word)


def _is_addition(word: str) -> bool:
    return word.lower().rstrip(".") in SUFFIXES


@lru_cache(maxsize=1024)
def cited_keys(name: str) -> frozenset[int]:
    """Return all keys that the record of a cited name may have: one for every way to split the
    name.

    Family and given name may be swapped, and the record may have only one word of a compound family
    name.
    """
    return frozenset(
        zlib.crc32(f"{joined((family,))} {given[:1]}".encode())
        for family, given in _pairs(parse_name(name))
        if family
    )


def _pairs(name: Name) -> set[tuple[str, str]]:
    """Return a pair (family name, given name) for every way to split ``name``. Both are single
    words.
    """
    words = name.words
    if not name.family:
        swapped = {(words[0], words[-1])} if len(words) == 2 and not name.group else set()
        return {(words[-1], words[0])} | swapped if words else set()
    given = name.given or words
    found = {(part, given[0]) for part in (*name.family, *name.unhyphenated[-1:])}
    return found | {(given[-1], name.family[0])} if len(given) == 1 or name.either else found
