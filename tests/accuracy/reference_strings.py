"""How well reference strings are read, measured on strings with labelled fields.

    python -m tests.accuracy.reference_strings

For each source and style, it prints the share of strings whose title, first author, year and DOI
are read correctly, and how often a title is returned although the string has none. Titles are
compared by their letters and digits; in strings with damage as by OCR, a title with a similarity of
95 % is right. A family name is right if the name that was read begins or ends with it.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz

from citeproof.readers.strings import StringReading, read_reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SHARED = Path(__file__).parents[3] / "shared"
DEV = Path("gold", "reference_strings", "dev.jsonl")
RENDERED = frozenset({"crossref-styles", "dblp-rendered", "crossref-noise"})
"""Sources whose strings a style printed: they are counted by style."""
WITHOUT_TITLES = frozenset(
    {"american-chemical-society", "american-institute-of-physics", "elsevier-without-titles"}
)

Row = dict[str, Any]


def rows(shared: Path) -> list[Row]:
    """Return the labelled strings."""
    with (shared / DEV).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def group(row: Row) -> str:
    """Return the style of a string that was printed in one, else its source."""
    return str(row["style"] if row["source"] in RENDERED else row["source"])


def has_no_title(row: Row) -> bool:
    """Whether the string is labelled as one without a title; of some sources it is only not
    labelled.
    """
    return row["title"] is None and (
        row["style"] in WITHOUT_TITLES or row["source"].startswith("anystyle")
    )


def title_is_right(row: Row, title: str) -> bool:
    """Whether ``title`` is the labelled one."""
    found, labelled = letters(title), letters(row["title"])
    return found == labelled or (row["kind"] == "ocr-noise" and fuzz.ratio(found, labelled) >= 95)


def author_is_right(row: Row, reading: StringReading) -> bool:
    """Whether the first person read has the labelled family name."""
    name, family = letters(next(iter(reading.authors), "")), letters(row["authors"][0])
    return bool(name) and name.startswith(family) | name.endswith(family)


def counted(labelled: Iterable[Row]) -> dict[str, Counter[str]]:
    """Return for each group how many strings have each label, and how many are read right
    (``right:...``).
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in labelled:
        readings = read_reference(row["raw"])
        best, count = readings[0], counts[group(row)]
        facts: dict[str, bool] = {}
        if row["title"] is not None:
            facts["title"] = title_is_right(row, best.title)
            facts["title, one of five"] = any(
                title_is_right(row, reading.title) for reading in readings
            )
        elif has_no_title(row):
            facts["no title"] = not best.title
        if row["authors"]:
            facts["first author"] = author_is_right(row, best)
        if row["year"] is not None:
            facts["year"] = str(best.year) == str(row["year"])
        if row["doi"] and row["doi"].lower() in row["raw"].lower():
            facts["doi"] = best.doi.lower() == row["doi"].lower()
        count.update(facts.keys())
        count.update(f"right: {fact}" for fact, right in facts.items() if right)
    return dict(counts)


FACTS = ("title", "title, one of five", "no title", "first author", "year", "doi")


def total(counts: Mapping[str, Counter[str]]) -> Counter[str]:
    """Return the sum of all groups."""
    return sum(counts.values(), Counter[str]())


def share(count: Counter[str], fact: str) -> float:
    """Return the share that is right, 0 to 1; 1 where nothing is labelled."""
    return count[f"right: {fact}"] / count[fact] if count[fact] else 1.0


def show(counts: Mapping[str, Counter[str]]) -> None:
    """Print a table."""
    print(f"{'':48}", *(f"{fact:>19}" for fact in FACTS))
    for name, count in [*sorted(counts.items()), ("all", total(counts))]:
        cells = (
            f"{share(count, fact):8.1%} of {count[fact]:7}" if count[fact] else "-"
            for fact in FACTS
        )
        print(f"{name[:48]:48}", *(f"{cell:>19}" for cell in cells))


def letters(text: str) -> str:
    """Return the letters and digits of a text without marks, in lower case."""
    decomposed = unicodedata.normalize("NFKD", text).lower()
    return re.sub(r"[^a-z0-9]", "", decomposed)


if __name__ == "__main__":
    show(counted(rows(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED)))
