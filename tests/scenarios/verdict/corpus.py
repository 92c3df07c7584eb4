"""A small world of papers, made of words: one conference held completely, one held in part, a
journal, preprints.

Everything is drawn from a fixed seed, so that each run sees the same works.
"""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from citeproof.model.reference import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PAPERS = 450
"""So many papers on gapless pages prove what a volume does not have."""
_SUBJECTS = (
    "Sheep",
    "Goats",
    "Lanterns",
    "Harbours",
    "Ledgers",
    "Meadows",
    "Turnips",
    "Bridges",
    "Orchards",
    "Kettles",
    "Violins",
    "Glaciers",
)
_MEANS = (
    "Counting",
    "Sorting",
    "Weighing",
    "Mapping",
    "Tracing",
    "Ranking",
    "Folding",
    "Painting",
    "Listing",
    "Timing",
    "Pairing",
    "Sampling",
)
_MANNERS = (
    "Quickly",
    "Patiently",
    "Jointly",
    "Sparsely",
    "Robustly",
    "Lazily",
    "Fairly",
    "Secretly",
    "Greedily",
)
_TOOLS = ("Ropes", "Mirrors", "Almanacs")
_GIVEN = (
    "Ada",
    "Bo",
    "Cyrus",
    "Dilnoza",
    "Edvard",
    "Farida",
    "Gwen",
    "Hugo",
    "Ines",
    "Jonas",
    "Katya",
    "Lucien",
    "Mirela",
    "Noor",
    "Otto",
    "Pavla",
)
_FAMILIES = (
    "Almgren",
    "Berghaus",
    "Castellano",
    "Drummond",
    "Eskildsen",
    "Fairweather",
    "Grimaldi",
    "Haverkamp",
    "Ivarsson",
    "Jablonski",
)


class Paper(NamedTuple):
    """One paper of the small world."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    volume: str = ""
    """Key of the proceedings; empty for journals and preprints."""
    pages: str = ""
    doi: str = ""

    @property
    def kind(self) -> str:
        """DBLP's word for the kind of publication."""
        return "inproceedings" if self.volume else "article"


PROCEEDINGS = {
    "conf/herd/2020": "Proceedings of the International Conference on Herding, HERD 2020",
    "conf/shed/2019": "Proceedings of the Symposium on Sheds, SHED 2019",
}
COMMUNICATION = (
    Paper(
        "journals/games/GoldbergP14",
        "On the Communication Complexity of Approximate Nash Equilibria",
        ("Paul W. Goldberg", "Arnoud Pastink"),
        2014,
        "Games Econ. Behav.",
        doi="10.1016/j.geb.2014.01.009",
    ),
    Paper(
        "conf/sagt/GoldbergP12",
        "On the Communication Complexity of Approximate Nash Equilibria",
        ("Paul W. Goldberg", "Arnoud Pastink"),
        2012,
        "SAGT",
        "conf/sagt/2012",
        "192-203",
    ),
    Paper(
        "conf/stoc/BabichenkoR17",
        "Communication complexity of approximate Nash equilibria",
        ("Yakov Babichenko", "Aviad Rubinstein"),
        2017,
        "STOC",
        "conf/stoc/2017",
        "878-889",
    ),
)
"""Two works whose titles differ by "On the"."""
TWINS = (
    (
        Paper(
            "conf/herd/X1",
            "Learning Robust Gaits of Walking Sheep from Video",
            ("Ada Almgren", "Bo Berghaus"),
            2020,
            "HERD",
            "conf/herd/2020",
        ),
        Paper(
            "journals/wool/Y1",
            "Learning Robust Gaits of Walking Goats from Video",
            ("Farida Haverkamp", "Otto Grimaldi"),
            2016,
            "J. Wool",
        ),
    ),
    (
        Paper(
            "conf/shed/X2",
            "An Introduction to the Theory of Lanterns, Part I",
            ("Gwen Drummond", "Hugo Ivarsson"),
            2019,
            "SHED",
            "conf/shed/2019",
        ),
        Paper(
            "journals/wool/Y2",
            "An Introduction to the Theory of Lanterns, Part II",
            ("Noor Castellano", "Ines Jablonski"),
            2012,
            "J. Wool",
        ),
    ),
    (
        Paper(
            "conf/shed/X3",
            "Fast Matching of Turnips in Large Fields",
            ("Katya Eskildsen", "Mirela Fairweather"),
            2019,
            "SHED",
            "conf/shed/2019",
        ),
        Paper(
            "journals/wool/Y3",
            "Fast Matching of Turnips in Large Yields",
            ("Pavla Berghaus", "Jonas Almgren"),
            2018,
            "J. Wool",
        ),
    ),
)
"""Pairs of works that are alike in title and have no author in common."""


def papers() -> list[Paper]:
    """Return the whole world."""
    draw = random.Random(7)
    words = product(_MEANS, _SUBJECTS, _MANNERS, _TOOLS)
    titles = [f"{means} {subject} {manner} with {tool}" for means, subject, manner, tool in words]
    draw.shuffle(titles)

    def paper(stream: str, number: int, year: int, venue: str, pages: str = "") -> Paper:
        volume = f"conf/{stream}/{year}" if pages else ""
        key = f"{'conf' if pages else 'journals'}/{stream}/P{number}"
        return Paper(key, titles.pop(), _people(draw), year, venue, volume, pages)

    herd = [
        paper("herd", place, 2020, "HERD", f"{2 * place + 1}-{2 * place + 2}")
        for place in range(PAPERS)
    ]
    shed = [
        paper("shed", place, 2019, "SHED", f"{40 * place + 1}-{40 * place + 9}")
        for place in range(60)
    ]
    wool = [paper("wool", place, 2010 + place % 9, "J. Wool") for place in range(80)]
    preprints = [
        work._replace(key=f"journals/corr/{place}", venue="CoRR", volume="", pages="")
        for place, work in enumerate(herd[:20])
    ]
    twins = [twin for pair in TWINS for twin in pair]
    last = 2 * PAPERS
    # no gap in the proceedings that are complete
    twins[0] = twins[0]._replace(pages=f"{last + 1}-{last + 2}")
    return [*herd, *shed, *wool, *preprints, *twins, *COMMUNICATION]


def _people(draw: random.Random) -> tuple[str, ...]:
    names = [f"{given} {family}" for given in _GIVEN for family in _FAMILIES]
    return tuple(draw.sample(names, draw.randint(2, 4)))


def dump(works: Iterable[Paper]) -> str:
    """Return ``works`` as a dump in DBLP's form, with the proceedings that they are in."""
    works = list(works)
    volumes = sorted({paper.volume for paper in works} & PROCEEDINGS.keys())
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<dblp>",
            *map(_volume, volumes),
            *map(_record, works),
            "</dblp>",
        ]
    )


def _volume(key: str) -> str:
    name, year = key.split("/")[1].upper(), key.rpartition("/")[2]
    return (
        f'<proceedings mdate="2026-01-01" key="{key}"><title>{PROCEEDINGS[key]}</title>'
        f"<booktitle>{name}</booktitle><year>{year}</year></proceedings>"
    )


def _record(paper: Paper) -> str:
    fields: Iterator[tuple[str, str]] = (
        (name, value)
        for name, value in (
            *(("author", author) for author in paper.authors),
            ("title", paper.title + "."),
            ("pages", paper.pages),
            ("year", str(paper.year)),
            ("booktitle" if paper.volume else "journal", paper.venue),
            ("crossref", paper.volume if paper.volume in PROCEEDINGS else ""),
            ("ee", f"https://doi.org/{paper.doi}" if paper.doi else ""),
        )
        if value
    )
    informal = ' publtype="informal"' if paper.venue == "CoRR" else ""
    text = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields)
    return f'<{paper.kind} mdate="2026-01-01" key="{paper.key}"{informal}>{text}</{paper.kind}>'


def cited(paper: Paper, **changes: object) -> Reference:
    """Return a reference to ``paper`` as it is, but for ``changes``."""
    fields: dict[str, object] = {
        "key": paper.key,
        "title": paper.title,
        "authors": paper.authors,
        "year": paper.year,
        "venue": paper.venue,
        "entry_type": paper.kind,
        "doi": paper.doi,
    }
    return Reference(**fields | changes)  # type: ignore[arg-type]


def misdescribed(paper: Paper, other: Paper) -> Iterator[Reference]:
    """Yield references to ``paper`` that are wrong in one way each, borrowing from ``other`` where
    they must.
    """
    yield cited(paper, authors=other.authors)
    yield cited(paper, authors=(*paper.authors[:-1], other.authors[0]))
    yield cited(paper, authors=paper.authors[:1])
    yield cited(paper, authors=())
    yield cited(paper, year=paper.year - 4)
    yield cited(paper, venue=other.venue)
    yield cited(paper, title=f"On the {paper.title}")
    yield cited(paper, title=paper.title.replace(" with ", " without "))
    yield cited(paper, title=f"{paper.title}: A Survey of Five Winters")
    yield cited(paper, title=" ".join(paper.title.split()[:-2]))
    yield cited(paper, title=other.title)
    yield cited(paper, title="Nobody Has Ever Written About Marzipan Submarines")
    yield cited(
        paper, title="Nobody Has Ever Written About Marzipan Submarines", arxiv_id="1001.1234"
    )
    yield cited(paper, doi="10.1145/3366423.3380119")
