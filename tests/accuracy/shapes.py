"""Works printed in the shapes of usual bibliography styles, and read without a database.

    python -m tests.accuracy.shapes DATABASE [WORKS]

For each shape, it prints the share of strings whose title, first author, number of authors, venue
and year are read correctly. The works come from records; half of them have a title that is hard to
read: a question, a sentence, quotation marks, a formula. A shape is a way to write the authors, and
a template of a line; :data:`TAILS` says what may follow the line.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from citeproof.database.lookup import Database
from citeproof.readers.strings import read_reference
from tests.accuracy import shape_lines
from tests.accuracy.end_to_end import drawn
from tests.accuracy.reference_strings import letters
from tests.accuracy.restyle import parted
from tests.accuracy.shape_lines import SHAPES, TAILS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citeproof.model.record import Record
    from citeproof.readers.strings import StringReading
    from tests.accuracy.reference_strings import Row

SEED = 20_261_123
STRINGS = Path("gold", "wild", "strings")
_FOREIGN_EACH = 6
"""One work in so many has a German or French title, which stands in the shapes of its language."""
_HARD = re.compile(r"[?!\"'“$^{=/]|\. |\b[a-z]\.|, and |\b(?:in|In) [A-Z]|^[a-z\d]")
"""Signs in titles that are hard to read."""
_FOREIGN = {
    "german": re.compile(r"\b(?:und|der|die|das|für|eine[rsnm]?|zur|zum|von|mit|im|des)\b"),
    "french": re.compile(r"\b(?:les|des|du|une|et|pour|dans|sur|aux|la)\b"),
}
"""Regexes of frequent words of each language; a title with two of them is in this language."""


_SUBTITLE = re.compile(r"(?:: | [-–] (?=[^\W\d_]{3}))(\w)")
"""Regex of the sign before a subtitle; styles of the humanities print a full stop."""
_BODY_SHARE = 0.1
"""Share of works in shapes of the humanities that an organization or a single name has written."""


def is_of_humanities(shape: str) -> bool:
    """Whether a shape is one of German, French and social science publishers."""
    return shape.startswith(("german", "french", "books"))


def _subtitle(sign: re.Match[str]) -> str:
    return f". {sign[1].upper()}"


class Printed(NamedTuple):
    """A work in one shape, with what a reading of it should say."""

    shape: str
    text: str
    title: str
    names: tuple[str, ...]
    venue: str
    year: int | None

    @property
    def row(self) -> Row:
        """The same as a labelled string."""
        families = [parted(name)[1] for name in self.names]
        said = {"raw": self.text, "title": self.title, "authors": families, "year": self.year}
        return {"source": "printed", "kind": "rendered", "style": self.shape, "doi": None, **said}


def works(database: Database, count: int) -> list[Record]:
    """Return records of works, every second one with a hard title."""
    found = [record for record in drawn(database, 6 * count) if not record.title.isupper()]
    hard = [record for record in found if _HARD.search(record.title)]
    easy = [record for record in found if not _HARD.search(record.title)]
    own = [record for pair in zip(easy, hard, strict=False) for record in pair]
    others = iter(foreign(database, count // _FOREIGN_EACH))
    mixed = (
        next(others, record) if place % _FOREIGN_EACH == 0 else record
        for place, record in enumerate(own)
    )
    return list(mixed)[:count]


def foreign(database: Database, count: int) -> list[Record]:
    """Return records with German and French titles, a fixed choice."""
    numbers = [number for number, title in database.titles() if language(title)]
    random.Random(SEED).shuffle(numbers)
    return [
        record
        for record in database.records(numbers[: 2 * count])
        if record.authors and record.venue
    ][:count]


def language(title: str) -> str:
    """Return the language of a title; empty for English and all others."""
    return next((name for name, words in _FOREIGN.items() if len(words.findall(title)) > 1), "")


def printed(records: Sequence[Record], each: int = 1) -> Iterator[Printed]:
    """Yield ``each`` number of shapes of every record; all shapes in turns, and what else varies by
    chance.
    """
    dice = random.Random(SEED)
    for number, record in enumerate(records):
        name = language(record.title)
        fitting = [shape for shape in SHAPES if shape[0].startswith(name)]
        for turn in range(each):
            place = (number // _FOREIGN_EACH if name else number) * each + turn
            yield _printed(record, *fitting[place % len(fitting)], dice)


def _printed(
    record: Record,
    shape: str,
    people: Sequence[Callable[[Sequence[str]], str]],
    line: str,
    dice: random.Random,
) -> Printed:
    names = tuple(re.sub(r" \d{4}$", "", name) for name in record.authors)
    number, first = dice.randint(1, 12), dice.randint(1, 900)
    humanities = is_of_humanities(shape)
    if humanities and dice.random() < _BODY_SHARE:
        names = (dice.choice(shape_lines.BODIES),)
    values = {
        "people": names[0] if names[0] in shape_lines.BODIES else dice.choice(people)(names),
        "title": record.title.rstrip("."),
        "venue": record.venue,
        "year": f"{record.year}{dice.choice(('', '', '', 'a', 'b'))}",
        "volume": str(dice.randint(1, 60)),
        "number": str(number),
        "pages": f"{first}{dice.choice('–-')}{first + number}",
        "doi": record.doi or "10.1145/3292500.3330701",
        "arxiv": f"{dice.randint(10, 25)}{number:02}.{dice.randint(10000, 19999)}",
        "month": dice.choice(shape_lines.MONTHS),
        "house": dice.choice(shape_lines.HUMANIST_HOUSES if humanities else shape_lines.HOUSES),
        "school": dice.choice(shape_lines.SCHOOLS),
        "city": dice.choice(shape_lines.HUMANISTS if humanities else shape_lines.CITIES),
        "editors": dice.choice(shape_lines.EDITORS),
        "subtitled": _SUBTITLE.sub(_subtitle, record.title.rstrip("."), count=1),
    }
    text = line.replace("{tail}", dice.choice(TAILS)).format_map(values)
    for doubled, single in (("?.", "?"), ("!.", "!"), ("..", "."), ("?,”", "?”")):
        text = text.replace(doubled, single)
    venue = values["venue"] if "{venue}" in line else ""
    return Printed(shape, text, values["title"], names, venue, record.year)


def labelled(shared: Path) -> list[Printed]:
    """Return the made strings of the data folder; of their people it has only the number, so none
    is compared.
    """
    texts = (shared / STRINGS.with_suffix(".txt")).read_text("utf-8").strip().split("\n\n")
    said = json.loads((shared / STRINGS.with_suffix(".json")).read_text("utf-8"))
    assert len(texts) == len(said)
    return [
        Printed(shape, text, title, (), "", None)
        for text, (shape, title, _) in zip(texts, said, strict=True)
    ]


FACTS = ("title", "first author", "authors", "venue", "year")


def facts(work: Printed, reading: StringReading) -> dict[str, bool]:
    """Return what of a reading is right."""
    shown = [name for name in work.names if letters(parted(name)[1]) in letters(work.text)]
    first = letters(reading.authors[0] if reading.authors else "")
    return {
        "title": letters(reading.title) == letters(work.title),
        "first author": not work.names or letters(parted(work.names[0])[1]) in first,
        "authors": not work.names or len(reading.authors) == len(shown) or reading.and_others,
        "venue": not work.venue or letters(reading.venue).startswith(letters(work.venue)),
        "year": work.year is None or reading.year == work.year,
    }


def counted(strings: Sequence[Printed]) -> dict[str, Counter[str]]:
    """Count what is read right, by shape."""
    counts: dict[str, Counter[str]] = {}
    for work in strings:
        found = facts(work, read_reference(work.text)[0])
        counts.setdefault(work.shape, Counter()).update(
            ["works", *(fact for fact, right in found.items() if right)]
        )
    return counts


def show(counts: dict[str, Counter[str]]) -> None:
    """Print a table."""
    for name, count in [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]:
        print(
            f"{name:24} {count['works']:5}",
            *(f"{fact} {count[fact] / count['works']:6.1%}" for fact in FACTS),
        )


if __name__ == "__main__":
    with Database.open(Path(sys.argv[1])) as opened:
        show(
            counted(list(printed(works(opened, int(sys.argv[2]) if len(sys.argv) > 2 else 500), 4)))
        )
