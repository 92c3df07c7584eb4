"""True records with one thing made wrong; each kind of damage says how often it is seen.

The damage is done to what is cited, never to what is recorded. A damaged reference may by chance be
true (two papers of one title); the tables count it as missed all the same.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from citeproof.text.normalize import normalize_title
from tests.accuracy.entries import entry, escaped, fields_of, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citeproof.model.record import Record

SEED = 5_081_962


def damaged(kind: str, records: Sequence[Record], others: Sequence[Record]) -> list[str]:
    """Return one damaged entry for each record; ``others``, as many, lend their names, words and
    DOIs.
    """
    dice = random.Random(f"{SEED} {kind}")
    entries = []
    for number, (record, other) in enumerate(zip(records, others, strict=True)):
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
    given = (other.authors[0] if other.authors else "Robin Gray").split()[0]
    family = (
        dice.choice(_SYLLABLES) + dice.choice(_SYLLABLES).lower() + dice.choice(_SYLLABLES).lower()
    )
    names[dice.randrange(len(names))] = f"{given} {family}"
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


KINDS: dict[str, Callable[[dict[str, str], Record, Record, random.Random], None]] = {
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
