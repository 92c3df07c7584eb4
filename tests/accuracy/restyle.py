"""True records in the styles in which people write them. Every reference stays true, so none may be
flagged.

:data:`SEED` makes every run the same. Each reference gets one style of names and random other
changes: a shortened list of authors, no accents or accents in LaTeX, lower case, the full title of
the proceedings, the year of the preprint, the DOI as a URL.
"""

from __future__ import annotations

import random
import unicodedata
from string import ascii_lowercase
from typing import TYPE_CHECKING

from anyascii import anyascii

from tests.accuracy.entries import entry, escaped, fields_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from citeproof.model.record import Record

SEED = 20_261_120
_MARKS = {
    "\u0301": "'",
    "\u0300": "`",
    "\u0308": '"',
    "\u0302": "^",
    "\u0303": "~",
    "\u030c": "v ",
    "\u0327": "c ",
}


def restyled(records: Sequence[Record], proceedings: Mapping[str, str]) -> list[str]:
    """Return one entry for each record; ``proceedings`` holds the titles of proceedings by key."""
    dice = random.Random(SEED)
    return [
        _restyle(f"r{number}", record, proceedings, dice) for number, record in enumerate(records)
    ]


def _restyle(key: str, record: Record, proceedings: Mapping[str, str], dice: random.Random) -> str:
    fields = fields_of(record)
    style = dice.choice(NAME_STYLES)
    names = [style(escaped(name)) for name in record.authors]
    if len(names) > 3 and dice.random() < 0.25:
        names = [*names[: dice.randint(1, 3)], "others"]
    fields["author"] = " and ".join(names)
    spelling = dice.random()
    if spelling < 0.2:
        fields = {name: anyascii(value) for name, value in fields.items()}
    elif spelling < 0.4:
        fields = {name: latex_accents(value) for name, value in fields.items()}
    if dice.random() < 0.2:
        fields["title"] = fields["title"].lower()
    if record.crossref in proceedings and dice.random() < 0.5:
        fields["booktitle"] = escaped(proceedings[record.crossref])
    if record.pub_type == "inproceedings" and record.year and dice.random() < 0.1:
        fields["year"] = str(record.year - 1)
    if record.doi and dice.random() < 0.3:
        fields["doi"] = f"https://doi.org/{record.doi}"
    return entry(kind_of(record), key, fields)


def latex_accents(text: str) -> str:
    """Return ``text`` with its accents in LaTeX, where LaTeX has them."""
    written = []
    for char in text:
        parts = unicodedata.normalize("NFD", char)
        mark = _MARKS.get(parts[1]) if len(parts) == 2 else None
        written.append(f"{{\\{mark}{parts[0]}}}" if mark else char)
    return "".join(written)


def parted(name: str) -> tuple[str, str]:
    """Return given and family name; particles and suffixes stay with the family name.

    A name that ends in an initial, or has but one word, is not parted: nobody would know how.
    """
    words = name.split()
    suffix = (
        [words.pop()]
        if words[-1] in ("Jr.", "Sr.", "II", "Ii", "III", "IV") and len(words) > 1
        else []
    )
    cut = len(words) - 1
    while cut > 1 and words[cut - 1].islower():
        cut -= 1
    if cut < 1 or len(words[-1].strip(".")) < 2:
        return "", name
    return " ".join(words[:cut]), " ".join([*words[cut:], *suffix])


def _family_first(name: str) -> str:
    given, family = parted(name)
    return f"{family}, {given}" if given else name


def _family_initials(name: str) -> str:
    given, family = parted(name)
    return f"{family}, {initials(given)}" if given else name


def _initials_family(name: str) -> str:
    given, family = parted(name)
    return f"{initials(given)} {family}" if given else name


def _initials_behind(name: str) -> str:
    given, family = parted(name)
    return (
        f"{family} {initials(given).replace('.', '').replace(' ', '').upper()}" if given else name
    )


def initials(given: str) -> str:
    """Return the initials of given names: ``J.-P. M.``."""
    return " ".join(
        "-".join(f"{part[0]}." for part in word.split("-") if part) for word in given.split()
    )


NAME_STYLES: tuple[Callable[[str], str], ...] = (
    str,
    _family_first,
    _family_initials,
    _initials_family,
)
"""``Given Family``, ``Family, Given``, ``Family, G. M.``, ``G. M. Family``."""

PARTED: dict[str, tuple[str, str, Sequence[Callable[[str], str]]]] = {
    "commas": (", ", ", ", (str, _initials_family)),
    "commas, and": (", ", " and ", (str, _initials_family)),
    "commas, & at the end": (", ", r" \& ", (str, _initials_family)),
    "commas, family first": (", ", ", and ", (_family_first, _family_initials)),
    "commas, initials behind": (", ", ", ", (_initials_behind,)),
    "and, initials behind": (" and ", " and ", (_initials_behind,)),
    "semicolons": ("; ", "; and ", NAME_STYLES),
    r"\and": (r" \and ", r" \and ", NAME_STYLES),
}
"""What people put between names where BibTeX has ``and``: between two, before the last, and beside
which styles.
"""


def parted_by(way: str, records: Sequence[Record]) -> list[str]:
    """Return one entry for each record, its people parted as the :data:`PARTED` ``way`` says."""
    sign, last, styles = PARTED[way]
    entries = []
    for number, record in enumerate(records):
        names = [styles[number % len(styles)](escaped(name)) for name in record.authors]
        people = last.join(filter(None, (sign.join(names[:-1]), names[-1])))
        entries.append(
            entry(kind_of(record), f"r{number}", {**fields_of(record), "author": people})
        )
    return entries


def _first_half(title: str) -> str:
    words = title.split()
    return f"{' '.join(words[: max(4, len(words) // 2)])} ..."


SLIPS: dict[str, Callable[[dict[str, str], Record], dict[str, str]]] = {
    "title in capitals": lambda said, _: {"title": said["title"].upper()},
    "title in quotation marks": lambda said, _: {"title": f"``{said['title']},''"},
    "title cut by dots": lambda said, _: {"title": _first_half(said["title"])},
    "title with its venue": lambda said, record: {
        "title": f"{said['title']}. In {record.venue}, {record.year}"
    },
    "title with a footnote": lambda said, _: {"title": said["title"] + r"\footnote{Best paper}"},
    "title with a remark": lambda said, _: {"title": f"{said['title']} (Extended Abstract)"},
    "title without hyphens": lambda said, _: {"title": said["title"].replace("-", " ")},
    "dash for colon": lambda said, _: {"title": said["title"].replace(": ", " -- ")},
    "marks of affiliations": lambda said, _: {
        "author": said["author"].replace(" and ", "$^{1,*}$ and ") + "$^{2}$"
    },
    "names in capitals": lambda said, _: {
        "author": said["author"].upper().replace(" AND ", " and ")
    },
    "first author et al.": lambda said, _: {"author": f"{said['author'].split(' and ')[0]} et al."},
    "publisher for venue": lambda said, _: {"booktitle": "Springer", "journal": ""},
    "editors beside authors": lambda _said, _: {"editor": "Smith, John and Doe, Mary"},
    "year to come": lambda _said, _: {"year": "to appear"},
    "DOI as a link": lambda said, _: {"doi": "", "url": f"https://doi.org/{said.get('doi', '')}"},
}
"""Slips of careless authors, by which a reference stays true: the fields that become others."""


def _letter_left_out(word: str, place: int, _: random.Random) -> str:
    return word[:place] + word[place + 1 :]


def _letter_twice(word: str, place: int, _: random.Random) -> str:
    return word[:place] + word[place] + word[place:]


def _letter_for_another(word: str, place: int, dice: random.Random) -> str:
    return word[:place] + dice.choice(ascii_lowercase) + word[place + 1 :]


def _letters_swapped(word: str, place: int, _: random.Random) -> str:
    return word[:place] + word[place : place + 2][::-1] + word[place + 2 :]


TYPOS: dict[str, Callable[[str, int, random.Random], str]] = {
    "a letter left out": _letter_left_out,
    "a letter twice": _letter_twice,
    "a letter for another": _letter_for_another,
    "two letters swapped": _letters_swapped,
}
"""Typing errors at some place of a word."""


def with_typo(typo: str, field: str, records: Sequence[Record]) -> list[str]:
    """Return one entry for each record, each with the same one of :data:`TYPOS` at a letter of its
    ``field``.
    """
    dice = random.Random(SEED)
    entries = []
    for number, record in enumerate(records):
        fields = fields_of(record)
        texts = {"title": record.title, "author": " and ".join(record.authors)}
        fields[field] = _mistyped(typo, texts.get(field, record.venue), dice)
        entries.append(entry(kind_of(record), f"r{number}", fields))
    return entries


def _mistyped(typo: str, text: str, dice: random.Random) -> str:
    """Return ``text`` as BibTeX has it, with one letter wrong; words such as "and" and initials
    stay.
    """
    words = text.split()
    typed = [at for at, word in enumerate(words) if word.isalpha() and word != "and"]
    letters = [(at, place) for at in typed for place in range(len(words[at]))]
    at, place = dice.choice(letters or [(0, 0)])
    words[at] = TYPOS[typo](words[at], place, dice)
    return escaped(" ".join(words))


def with_slip(slip: str, records: Sequence[Record]) -> list[str]:
    """Return one entry for each record, each with the same one of :data:`SLIPS`."""
    entries = []
    for number, record in enumerate(records):
        said = fields_of(record)
        changed = {**said, **SLIPS[slip](said, record)}
        entries.append(
            entry(
                kind_of(record),
                f"r{number}",
                {name: value for name, value in changed.items() if value},
            )
        )
    return entries
