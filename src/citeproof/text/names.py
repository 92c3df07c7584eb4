"""Parse the names of people and groups into folded words: ``Müller, J.`` gives ``muller`` and ``j``."""

import re
from dataclasses import dataclass
from functools import lru_cache

from anyascii import anyascii

from citeproof.text.normalize import plain_text

_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
SUFFIXES = _GENERATIONS | {"phd", "md", "dr", "prof"}
"""Suffixes and titles of people, such as "jr", as folded words. Comparisons ignore them."""
_PARTICLE_LIST = """
von van der den de del della di da do dos das du la le los ter ten zu zur af av al el bin ben ibn st mac mc y
"""
PARTICLES = frozenset(_PARTICLE_LIST.split())
"""Particles, as folded words, that belong to the family name after them."""
_GROUP_LIST = """
collaboration consortium team group project committee initiative foundation society association institute
organization organisation network workgroup council office agency department inc ltd gmbh openai
"""
_GROUPS = frozenset(_GROUP_LIST.split())  # folded words that show that a name is that of a group
_UMLAUTS = str.maketrans(
    {"ä": "a", "ö": "o", "ü": "u", "Ä": "A", "Ö": "O", "Ü": "U", "å": "a", "Å": "A", "ø": "o", "Ø": "O"}
)
_WORD = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"(?<![\w-])(?!II|IV|JR|SR)(?:[A-Z]{2,3}|[A-Z]{1,2}-[A-Z]{1,2})(?![\w-])")
"""Regex of initials without spaces: ``JA``. A short family name in capitals matches, too. This is harmless, because
names are also compared as joined words.
"""
_ABBREVIATION = re.compile(r"\b([A-Z])(?:h|u|a|e|o|s|z|m)\.(?=$|[\s,-])")
"""Regex of an initial of two letters: ``Yu.`` or ``Zh.`` for one letter of another script, or ``Wm.``"""
_HOMONYM_NUMBER = re.compile(r"\s+\d{4}$")
"""Regex of the number by which DBLP distinguishes authors with the same name: ``Wei Wang 0001``."""
_PLAIN_NAME = re.compile(r"((?:[A-Z](?:\.|[a-z]+(?:-[A-Za-z][a-z]+)*)? )+[A-Z][a-z]+(?:-[A-Za-z][a-z]+)*)(?: \d{4})?")
"""Regex of a usual name: capitalised words and initials, and a last word in full; a homonym number may follow."""
_PLACEHOLDERS = re.compile(
    r"""^(?:
        (?:the\s+)?anon(?:ymous|\.)?(?:\s+(?:authors?|submission|\d+))*
      | (?:john|jane)\s+(?:q\.?\s+)?(?:doe|roe|smith\s+doe) | doe,?\s+(?:john|jane|j\.?) | (?:j\.\s*)doe
      | (?:first|given|fore)[\s_-]*name[\s\d_-]*,?\s*(?:last|family|sur)[\s_-]*name[\s\d]*
      | (?:last|family|sur)[\s_-]*name[\s\d_-]*,?\s*(?:first|given|fore)[\s_-]*name[\s\d]*
      | (?:(?:first|second|third|fourth|last|main|lead|co|corresponding)[\s-]+)?authors?[\s,#_-]*
        (?:one|two|three|four|five|six|[a-e]|\d{1,2}|names?|unknown|list|here|first|second|third)?
      | (?:one|two|three|[a-e])\s*,\s*author
      | (?:name|names|author)\s+(?:not\s+(?:available|given|known)|unknown|withheld|redacted|tba|tbd|tbc|surname)
      | unknown(?:\s+authors?)? | n\.?/?a\.? | tba | tbd | to\s+be\s+(?:announced|determined|added)
      | no\s+authors?(?:\s+(?:listed|given))?
      | xxx+ | foo\s+bar | test\s+(?:author|user) | todo | lorem\s+ipsum | redacted
    )\.?$""",
    re.VERBOSE,
)
"""Regex of placeholders in lower case, because ignoring case would take three times as long."""
Words = tuple[str, ...]
"""Words of a name in folded form: lower-case ASCII."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as folded words. For ``Given Family``, which may be split in several ways, ``family`` is empty."""

    words: Words  # all words in the order ``given, family``, without suffixes
    given: Words = ()
    family: Words = ()
    group: bool = False  # whether the name is that of a consortium or institution rather than a person
    unhyphenated: Words = ()
    """All words, split at hyphens; empty without a hyphen. Half of a hyphenated name is often omitted."""
    either: bool = False  # whether the family name may be first or last: ``Smith JA``, ``Jangmin O``
    letters: int = -1
    """Bit mask of the words' first letters, -1 for a group: names without a common first letter are not compared."""

    @property
    def key(self) -> str:
        """The words, joined by spaces."""
        return " ".join(self.words)

    def __hash__(self) -> int:
        """Return the hash of the words only, because each comparison looks names up in caches."""
        return hash(self.words)


@lru_cache(maxsize=4096)
def parse_name(text: str) -> Name:
    """Parse one name: ``Family, Given``, ``Family, Jr., Given``, ``Given Family`` or ``Family AB``."""
    plain = _PLAIN_NAME.fullmatch(text)
    return (plain and _plain_name(plain[1])) or _any_name(text)


def _plain_name(text: str) -> Name | None:
    """Return the result of :func:`_any_name` for a match of :data:`_PLAIN_NAME`, in a tenth of the time.

    Return None for a name with a suffix and for the name of a group.
    """
    folded = text.lower().replace(".", "")
    words = tuple(folded.replace("-", "").split())
    if not SUFFIXES.isdisjoint(words) or not _GROUPS.isdisjoint(words):
        return None
    return person(words, unhyphenated=tuple(folded.replace("-", " ").split()) if "-" in folded else ())


def person(
    words: Words, given: Words = (), family: Words = (), unhyphenated: Words = (), *, either: bool = False
) -> Name:
    """Return the name of a person, with the bit mask of the first letters and digits of its words."""
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
    pieces = [
        tuple(word for word in piece if word not in SUFFIXES) if len(piece) > 1 else piece
        for place, piece in enumerate(map(fold_words, (first, *behind)))
        if not place or not SUFFIXES.issuperset(piece)
    ]
    family, *others = list(filter(None, pieces)) or [()]
    given = tuple(word for piece in others for word in piece)
    words = given + family
    if not _GROUPS.isdisjoint(words):
        return Name(words, group=True)
    if others:
        return person(words, given, family, given + fold_words(first.replace("-", " ")) if "-" in first else ())
    if cut := _before_initials(text):
        return person((*words[cut:], *words[:cut]), words[cut:], words[:cut], either=True)
    return person(words, unhyphenated=fold_words(text.replace("-", " ")) if "-" in text else ())


def _spaced(found: re.Match[str]) -> str:
    return " ".join(found[0])


def fold_words(text: str) -> Words:
    """Return the words of ``text`` in lower-case ASCII: ``Ann-Marie JA`` gives ``annmarie``, ``j``, ``a``."""
    text = _CAPITALS.sub(_spaced, text) if not text.isupper() else text
    if not text.isascii():
        text = anyascii(text.translate(_UMLAUTS))
    text = text.lower().replace("-", "").replace("'", "").replace("`", "")
    return tuple(_WORD.findall(text))


def _before_initials(text: str) -> int:
    """Return the number of words before final initials: 1 for ``Smith JA``, 2 for ``van Dijk M``, 0 without any."""
    pieces = [piece for piece in text.replace(".", " ").split() if piece.lower() not in _GENERATIONS]
    cut = 0
    while cut < len(pieces) and pieces[cut] in PARTICLES:
        cut += 1
    family, tail = pieces[cut : cut + 1], [piece.replace("-", "") for piece in pieces[cut + 1 :]]
    if not tail or len(family[0]) < 2:
        return 0
    longest = 3 if family[0].isupper() else 5  # ``LIU WEIJIE`` has no initials, but ``Carvalho ACPLF`` has
    if not all(len(piece) <= longest and piece.isupper() for piece in tail):
        return 0
    return len(fold_words(" ".join(pieces[: cut + 1])))


@lru_cache(maxsize=4096)
def is_placeholder(name: str) -> bool:
    """Whether ``name`` is a placeholder for a person's name: ``Anonymous``, ``John Doe``."""
    return bool(_PLACEHOLDERS.match(" ".join(name.lower().replace("{", "").replace("}", "").split())))
