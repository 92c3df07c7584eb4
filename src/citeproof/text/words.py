"""Choose the words of a query for a work, and check that a response belongs to the query."""

from collections.abc import Iterable

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.normalize import normalize_title

_DISTINCTIVE = 5  # number of words of a title that a query contains
_STEM = 4  # number of letters at the start of a word that are compared
_COMMON = set(
    """a an and are as at based by for from how in into is it its new of on or study the their to toward towards
    under using via what when with without""".split()  # noqa: SIM905 - a list of words reads as words
)


def family_name(name: str) -> str:
    """Return the family name of ``Family, Given`` or ``Given Family``, normalised."""
    return normalize_title(name.split(",", 1)[0] if "," in name else (name.split() or [""])[-1])


def distinctive_words(title: str) -> list[str]:
    """Return the five longest uncommon words of ``title`` in the title's order, for a query to a search engine."""
    words = [word for word in dict.fromkeys(normalize_title(title).split()) if word not in _COMMON]
    longest = set(sorted(words, key=lambda word: (-len(word), words.index(word)))[:_DISTINCTIVE])
    return [word for word in words if word in longest]


def author_and_words(reference: Reference) -> str:
    """Return the first author's family name and the distinctive words of the title; empty if either is missing."""
    words = distinctive_words(reference.title)
    if not reference.authors or not words:
        return ""
    return " ".join([family_name(reference.authors[0]), *words])


def shares_a_word(query: str, records: Iterable[Record]) -> bool:
    """Whether any record shares a word with ``query``, ignoring endings.

    Search engines rank by shared words, so hits without a shared word do not belong to the query. Only ASCII words are
    compared, because other scripts may not separate words by spaces.
    """
    stems = {word[:_STEM] for word in normalize_title(query).split() if word.isascii() and word not in _COMMON}
    for record in records:
        text = normalize_title(" ".join((record.title, *record.authors)))
        if not stems or any(word[:_STEM] in stems for word in text.split()):
            return True
    return False


def shares_an_author(reference: Reference, record: Record) -> bool:
    """Whether ``record`` contains a cited family name; True if the reference or the record has no authors."""
    if not reference.authors or not record.authors:
        return True
    recorded = set(normalize_title(" ".join(record.authors)).split())
    return any(set(family_name(name).split()) & recorded for name in reference.authors)
