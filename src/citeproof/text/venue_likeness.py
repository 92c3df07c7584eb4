"""Compare names that may mean the same venue, although no table of venues says so."""

import re
from collections.abc import Iterable, Iterator, Sequence

from citeproof.text.spelling import is_typo
from citeproof.text.venue_names import (
    bare_words,
    is_beside,
    spells_out,
    venue_words,
    without_societies,
)

_TYPES = frozenset(["conference", "conf", "symposium", "symp", "workshop", "meeting"])
_SHORTEST_NAME = 3  # minimum number of letters of a name in which a typo is accepted


def contains_name(name: str, recorded: str, names: Iterable[str], *, decides: bool) -> bool:
    """Return whether the cited venue name ``name`` contains a name of a record's venue.
    ``recorded`` is the name in the record, and ``names`` are all known names of its venue.

    A name with several telling words is contained if ``name`` has all words of this name, and all
    other words of ``name`` are in capitals or mean a type of event. Example:
    ``ACM SIGCOMM Workshop on Hot Topics in Networks`` contains ``Hot Topics in Networks``. Unless
    ``decides`` is true, ``name`` may also contain ``recorded`` beside any other words, as
    ``BMC Bioinformatics`` contains ``Bioinformatics``.
    """
    words = set(venue_words(name))
    if not decides and words.issuperset(venue_words(recorded)):
        return True
    capitals = {word.lower() for word in re.findall(r"\b[A-Z]{2,}\b", name)}
    usual = capitals | _TYPES
    long = (set(venue_words(other)) for other in names if len(telling_words_of(other)) > 1)
    return any(other <= words and words - other <= usual for other in long)


def acronyms_spelled(name: str, recorded: str) -> Sequence[str]:
    """Return the acronyms in ``recorded``, the venue name of a record, that consist of first
    letters of words of the cited venue name ``name``.

    ``HLT-NAACL`` has two acronyms, ``ACL (1)`` has one. Names of societies at the beginning of
    ``name`` are ignored, so ``IEEE Computer`` does not spell out the acronym IEEE in ``FUZZ-IEEE``.
    """
    telling = " ".join(without_societies(tuple(name.lower().split()))) or name
    return [word for word in _acronyms(recorded) if spells_out(telling, word)]


def acronyms_in(name: str, venues: Iterable[str]) -> frozenset[str]:
    """Return in lower case the words of ``name`` with at least two capitals, such as ``ESEC`` in
    ``ESEC / SIGSOFT FSE``, and the last parts of the venue identifiers ``venues``.
    """
    keys = (venue.rpartition("/")[2] for venue in venues)
    return frozenset((*map(str.lower, _acronyms(name)), *keys)) - {"ieee", "acm"}


def _acronyms(name: str) -> Iterator[str]:
    """Yield the words of three letters or more that have at least two capitals."""
    return (word for word in re.findall("[A-Za-z]{3,}", name) if sum(map(str.isupper, word)) > 1)


def shares_words(name: str, names: Iterable[str]) -> bool:
    """Return whether at least two telling words of ``name``, or half of them, are also in one of
    ``names``.
    """
    telling = telling_words_of(name)
    shared = max(
        sum(_begins_word(word, telling_words_of(other)) for word in telling) for other in names
    )
    return shared > 1 or 2 * shared >= len(telling)


def telling_words_of(name: str) -> tuple[str, ...]:
    """Return the words of a venue's name without the words for a type of venue, such as
    ``conference``.
    """
    return bare_words(venue_words(name))


def _begins_word(word: str, others: Sequence[str]) -> bool:
    return any(word.startswith(other[:4]) or other.startswith(word[:4]) for other in others)


def is_like(name: str, other: str) -> bool:
    """Return whether two venue names differ only by a typo, or have at least two words in common
    that are at least half of the words of ``name``.
    """
    ours, theirs = venue_words(name), venue_words(other)
    telling = set(bare_words(ours))
    shared = len(telling & set(theirs))
    return (shared > 1 and 2 * shared >= len(telling)) or is_typo(
        "".join(ours), "".join(theirs), _SHORTEST_NAME
    )


def is_workshop(names: Iterable[str]) -> bool:
    """Return whether a venue is a workshop: of its ``names`` with several words, most contain a
    word such as ``workshop``.
    """
    full = [name for name in names if len(venue_words(name)) > 1]
    return 2 * sum(map(is_beside, full)) > len(full)
