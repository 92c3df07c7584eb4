"""Works printed in the shapes of everyday bibliography styles, read without the help of any database.

    python -m tests.accuracy.shapes DATABASE [WORKS]

prints for each shape the share of strings whose title, first author, number of authors, venue and year are read right.
The works are those of records, every second one with a title that is hard to read: a question, a sentence, quotation
marks, a formula.
A shape is how a style writes the people, and a line; :data:`TAILS` says what may stand behind it.
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
from tests.accuracy import typeset
from tests.accuracy.end_to_end import drawn
from tests.accuracy.reference_strings import letters
from tests.accuracy.restyle import parted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citeproof.model.record import Record
    from citeproof.readers.strings import Reading
    from tests.accuracy.reference_strings import Row

SEED = 20_261_123
STRINGS = Path("gold", "wild", "strings")
_FULL = typeset.each(typeset.full, typeset.joined(", and "))
_FULL_PLAIN = typeset.each(typeset.full, typeset.joined(" and "))
_SHORT = typeset.each(typeset.initials_first, typeset.joined(", and "))
_SHORT_PLAIN = typeset.each(typeset.initials_first, typeset.joined(" and "))
_ET_AL = typeset.each(typeset.full, typeset.joined(", and ", most=6, others=", et al"))
_FEW_ET_AL = typeset.each(typeset.full, typeset.joined(", and ", most=1, others=" et al"))
_SHORT_ET_AL = typeset.each(typeset.initials_first, typeset.joined(", and ", most=6, others=", et al"))
_APA = typeset.each(typeset.family_initials, typeset.joined(", & "))
_NATURE = typeset.each(typeset.family_initials, typeset.joined(" & ", most=5))
_LNCS = typeset.each(typeset.tight, typeset.joined(", "))
_VANCOUVER = typeset.each(typeset.bare_joined, typeset.joined(", ", most=6, others=", et al"))
_INVERTED = typeset.each(typeset.inverted, typeset.joined("; ", "; "))
_SLASHED = typeset.each(typeset.inverted, typeset.joined("/", "/"))
_SEMICOLONS = typeset.each(typeset.family_initials, typeset.joined("; ", "; "))
_FULL_COMMA = typeset.each(typeset.full, typeset.joined(", "))
_CAPITALS = typeset.each(typeset.in_brackets, typeset.joined(", "))
_DOTTED_BEHIND = typeset.each(lambda name: typeset.family_initials(name, " "), typeset.joined(", "))
_CHICAGO = typeset.first_inverted(typeset.joined(", and "))

_STYLES: dict[str, tuple[tuple[Callable[[Sequence[str]], str], ...], dict[str, str]]] = {
    "natbib": (
        (_FULL, _FULL, _FULL_PLAIN, _SHORT, _SHORT_PLAIN, _ET_AL, _FEW_ET_AL, _SHORT_ET_AL),
        {
            "misc": "{people}. {title}, {year}.{tail}",
            "misc_dot": "{people}. {title}. {year}.{tail}",
            "misc_month": "{people}. {title}, {month} {year}.{tail}",
            "arxiv": "{people}. {title}. arXiv preprint arXiv:{arxiv}, {year}.{tail}",
            "arxiv_abs": "{people}. {title}. ArXiv, abs/{arxiv}, {year}.{tail}",
            "corr": "{people}. {title}. CoRR, abs/{arxiv}, {year}.{tail}",
            "article": "{people}. {title}. {venue}, {volume}({number}):{pages}, {year}.{tail}",
            "article_bare": "{people}. {title}. {venue}, {year}.{tail}",
            "paper": "{people}. {title}. In {venue}, pages {pages}, {year}.{tail}",
            "paper_house": "{people}. {title}. In {venue}, pages {pages}. {house}, {year}.{tail}",
            "paper_bare": "{people}. {title}. In {venue}, {year}.{tail}",
            "report": "{people}. {title}. Technical report, {school}, {year}.{tail}",
            "thesis": "{people}. {title}. PhD thesis, {school}, {year}.{tail}",
            "book": "{people}. {title}. {house}, {year}.{tail}",
        },
    ),
    "acl": (
        (_FULL, _FULL, _FULL_PLAIN, _ET_AL, _FEW_ET_AL),
        {
            "misc": "{people}. {year}. {title}.{tail}",
            "arxiv": "{people}. {year}. {title}. arXiv preprint arXiv:{arxiv}.{tail}",
            "preprint": "{people}. {year}. {title}. Preprint, arXiv:{arxiv}.{tail}",
            "arxiv_class": "{people}. {year}. {title}. arXiv:{arxiv} [cs.CL]{tail}",
            "corr": "{people}. {year}. {title}. CoRR, abs/{arxiv}.{tail}",
            "article": "{people}. {year}. {title}. {venue}, {volume}:{pages}.{tail}",
            "acm_article": "{people}. {year}. {title}. {venue} {volume}, {number} ({month} {year}), {pages}.{tail}",
            "paper": "{people}. {year}. {title}. In {venue}, pages {pages}, {city}. {house}.{tail}",
            "acm_paper": "{people}. {year}. {title}. In {venue}. {house}, {pages}.{tail}",
        },
    ),
    "apa": (
        (_APA,),
        {
            "misc": "{people} ({year}). {title}.{tail}",
            "arxiv": "{people} ({year}). {title}. arXiv.{tail}",
            "arxiv_id": "{people} ({year}). {title} (arXiv:{arxiv}). arXiv.{tail}",
            "article": "{people} ({year}). {title}. {venue}, {volume}({number}), {pages}.{tail}",
            "paper": "{people} ({year}). {title}. In {venue} (pp. {pages}). {house}.{tail}",
        },
    ),
    "nature": (
        (_NATURE,),
        {
            "misc": "{people} {title} ({year}).{tail}",
            "arxiv": "{people} {title}. Preprint at https://arxiv.org/abs/{arxiv} ({year}).",
            "article": "{people} {title}. {venue} {volume}, {pages} ({year}).{tail}",
            "paper": "{people} {title}. In {venue} {pages} ({house}, {year}).{tail}",
        },
    ),
    "vancouver": (
        (_VANCOUVER,),
        {
            "misc": "{people}. {title}. {year}.{tail}",
            "online": "{people}. {title} [Internet]. {year} [cited {year} {month} 3].{tail}",
            "arxiv": "{people}. {title}. arXiv:{arxiv} [Preprint]. {year}.{tail}",
            "article": "{people}. {title}. {venue}. {year};{volume}({number}):{pages}.{tail}",
            "paper": "{people}. {title}. In: {venue}; {year}. p. {pages}.{tail}",
        },
    ),
    "lncs": (
        (_LNCS,),
        {
            "misc": "{people}: {title} ({year}){tail}",
            "arxiv": "{people}: {title}. arXiv preprint arXiv:{arxiv} ({year}){tail}",
            "article": "{people}: {title}. {venue} {volume}({number}), {pages} ({year}){tail}",
            "paper": "{people}: {title}. In: {venue}, pp. {pages}. {house} ({year}){tail}",
        },
    ),
    "ieee": (
        (_SHORT, _SHORT_PLAIN, _SHORT_ET_AL),
        {
            "misc": "{people}, “{title},” {year}.{tail}",
            "arxiv": "{people}, “{title},” arXiv preprint arXiv:{arxiv}, {year}.{tail}",
            "article": "{people}, “{title},” {venue}, vol. {volume}, no. {number}, pp. {pages}, {month} {year}.{tail}",
            "paper": "{people}, “{title},” in {venue}, {year}, pp. {pages}.{tail}",
            "bare": "{people}, {title}, {venue}, vol. {volume}, no. {number}, pp. {pages}, {year}.{tail}",
            "bare_paper": "{people}, {title}, in: {venue}, {year}, pp. {pages}.{tail}",
            "bare_misc": "{people}, {title}, {year}.{tail}",
        },
    ),
    "german": (
        (_SLASHED, _SLASHED, _SEMICOLONS, _INVERTED),
        {
            "book": "{people} ({year}): {subtitled}. {city}: {house}.",
            "book_comma": "{people} ({year}), {subtitled}, {city}: {house}.",
            "book_hg": "{people} (Hg.) ({year}): {subtitled}. {city}: {house}.",
            "book_last": "{people}: {subtitled}. {city}: {house} {year}.",
            "book_short": "{people}: {subtitled}, {city} {year}.",
            "book_sociology": "{people}, {year}: {subtitled}. {city}: {house}.",
            "edition": "{people}: {subtitled}, {number}. Aufl., {city} {year}, S. {pages}.",
            "article": "{people} ({year}): {subtitled}. In: {venue} {volume}, S. {pages}.",
            "article_issue": "{people}: {subtitled}, in: {venue}, Jg. {volume}, H. {number}, {year}, S. {pages}.",
            "chapter": "{people} ({year}): {subtitled}. In: {editors} (Hg.): {venue}. {city}: {house}, S. {pages}.",
        },
    ),
    "french": (
        (_FULL_COMMA, _CAPITALS, _INVERTED),
        {
            "book": "{people}, {subtitled}, {city}, {house}, {year}.",
            "article": "{people}, « {title} », {venue}, {volume}, {year}, p. {pages}.",
            "chapter": "{people}, « {title} », dans {editors} (dir.), {venue}, {city}, {house}, {year}, p. {pages}.",
        },
    ),
    "russian": (
        (_DOTTED_BEHIND,),
        {
            "article": "{people} {title} // {venue}. {year}. Т. {volume}, № {number}. С. {pages}.",
            "book": "{people} {title}. М.: {house}, {year}. {volume} с.",
        },
    ),
    "chicago": (
        (_CHICAGO, _INVERTED),
        {
            "misc": "{people}. {year}. {title}.{tail}",
            "article": "{people}. {year}. “{title}.” {venue} {volume} ({number}): {pages}.{tail}",
            "paper": "{people}. “{title}.” In {venue}, {pages}. {house}, {year}.{tail}",
        },
    ),
}
SHAPES = [
    (f"{style} {kind}", people, line) for style, (people, lines) in _STYLES.items() for kind, line in lines.items()
]
"""Name of a shape, its ways to write the people, and its line."""
TAILS = (
    "", "", "", " URL https://arxiv.org/abs/{arxiv}.", " URL https://doi.org/{doi}.", " doi: {doi}.",
    " https://doi.org/{doi}", " https://arxiv.org/abs/{arxiv}", " arXiv:{arxiv}.", " arXiv:{arxiv} [cs.LG]",
    " Accessed: {year}-05-03.", " [Online]. Available: https://example.org/{arxiv}",
    " https://example.org/p{number}.pdf (accessed May 3, {year}).",
)  # fmt: skip
_MONTHS = ("Jan.", "February", "Mar.", "May", "June", "July", "Sept.", "October", "Nov.", "December")
_HOUSES = (
    "Association for Computational Linguistics", "ACM", "IEEE", "Springer", "PMLR", "MIT Press", "Elsevier",
    "Curran Associates, Inc.",
)  # fmt: skip
_SCHOOLS = ("Stanford University", "OpenAI", "MIT", "University of Edinburgh", "Google DeepMind", "ETH Zürich")
_HUMANISTS = (
    "Frankfurt a. M.", "Opladen", "Wiesbaden", "Berlin", "München", "Frankfurt/New York", "Tübingen", "Köln", "Paris",
    "Lyon", "Bruxelles", "Genève", "Frankfurt am Main", "Weinheim", "London",
)  # fmt: skip
_EDITORS = ("Max Kaase", "Müller, Walter", "Jean Dupont", "U. Beck", "Esser, H.")
_CITIES = ("Online", "Vienna, Austria", "Toronto, Canada", "Seattle, WA, USA")
_HARD = re.compile(r"[?!\"'“$^{=/]|\. |\b[a-z]\.|, and |\b(?:in|In) [A-Z]|^[a-z\d]")
"""Signs in titles that are hard to read."""


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
    return [record for pair in zip(easy, hard, strict=False) for record in pair][:count]


def printed(records: Sequence[Record], each: int = 1) -> Iterator[Printed]:
    """Yield ``each`` number of shapes of every record; all shapes in turns, and what else varies by chance."""
    dice = random.Random(SEED)
    for number, record in enumerate(records):
        for turn in range(each):
            yield _printed(record, *SHAPES[(number * each + turn) % len(SHAPES)], dice)


def _printed(
    record: Record,
    shape: str,
    people: Sequence[Callable[[Sequence[str]], str]],
    line: str,
    dice: random.Random,
) -> Printed:
    names = tuple(re.sub(r" \d{4}$", "", name) for name in record.authors)
    number, first = dice.randint(1, 12), dice.randint(1, 900)
    values = {
        "people": dice.choice(people)(names),
        "title": record.title.rstrip("."),
        "venue": record.venue,
        "year": f"{record.year}{dice.choice(('', '', '', 'a', 'b'))}",
        "volume": str(dice.randint(1, 60)),
        "number": str(number),
        "pages": f"{first}{dice.choice('–-')}{first + number}",
        "doi": record.doi or "10.1145/3292500.3330701",
        "arxiv": f"{dice.randint(10, 25)}{number:02}.{dice.randint(10000, 19999)}",
        "month": dice.choice(_MONTHS),
        "house": dice.choice(_HOUSES),
        "school": dice.choice(_SCHOOLS),
        "city": dice.choice(_HUMANISTS if shape.startswith(("german", "french")) else _CITIES),
        "editors": dice.choice(_EDITORS),
        "subtitled": record.title.rstrip(".").replace(": ", ". ", 1),
    }
    text = line.replace("{tail}", dice.choice(TAILS)).format_map(values)
    for doubled, single in (("?.", "?"), ("!.", "!"), ("..", "."), ("?,”", "?”")):
        text = text.replace(doubled, single)
    venue = values["venue"] if "{venue}" in line else ""
    return Printed(shape, text, values["title"], names, venue, record.year)


def labelled(shared: Path) -> list[Printed]:
    """Return the made strings of the data folder; of their people it has only the number, so none is compared."""
    texts = (shared / STRINGS.with_suffix(".txt")).read_text("utf-8").strip().split("\n\n")
    said = json.loads((shared / STRINGS.with_suffix(".json")).read_text("utf-8"))
    assert len(texts) == len(said)
    return [Printed(shape, text, title, (), "", None) for text, (shape, title, _) in zip(texts, said, strict=True)]


FACTS = ("title", "first author", "authors", "venue", "year")


def facts(work: Printed, reading: Reading) -> dict[str, bool]:
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
        counts.setdefault(work.shape, Counter()).update(["works", *(fact for fact, right in found.items() if right)])
    return counts


def show(counts: dict[str, Counter[str]]) -> None:
    """Print a table."""
    for name, count in [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]:
        print(f"{name:24} {count['works']:5}", *(f"{fact} {count[fact] / count['works']:6.1%}" for fact in FACTS))


if __name__ == "__main__":
    with Database.open(Path(sys.argv[1])) as opened:
        show(counted(list(printed(works(opened, int(sys.argv[2]) if len(sys.argv) > 2 else 500), 4))))
