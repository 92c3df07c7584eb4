"""A generated corpus of papers: true references in several styles, damaged references, and planted
groups.

The same seed gives the same corpus. A twentieth of the works come from another source, and most of
these are not in the database: they are true references that cannot be found.
"""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from citeproof.database.lookup import Database
from citeproof.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SEED = 20261122
REFERENCES = 30
WORKS_A_PAPER = 12
"""Distinct works per paper; popular works are cited by many papers."""
POPULARITY = 0.6
"""Exponent of the citation distribution: a work of rank r is cited in proportion to r **
-POPULARITY.
"""
LACKING = 0.05
DAMAGED = 0.02
GROUP = (3, 6)
"""Papers of a planted group."""
SHARED = 3
"""Wrong entries that the papers of one group share."""
PLANTED = "planted"
"""The source of a record whose DOI every paper states."""
FAILING = 10
"""Invented references of a planted paper, of 30."""


@dataclass
class Planted:
    """Planted groups by kind, each as the names of its papers."""

    groups: dict[str, list[list[str]]] = field(default_factory=dict)

    def add(self, kind: str, papers: Sequence[int]) -> None:
        """Note a group."""
        self.groups.setdefault(kind, []).append([name(paper) for paper in papers])


def make(
    folder: Path,
    database: Path,
    others: Path | None,
    papers: int,
    *,
    true: bool = False,
    seed: int = SEED,
) -> Planted:
    """Write ``papers`` papers into ``folder``, a thousand per subfolder; return the planted
    groups.
    """
    dice = random.Random(f"{seed} {papers}")
    works = _works(database, others, papers, dice)
    cited = _cited(works, papers, dice)
    planted = Planted()
    if not true:
        _damage(cited, works, dice)
        _plant(cited, works, dice, planted)
    for paper, records in enumerate(cited):
        path = folder / name(paper)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "\n".join(_entry(number, record, paper) for number, record in enumerate(records)),
            "utf-8",
        )
    return planted


def name(paper: int) -> str:
    """Return the name of a paper in the folder."""
    return f"{paper // 1000:03}/{paper:06}.bib"


def _works(database: Path, others: Path | None, papers: int, dice: random.Random) -> list[Record]:
    with Database.open(database, titles_in_memory=False) as opened:
        last = opened.describe()["records"]
        wanted = sorted(dice.sample(range(1, last + 1), min(last, papers * WORKS_A_PAPER)))
        works = [
            record
            for record in opened.records(wanted)
            if record.authors and record.venue and record.year
        ]
    if others:
        with gzip.open(others, "rt") as lines:
            lacking = [_anthology(json.loads(line)) for line in lines]
        works += dice.sample(
            [work for work in lacking if work.authors and work.year], round(LACKING * len(works))
        )
    dice.shuffle(works)
    return works


def _anthology(item: dict[str, Any]) -> Record:
    names = tuple(" ".join(parts) for parts in item["authors"])
    return Record(item["acl_id"], item["title"], names, item["year"], item["venue"])


def _cited(works: Sequence[Record], papers: int, dice: random.Random) -> list[list[Record]]:
    weights = [(rank + 10) ** -POPULARITY for rank in range(len(works))]
    total = 0.0
    cumulated = [total := total + weight for weight in weights]
    drawn = (dice.choices(works, cum_weights=cumulated, k=REFERENCES) for _ in range(papers))
    return [list(dict.fromkeys(each)) for each in drawn]


def _damage(cited: list[list[Record]], works: Sequence[Record], dice: random.Random) -> None:
    """Damage single references all over the corpus in different ways."""
    kinds: tuple[Callable[[Record, Sequence[Record], random.Random], Record], ...] = (
        _late,
        _foreign_author,
        _word_changed,
        _invented,
        _chimera,
    )
    for records in cited:
        for place, record in enumerate(records):
            if dice.random() < DAMAGED:
                records[place] = dice.choice(kinds)(record, works, dice)


def _plant(
    cited: list[list[Record]], works: Sequence[Record], dice: random.Random, planted: Planted
) -> None:
    papers = iter(dice.sample(range(len(cited)), len(cited)))
    for _ in range(max(1, len(cited) // 100)):
        invention = _invented(dice.choice(works), works, dice)
        group = [next(papers) for _ in range(dice.randint(*GROUP))]
        for paper in group:
            cited[paper].append(_told_again(invention, works, dice))
        planted.add("alike_not_found", group)
    for _ in range(max(1, len(cited) // 200)):
        wrong = [
            dice.choice((_late, _foreign_author))(dice.choice(works), works, dice)
            for _ in range(SHARED)
        ]
        group = [next(papers) for _ in range(dice.randint(*GROUP))]
        for paper in group:
            cited[paper] += wrong
        planted.add("same_wrong_details", group)
        foreign = _foreign_doi(works, dice)
        group = [next(papers) for _ in range(dice.randint(*GROUP))]
        for paper in group:
            cited[paper].append(foreign)
        planted.add("wrong_dois", group)
        paper = next(papers)
        cited[paper][:FAILING] = [
            _invented(record, works, dice) for record in cited[paper][:FAILING]
        ]
        planted.add("failing_together", [paper])


def _foreign_doi(works: Sequence[Record], dice: random.Random) -> Record:
    one, other = (dice.choice([work for work in works[:500] if work.doi]) for _ in range(2))
    return replace(one, doi=other.doi, source=PLANTED)


def _late(record: Record, _works: Sequence[Record], _dice: random.Random) -> Record:
    return replace(record, year=(record.year or 0) - 3)


def _foreign_author(record: Record, works: Sequence[Record], dice: random.Random) -> Record:
    names = list(record.authors)
    names[dice.randrange(len(names))] = dice.choice(works).authors[0]
    return replace(record, authors=tuple(names))


def _word_changed(record: Record, works: Sequence[Record], dice: random.Random) -> Record:
    words = record.title.split()
    words[dice.randrange(len(words))] = max(dice.choice(works).title.split(), key=len)
    return replace(record, title=" ".join(words))


def _invented(record: Record, works: Sequence[Record], dice: random.Random) -> Record:
    """Return an invented work in the venue and year of ``record``."""
    one, other = dice.choice(works).title.split(), dice.choice(works).title.split()
    title = " ".join(
        [*one[: max(3, len(one) // 2)], *other[len(other) // 2 :], *("of", "it") * (len(one) < 3)]
    )
    return replace(record, title=title, authors=_people(works, dice), doi="")


def _chimera(record: Record, works: Sequence[Record], dice: random.Random) -> Record:
    return replace(record, authors=_people(works, dice))


def _told_again(record: Record, works: Sequence[Record], dice: random.Random) -> Record:
    """Return a variant of an invention for another paper: other people, another year, mostly
    another word.
    """
    told = (
        _word_changed(record, works, dice)
        if dice.random() < 0.5 and len(record.title) > 50
        else record
    )
    return replace(
        told, authors=_people(works, dice), year=(record.year or 2000) + dice.choice((-2, -1, 0, 1))
    )


def _people(works: Sequence[Record], dice: random.Random) -> tuple[str, ...]:
    return tuple(dice.choice(dice.choice(works).authors) for _ in range(dice.randint(2, 4)))


def _entry(number: int, record: Record, paper: int) -> str:
    """Return the entry of one work in the style of one paper: names in full or with initials, all
    or the first few.
    """
    style = random.Random(f"{SEED} {paper}")
    initials, few, with_doi = (style.random() < share for share in (0.3, 0.2, 0.5))
    names = [_initials(author) if initials else author for author in record.authors]
    names = [*names[:3], "others"] if few and len(names) > 4 else names
    kind, where = (
        ("article", "journal") if record.pub_type == "article" else ("inproceedings", "booktitle")
    )
    fields = {
        "author": " and ".join(names),
        "title": record.title,
        where: record.venue,
        "year": record.year,
    }
    if (with_doi or record.source == PLANTED) and record.doi:
        fields["doi"] = record.doi
    said = "".join(f"  {field} = {{{_escaped(str(value))}}},\n" for field, value in fields.items())
    return f"@{kind}{{ref{number},\n{said}}}\n"


def _initials(author: str) -> str:
    *given, family = author.split()
    return " ".join([*(f"{each[0]}." for each in given), family])


def _escaped(text: str) -> str:
    return "".join(
        "\\" + char if char in "&%$#_" else "" if char in "{}\\" else char for char in text
    )
