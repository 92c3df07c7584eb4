"""True records in which one thing is made wrong.

Only the citation is damaged, never the record. The tables show how often each kind of damage is
detected. A damaged reference may be true by chance (two papers with the same title); the tables
still count it as missed.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from citeproof.text.normalize import normalize_title
from tests.accuracy.entries import entry, escaped, fields_of, kind_of, whole_fields_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citeproof.model.record import Record

    Damage = Callable[[dict[str, str], Record, Record, random.Random], None]

SEED = 5_081_962


def damaged(kind: str, records: Sequence[Record], others: Sequence[Record]) -> list[str]:
    """Return one damaged entry for each record; ``others``, as many, lend their names, words and
    DOIs.
    """
    dice = random.Random(f"{SEED} {kind}")
    entries = []
    for number, (record, other) in enumerate(zip(records, others, strict=True)):
        if kind in SMALL:
            fields = whole_fields_of(record)
            SMALL[kind](fields, record, other, dice)
        else:
            fields = fields_of(record)
            KINDS[kind](fields, record, other, dice)
        entries.append(entry(kind_of(record), f"{kind}{number}", fields))
    return entries


def _invented_author(
    fields: dict[str, str], record: Record, other: Record, dice: random.Random
) -> None:
    """One name becomes that of nobody on the record: given name of one stranger, family name of
    another's making.
    """
    names = list(record.authors)
    stranger = _nobody(other, dice)
    names[dice.randrange(len(names))] = stranger
    fields["author"] = escaped(" and ".join(names))


def _foreign_authors(
    fields: dict[str, str], record: Record, other: Record, dice: random.Random
) -> None:
    """Two names become those of another paper's authors (one, where either paper has but one)."""
    names = list(record.authors)
    strangers = [name for name in other.authors if name not in names][:2]
    for place, name in zip(
        dice.sample(range(len(names)), min(len(names), len(strangers))), strangers, strict=False
    ):
        names[place] = name
    fields["author"] = escaped(" and ".join(names))


def _word_changed(
    fields: dict[str, str], record: Record, other: Record, dice: random.Random
) -> None:
    """A content word of the title becomes one of another title."""
    words = record.title.split()
    places = [place for place, word in enumerate(words) if len(normalize_title(word)) > 4]
    known = set(normalize_title(record.title).split())
    strangers = [
        word for word in other.title.split() if len(word) > 4 and normalize_title(word) not in known
    ]
    if places and strangers:
        words[dice.choice(places)] = dice.choice(strangers)
    fields["title"] = escaped(" ".join(words))


def _wrong_venue(
    fields: dict[str, str], record: Record, other: Record, _dice: random.Random
) -> None:
    """The venue becomes that of another paper, the year stays."""
    fields.pop("journal", None)
    fields["booktitle" if record.pub_type != "article" else "journal"] = escaped(other.venue)


def _foreign_doi(
    fields: dict[str, str], _record: Record, other: Record, _dice: random.Random
) -> None:
    """The DOI becomes that of another paper."""
    fields["doi"] = other.doi


def _late_year(
    fields: dict[str, str], record: Record, _other: Record, _dice: random.Random
) -> None:
    """The year is three years late."""
    fields["year"] = str((record.year or 0) + 3)


def _chimera(fields: dict[str, str], _record: Record, other: Record, _dice: random.Random) -> None:
    """Title, venue and year of one paper, authors of another."""
    fields["author"] = escaped(" and ".join(other.authors))


def can_suffer(kind: str, record: Record) -> bool:
    """Return whether a record has what a kind of small damage changes."""
    in_journal = record.pub_type == "article"
    needed = {
        "year_plus_2_right_pages": not in_journal and bool(record.pages),
        "year_minus_2_journal": in_journal and bool(record.volume and record.pages),
        "reversed_year_minus_1_pages_volume": in_journal and bool(record.volume and record.pages),
        "subtitle_reversed_year_pages": bool(record.pages),
        "hyphenated_other_given": any("-" in name.split()[-1] for name in record.authors),
    }
    several = len(set(record.authors)) > 1 and record.authors != record.authors[::-1]
    return several and needed.get(kind, True)


def _subtitle(fields: dict[str, str], _: Record, other: Record, dice: random.Random) -> None:
    """The title gets a subtitle, made of words of another title."""
    words = [word.strip(".,:;?!()") for word in other.title.split() if len(word) > 4][:3]
    invented = f"{dice.choice(_SUBTITLES)} {' '.join(words).lower() or 'complex systems'}"
    fields["title"] = f"{fields['title'].rstrip('.')}: {escaped(invented)}"


def _reversed(fields: dict[str, str], record: Record, _: Record, _dice: random.Random) -> None:
    """The authors are in reversed order."""
    fields["author"] = escaped(" and ".join(reversed(record.authors)))


def _years(count: int) -> Damage:
    def move(fields: dict[str, str], record: Record, _: Record, _dice: random.Random) -> None:
        fields["year"] = str((record.year or 0) + count)

    return move


def _pages(fields: dict[str, str], _: Record, _other: Record, dice: random.Random) -> None:
    """The pages are other pages."""
    first = dice.randrange(1000, 9000)
    fields["pages"] = f"{first}-{first + 9}"


def _volume(fields: dict[str, str], _: Record, _other: Record, _dice: random.Random) -> None:
    """The volume is 99."""
    fields["volume"] = "99"


def _first_added(
    fields: dict[str, str], record: Record, other: Record, dice: random.Random
) -> None:
    """An invented author stands first, the others are 'and others'."""
    fields["author"] = escaped(f"{_nobody(other, dice)} and {record.authors[0]} and others")


def _first_replaced(fields: dict[str, str], _: Record, other: Record, dice: random.Random) -> None:
    """An invented author stands in place of the first, the others are 'and others'."""
    fields["author"] = escaped(f"{_nobody(other, dice)} and others")


def _other_given(fields: dict[str, str], record: Record, _: Record, dice: random.Random) -> None:
    """A person with a hyphenated family name gets another given name."""
    names = list(record.authors)
    place = next(place for place, name in enumerate(names) if "-" in name.split()[-1])
    given = names[place].split()[0]
    other = dice.choice([name for name in _GIVEN if name[0] != given[0]])
    names[place] = f"{other} {names[place].split()[-1]}"
    fields["author"] = escaped(" and ".join(names))


def _nobody(other: Record, dice: random.Random) -> str:
    """Return a name that nobody has: the given name of a stranger, and an invented family name."""
    given = (other.authors[0] if other.authors else "Robin Gray").split()[0]
    family = "".join(dice.choice(_SYLLABLES) for _ in range(3)).capitalize()
    return f"{given} {family}"


def _all(*damages: Damage) -> Damage:
    """Return one damage that does all of ``damages``."""

    def do(fields: dict[str, str], record: Record, other: Record, dice: random.Random) -> None:
        for damage in damages:
            damage(fields, record, other, dice)

    return do


KINDS: dict[str, Damage] = {
    "invented_author": _invented_author,
    "foreign_authors": _foreign_authors,
    "word_changed": _word_changed,
    "wrong_venue": _wrong_venue,
    "foreign_doi": _foreign_doi,
    "year_plus_3": _late_year,
    "chimera": _chimera,
}
_SYLLABLES = (
    "Bra",
    "Ku",
    "Vel",
    "Tor",
    "Mo",
    "Shi",
    "Dan",
    "Lu",
    "Ze",
    "Pra",
    "Gor",
    "Fen",
    "Ha",
    "Ri",
    "Osk",
    "Wen",
)
_GIVEN = ("Robert", "Elena", "Thomas", "Ingrid", "Walter", "Yvonne", "Boris", "Natasha")
_SUBTITLES = (
    "A Comprehensive Study of",
    "Theory and Practice of",
    "An Empirical Analysis of",
    "Foundations of",
    "A New Perspective on",
    "Lessons from",
)
SMALL: dict[str, Damage] = {
    "none": _all(),
    "subtitle": _subtitle,
    "subtitle_reversed_year_pages": _all(_subtitle, _reversed, _years(1), _pages),
    "reversed_year_minus_1_pages_volume": _all(_reversed, _years(-1), _pages, _volume),
    "year_plus_2_right_pages": _years(2),
    "year_minus_2_journal": _years(-2),
    "first_author_added": _first_added,
    "first_author_replaced": _first_replaced,
    "hyphenated_other_given": _other_given,
}
"""Small errors, alone or together, in entries that are complete but for the DOI."""
