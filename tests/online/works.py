"""Works and references for the tests of sources and of outages."""

from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from tests.online.world import EVERYWHERE, Work, World

TABLES = Work(
    "Ribbon tables: indexing beyond the leaf",
    ("Ada Winter", "Bela Summer"),
    2011,
    "Journal of Storage",
    doi="10.1234/ribbon.2011",
)
GARDENS = Work(
    "Walled gardens of the early web", ("Clara Autumn",), 2008, "Web History", doi="10.1234/gardens"
)
PREPRINT = Work(
    "Sparse lanterns for dense retrieval",
    ("Dora Spring", "Emil Frost"),
    2021,
    "CoRR",
    arxiv_id="2105.01234",
    first_title="Lanterns: sparse signals for dense retrieval",
    held_by=frozenset({"arxiv", "semantic_scholar"}),
)
WORKSHOP = Work(
    "Counting sheep with interval trees",
    ("Fritz Hail",),
    2003,
    "Workshop on Trees",
    "inproceedings",
    held_by=frozenset({"dblp"}),
)
BOOK = Work(
    "The shepherd's compiler: a practical guide",
    ("Gerda Mist",),
    1995,
    "Pasture Press",
    "book",
    held_by=frozenset({"open_library"}),
)
RETRACTED = Work(
    "Effects of moonlight on enzyme folding",
    ("Hanna Gale", "Igor Snow"),
    2014,
    "Enzyme Letters",
    doi="10.1234/moonlight",
    retracted_by="10.1234/moonlight.retraction",
    held_by=EVERYWHERE | {"europe_pmc"},
)
NAMESAKE = Work(
    TABLES.title,
    ("Knut Thaw",),
    1987,
    "Ribbon Weekly",
    held_by=frozenset({"dblp"}),
)
"""Another work with the title of TABLES."""
MAPS = Work(
    "Glass rivers on maps of the web", ("Lena Drizzle",), 2006, "Web History", doi="10.1234/maps"
)
LIE = "Slate rivers on maps of the web"
"""The wrong title of MAPS in OpenAlex."""
WORLD = World(
    (TABLES, GARDENS, PREPRINT, WORKSHOP, BOOK, RETRACTED, NAMESAKE, MAPS), lies={MAPS.doi: LIE}
)


def cite(work: Work, **changes: object) -> Reference:
    """Return a reference to ``work`` as an author would write it."""
    fields: dict[str, object] = {
        "key": work.words[0],
        "title": work.title,
        "authors": tuple(", ".join(reversed(name.split(" ", 1))) for name in work.authors),
        "year": work.year,
        "entry_type": work.kind,
        "doi": work.doi,
        "arxiv_id": work.arxiv_id,
    }
    return Reference(**{**fields, **changes})  # type: ignore[arg-type]


def unknown(**changes: object) -> Reference:
    """Return a reference to a work that no source holds."""
    fields = {
        "title": "Umbrellas considered helpful in typed rain",
        "authors": ("Nobody, Ann",),
        "year": 2017,
    }
    return Reference("x", **{**fields, **changes})  # type: ignore[arg-type]


KINDS = ("", "article", "inproceedings", "incollection", "book", "phdthesis", "online")

EXPECTED: dict[str, tuple[Reference, Status]] = {
    "with a DOI": (cite(TABLES), Status.VALID),
    "without a DOI": (cite(GARDENS, doi=""), Status.VALID),
    "a preprint under its first title": (cite(PREPRINT, title=PREPRINT.first_title), Status.VALID),
    "known to DBLP alone": (cite(WORKSHOP), Status.VALID),
    "a book": (cite(BOOK), Status.VALID),
    "retracted": (cite(RETRACTED), Status.VALID),
    "the wrong year": (cite(TABLES, year=2002), Status.SUSPICIOUS),
    "the wrong year, without a DOI": (cite(WORKSHOP, year=1993), Status.SUSPICIOUS),
    "the DOI of another work": (cite(TABLES, doi=GARDENS.doi), Status.INVALID),
    "other people": (cite(GARDENS, authors=("Winter, Ada",), doi=""), Status.INVALID),
    "a DOI that does not exist": (cite(GARDENS, doi="10.1234/nowhere"), Status.SUSPICIOUS),
    "an arXiv id that does not exist": (cite(PREPRINT, arxiv_id="2105.09999"), Status.SUSPICIOUS),
    "a namesake": (cite(NAMESAKE), Status.VALID),
    "the title that OpenAlex alone gives to a DOI": (cite(MAPS, title=LIE), Status.SUSPICIOUS),
    "arXiv's DOI under the first title": (
        cite(PREPRINT, title=PREPRINT.first_title, arxiv_id="", doi="10.48550/arXiv.2105.01234"),
        Status.VALID,
    ),
    "a year far ahead": (cite(TABLES, year=2099), Status.INVALID),
    "a year far ahead, of a work that nobody knows": (unknown(year=2099), Status.INVALID),
    "placeholders for authors": (cite(TABLES, authors=("John Doe",)), Status.SUSPICIOUS),
    "placeholders for authors, without a DOI": (
        cite(GARDENS, authors=("John Doe",), doi=""),
        Status.SUSPICIOUS,
    ),
    "an impossible DOI": (unknown(doi="doi:x"), Status.SUSPICIOUS),
    "no title": (unknown(title=""), Status.UNVERIFIED),
    **{
        f"nowhere: {kind or 'of an unstated kind'}": (unknown(entry_type=kind), Status.UNVERIFIED)
        for kind in KINDS
    },
    "nowhere: a preprint": (unknown(venue="arXiv preprint"), Status.UNVERIFIED),
}
"""References of every kind, with their verdicts if all sources respond."""
