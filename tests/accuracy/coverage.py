"""How many true references the rules of coverage flag, for each share of works that a source lacks.

``python -m tests.accuracy.coverage dblp.db`` makes a snapshot of arXiv and one of Crossref from
real titles and authors of a database, and leaves records out. Then it cites invented works, and
cites the missing works correctly (as a preprint with an id, as a preprint without an id, and by
DOI). ``of all`` is the share of flagged references among all true references, to missing works or
not.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.database.building.builder import build
from citeproof.database.building.title_indexer import TitleIndexer
from citeproof.database.lookup import Database
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.verification.session import Session

if TYPE_CHECKING:
    from citeproof.model.record import Record

RECORDS = 6_000
FLAGGED = {Status.SUSPICIOUS, Status.INVALID}
MONTHS = [(year, month) for year in range(2015, 2020) for month in range(1, 13)]
CITED = 120
"""References of each kind that are drawn, where there are so many."""
Lost = Callable[[int], bool]


def losses(drawn: random.Random) -> dict[str, Lost]:
    """Return what is left out of a source, by the place of a record in it."""

    def share(part: float) -> Lost:
        return lambda place: hash((place, seed)) % 100_000 < part * 100_000

    seed = drawn.random()
    return {
        "nothing": lambda _: False,
        "one in a thousand": share(0.001),
        "one in a hundred": share(0.01),
        "a tenth": share(0.1),
        "the last quarter of the file": lambda place: place > RECORDS * 0.75,
        "a stretch of a hundredth": lambda place: 0.5 <= place / RECORDS < 0.51,
    }


def arxiv_id(place: int) -> str:
    """Return the id of the record at ``place``: the months have equally many, numbered from 1."""
    a_month = RECORDS // len(MONTHS)
    year, month = MONTHS[min(place // a_month, len(MONTHS) - 1)]
    return f"{year % 100:02}{month:02}.{place - MONTHS.index((year, month)) * a_month + 1:05}"


def arxiv_line(place: int, record: Record) -> dict[str, Any]:
    """Return ``record`` as a line of arXiv's snapshot."""
    names = [[name.rpartition(" ")[2], name.rpartition(" ")[0], ""] for name in record.authors]
    created = f"Mon, 2 Apr {2000 + int(arxiv_id(place)[:2])} 19:18:42 GMT"
    return {
        "id": arxiv_id(place),
        "title": record.title,
        "authors_parsed": names,
        "categories": "cs.DL",
        "update_date": "2020-06-30",
        "versions": [{"created": created}],
    }


def crossref_line(place: int, record: Record) -> dict[str, Any]:
    """Return ``record`` as a line of Crossref's works."""
    names = [
        {"family": name.rpartition(" ")[2], "given": name.rpartition(" ")[0]}
        for name in record.authors
    ]
    return {
        "DOI": f"10.{4000 + place % 3}/{place}",
        "title": [record.title],
        "author": names,
        "type": "journal-article",
        "issued": {"date-parts": [[2016]]},
        "indexed": {"date-time": "2020-06-30T00:00:00Z"},
    }


def built(folder: Path, records: list[Record], lost: Lost) -> Path:
    """Return a database of what is not lost; a library states every second DOI, whether Crossref
    has it or not.
    """
    files = {"arxiv.json": arxiv_line, "crossref.jsonl": crossref_line}
    for name, line in files.items():
        kept = (
            json.dumps(line(place, record))
            for place, record in enumerate(records)
            if not lost(place)
        )
        (folder / name).write_text("\n".join(kept))
    shelf = (
        f"@misc{{s{place}, title = {{Shelf number {place} of oak}}, doi ="
        f" {{10.{4000 + place % 3}/{place}}}}}"
        for place in range(0, len(records), 2)
    )
    (folder / "library.bib").write_text("\n".join(shelf))
    target = folder / "a.db"
    sources = [folder / name for name in (*files, "library.bib")]
    build(sources, target, force=True, titles=TitleIndexer(target))
    return target


def references(place: int, record: Record) -> dict[str, Reference]:
    """Return ``record`` cited truly in three ways."""
    year = 2000 + int(arxiv_id(place)[:2])
    own = Reference(str(place), record.title, record.authors, year=year, entry_type="article")
    return {
        "preprint with id": Reference(
            **_with(own, venue="arXiv preprint", arxiv_id=arxiv_id(place))
        ),
        "preprint": Reference(**_with(own, venue="arXiv preprint")),
        "article with DOI": Reference(
            **_with(own, doi=f"10.{4000 + place % 3}/{place}", year=2016)
        ),
    }


def _with(reference: Reference, **fields: Any) -> dict[str, Any]:
    own = {
        name: getattr(reference, name) for name in ("key", "title", "authors", "year", "entry_type")
    }
    return own | fields


def invented(drawn: random.Random, records: list[Record], number: int) -> Reference:
    """Return a work that nobody wrote, by people who did not meet, with an id that was never
    given.
    """
    one, other = drawn.sample(records, 2)
    words = one.title.split()[:4] + other.title.split()[-4:]
    people = (one.authors[0], other.authors[-1])
    return Reference(
        f"i{number}",
        " ".join(words),
        people,
        year=2016,
        venue="arXiv preprint",
        arxiv_id="1605.09999",
    )


def main(path: Path) -> None:
    """Print the table."""
    drawn = random.Random(15)
    with Database.open(path) as database:
        ids = drawn.sample(range(1, database.describe()["records"]), RECORDS * 2)
        found = [
            record
            for record in database.records(ids)
            if len(record.authors) > 1 and len(record.title.split()) > 4
        ]
    records = list({record.title: record for record in found}.values())[:RECORDS]
    print(
        f"{'left out':<30}{'cited as':<20}{'missing':>9}{'flagged':>9}{'of all':>9}{'invented':>10}"
    )
    for name, lost in losses(drawn).items():
        with tempfile.TemporaryDirectory() as folder:
            target = built(Path(folder), records, lost)
            with Database.open(target) as database:
                session = Session.over(database)
                # not in the library
                missing = [place for place in range(len(records)) if lost(place) and place % 2]
                cited = drawn.sample(missing, min(CITED, len(missing)))
                made_up = [invented(drawn, records, number) for number in range(CITED // 2)]
                caught = sum(session.verify(reference).status in FLAGGED for reference in made_up)
                for way in references(0, records[0]):
                    wrong = sum(
                        session.verify(references(place, records[place])[way]).status in FLAGGED
                        for place in cited
                    )
                    share = wrong / max(1, len(cited)) * len(missing) / (len(records) // 2)
                    print(
                        f"{name:<30}{way:<20}{len(missing):>9,}"
                        f"{wrong / max(1, len(cited)):>9.1%}{share:>9.2%}"
                        f"{caught / len(made_up):>10.1%}"
                    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
