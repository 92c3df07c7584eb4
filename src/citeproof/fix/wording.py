"""Correct the wrong words of a title, or the wrong names of a list of authors, and keep the style
of the entry.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from citeproof.readers.fields.authors import split_authors
from citeproof.readers.fields.bibtex import written_name, written_title
from citeproof.text.latex import latex_of
from citeproof.text.name_comparison import NameAgreement
from citeproof.text.names import PARTICLES, Name, authors_in, parse_name
from citeproof.text.normalize import normalize_title, plain_text
from citeproof.text.spelling import lemma
from citeproof.verification.validation.compare.authors import pair_names
from citeproof.verification.validation.compare.titles import compare_titles

_IN_BRACES = re.compile(r"(?P<opened>\{*)(?P<word>.*?)(?P<closed>\}*)(?P<mark>[.,:;?!]*)")
_SMALL_WORDS = frozenset(
    {
        *("a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "nor", "of"),
        *("on", "or", "over", "the", "to", "under", "upon", "via", "vs", "with", "without"),
    }
)
"""Words that are written in lower case in titles whose other words begin with capitals."""


def corrected_title(written: str, recorded: str, *, ascii_only: bool) -> str | None:
    """Return the LaTeX title ``written`` with wrong words replaced by those of the title
    ``recorded``, or None if this cannot be done word by word.

    Other words, braces, capitals and British spelling stay as written::

        written   {{a system for the analysis of key protocols}}
        recorded  A System for the Verification of Key Protocols
        result    {{a system for the verification of key protocols}}

    A title with a formula is not changed, because records often lack the formulas.
    """
    if "$" in written:
        return None
    ours, theirs = written.split(), recorded.split()
    left, right = ([lemma(normalize_title(word)) for word in words] for words in (ours, theirs))
    has_capitals = _has_capitals(list(map(plain_text, ours)))
    new: list[str] = []
    for tag, start, end, other, stop in SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        if tag == "equal" or _is_other_spelling(ours[start:end], theirs[other:stop]):
            new += ours[start:end]
            continue
        words = [
            _in_case(word, place == 0, has_capitals=has_capitals)
            for place, word in enumerate(theirs[other:stop], len(new))
        ]
        new += _replaced(ours[start:end], words, _depth(new), ascii_only=ascii_only)
    joined = " ".join(new)
    return joined if _depth(new) == 0 and new else None


def _is_other_spelling(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether two sequences of words are the same words in different spellings: ``colour``
    and ``color``.
    """
    return compare_titles(" ".join(ours), " ".join(theirs)).same if ours and theirs else False


def _replaced(
    ours: Sequence[str], words: Sequence[str], depth: int, *, ascii_only: bool
) -> list[str]:
    """Return ``words`` in LaTeX, with the braces and the final punctuation mark of the words
    ``ours`` that they replace.

    ``depth`` is the number of braces that are open before the words. Words that are already inside
    braces get no further braces.
    """
    if not words:
        return []
    first, last = (
        (_IN_BRACES.fullmatch(own) for own in (ours[0], ours[-1])) if ours else (None, None)
    )
    opened = first["opened"] if first else ""
    closed = last["closed"] if last else ""
    of_one_word = len(ours) == len(opened) == len(closed) == 1 and depth == 0
    torn = _depth(ours) == 0 and len(opened) != len(closed)
    if of_one_word or torn:
        opened = closed = ""  # braces around single words, which the new words do not need
    write = latex_of if depth or opened else written_title
    new = [write(word, ascii_only=ascii_only) for word in words]
    new[0] = opened + new[0]
    new[-1] = new[-1].rstrip(".,:;?!") + closed + (last["mark"] if last else "")
    return new


def _depth(words: Sequence[str]) -> int:
    """Return the number of braces that are open at the end of ``words``."""
    text = " ".join(words)
    return text.count("{") - text.count("}")


def _has_capitals(words: Sequence[str]) -> bool | None:
    """Return whether most words of a title begin with capitals; None if this is unclear."""
    telling = [
        word for word in words[1:] if word[:1].isalpha() and word.lower() not in _SMALL_WORDS
    ]
    capital = sum(word[0].isupper() for word in telling)
    return None if not telling or 2 * capital == len(telling) else 2 * capital > len(telling)


def _in_case(word: str, is_first: bool, *, has_capitals: bool | None) -> str:
    """Return ``word``, a word of a record, in the case of the entry's title: with a first capital
    if ``has_capitals`` is true, otherwise in lower case. If ``is_first`` is true, the word begins
    the title and is not put in lower case.

    Words with inner capitals or digits, such as ``LSTM``, are unchanged. So are all words if
    ``has_capitals`` is None.
    """
    if has_capitals is None or not word[1:].islower():
        return word
    if has_capitals and word.lower() not in _SMALL_WORDS:
        return word[0].upper() + word[1:]
    return word if is_first else word.lower()


def corrected_names(
    written: str, recorded: tuple[str, ...], *, ascii_only: bool, given_names: bool = True
) -> str:
    """Return the author field ``written`` with wrong names replaced by names of ``recorded``.

    Right names stay as written. New names get the same form, such as initials. If ``given_names``
    is false, a name with a different given name is treated as right, such as ``Vlad`` for
    ``Volodymyr``. A list that ends in ``and others`` keeps its length.

    Example: ``Doe, J. and Smith, A. and others`` with the record ``Jane Doe, Bob Jones, Ann Lee``
    becomes ``Doe, J. and Jones, B. and others``.
    """
    pieces = [piece.strip() for piece in _split_names(written)]
    names = [piece for piece in pieces if piece and piece.lower() != "others"]
    if len(names) < min(len(pieces), len(recorded)):
        recorded, end = recorded[: len(names)], ["others"]
    else:
        end = []
    kept = _right_names(names, recorded, given_names=given_names)
    style = _NameStyle(names, has_right=bool(kept))
    new = [
        names[kept[place]] if place in kept else style.of(name, ascii_only=ascii_only)
        for place, name in enumerate(recorded)
    ]
    return " and ".join([*new, *end])


class _NameStyle:
    """The form in which the names of an author field are written: order of the names, initials,
    full stops.

    New names are abbreviated only if all names of the field are abbreviated and at least one of
    them is right.
    """

    def __init__(self, pieces: Sequence[str], *, has_right: bool) -> None:
        # single words are left out: in ``Schorr and Joseph``, one name was split by mistake
        whole = [piece for piece in pieces if "," in piece or " " in piece]
        self._family_first = bool(whole) and all("," in piece for piece in whole)
        given = [word for piece in pieces for word in _given_words(piece)]
        self._initials = (
            has_right and bool(given) and all(len(word.strip(".")) == 1 for word in given)
        )
        self._mark = "." if any(word.endswith(".") for word in given) else ""

    def of(self, name: str, *, ascii_only: bool) -> str:
        """Return ``name``, a recorded name ``Given Family``, in this form."""
        words = name.split()
        if len(words) < 2:
            return written_name(name, ascii_only=ascii_only)
        cut = len(words) - 1
        while cut > 1 and words[cut - 1].lower() in PARTICLES:
            cut -= 1
        given, family = words[:cut], words[cut:]
        if self._initials:
            given = list(map(self._initial, given))
        if not self._family_first:
            return written_name(" ".join(given + family), ascii_only=ascii_only)
        return ", ".join(
            written_name(" ".join(part), ascii_only=ascii_only) for part in (family, given)
        )

    def _initial(self, word: str) -> str:
        """Return the initial of a given name: ``J.-L.`` for ``Jean-Luc``."""
        return "-".join(f"{part[0]}{self._mark}" for part in word.split("-") if part)


def _given_words(piece: str) -> Iterator[str]:
    """Yield the given names of the name ``piece``. The parts of ``J.-L.`` and ``J.R.`` are yielded
    one by one.
    """
    family, comma, given = plain_text(piece).partition(",")
    words = given.split() if comma else family.split()[:-1]
    for word in words:
        yield from filter(None, re.split(r"-|(?<=\.)(?=\w)", word))


def _right_names(
    pieces: list[str], recorded: tuple[str, ...], *, given_names: bool
) -> dict[int, int]:
    """Return a map from the index of a name in ``recorded`` to the index of the same person in
    ``pieces``, the names of the author field.

    Equal names are paired before similar names. Otherwise ``Yi-min Yang`` could be paired with
    ``Yi-min Xia``. If the other names of the field are complete, a family name alone is not paired,
    because it comes from a name that was split by mistake, such as ``Schorr and Joseph``.
    """
    names = [parse_name(name) for name in recorded]
    people = {
        place: name for place, piece in enumerate(pieces) if (name := _one_person(piece, names))
    }
    if any(len(person.words) > 1 for person in people.values()):
        people = {
            place: person
            for place, person in people.items()
            if len(person.words) > 1 or any(person.words == name.words for name in names)
        }
    kept: dict[int, int] = {}
    for place, name in enumerate(names):
        if alike := [own for own, person in people.items() if person.words == name.words]:
            kept[place] = min(alike, key=lambda own: abs(own - place))
            del people[kept[place]]
    own_places, free = list(people), [place for place in range(len(names)) if place not in kept]
    pairs = pair_names([people[own] for own in own_places], [names[place] for place in free])
    sure = {NameAgreement.SAME, NameAgreement.MISSPELT}
    if not given_names:
        sure.add(NameAgreement.GIVEN_DIFFERS)
    return kept | {
        free[other]: own_places[own]
        for own, (other, agreement) in pairs.items()
        if agreement in sure
    }


def _split_names(written: str) -> list[str]:
    """Split the author field ``written`` at each ``and`` outside braces."""
    parts, start = [], 0
    for match in re.finditer(r"\s+and\s+", written, re.IGNORECASE):
        before = written[: match.start()]
        if before.count("{") == before.count("}"):
            parts.append(written[start : match.start()])
            start = match.end()
    return [*parts, written[start:]]


def _one_person(piece: str, recorded: list[Name]) -> Name | None:
    """Return the name in ``piece``, a part of an author field, or None if it contains several
    authors, such as ``Jane Doe, Ann Smith``.
    """
    people, _ = split_authors(piece)
    both = [parse_name(person) for name in people for person in authors_in(name)]
    if len(both) > len(people) and len(pair_names(both, recorded)) == len(both):
        return None
    return parse_name(people[0]) if len(people) == 1 else None
