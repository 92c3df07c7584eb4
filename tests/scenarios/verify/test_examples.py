"""``examples/references.bib``: what a newcomer sees first says what its comments say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import citeproof
from citeproof.database.building.sample import sample_database
from citeproof.model.verdict import Status
from citeproof.readers.document import Document
from citeproof.readers.formats.bibtex import read
from citeproof.report.wording import relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.database.lookup import Database

REFERENCES = Path(__file__).parents[3] / "examples" / "references.bib"
BIBLIOGRAPHY = read(Document.of(str(REFERENCES), REFERENCES.read_bytes()))


class Expected(NamedTuple):
    """What one entry must come to."""

    status: Status
    reason: str
    issues: tuple[str, ...] = ()
    """Codes, notes included."""
    record: str = ""
    """Key of the record that it is compared with."""


def right(record: str, *notes: str) -> Expected:
    return Expected(Status.VALID, "record_agrees", notes, record)


def wrong(record: str, *issues: str) -> Expected:
    return Expected(Status.SUSPICIOUS, "metadata_mismatch", issues, record)


VERDICTS = {
    "turing1936": right("journals/x/Turing37", "year.near"),
    "codd1970": right("journals/cacm/Codd70"),
    "lamport1978": right("journals/cacm/Lamport78"),
    "cook1971": right("conf/stoc/Cook71"),
    "dragon1986": right("books/aw/AhoSU86"),
    "Hochreiter:1997": right("journals/neco/HochreiterS97"),
    "hastad01": right("journals/jacm/Hastad01"),
    "dean04mapreduce": right("conf/osdi/DeanG04"),
    "Z3": right("conf/tacas/MouraB08"),
    "bostock2011d3": right("journals/tvcg/BostockOH11"),
    "jindal2008opinion": right("conf/wsdm/JindalL08"),
    "vaswani2017attention": right("conf/nips/VaswaniSPUJGKP17"),
    "devlin2018bert": right("journals/corr/abs-1810-04805"),
    "valiant88": wrong("journals/cacm/Valiant84", "year.off"),
    "ghemawat03": wrong("conf/sosp/GhemawatGL03", "authors.not_on_record"),
    "fredman87": wrong("journals/jacm/FredmanT87", "title.word_changed"),
    "zaharia12rdd": wrong("conf/nsdi/ZahariaCDDMMFSS12", "authors.dropped"),
    "huberman2008twitter": wrong("journals/corr/abs-0812-1045", "preprint.as_published"),
    "rsa78": wrong("journals/cacm/RivestSA78", "doi.other_work"),
    "he2015residual": wrong("journals/corr/HeZRS15", "arxiv.after_year", "arxiv.other_work"),
    "parliament98": wrong("journals/tocs/Lamport98", "authors.other_people"),
    "marrowby2008lantern": Expected(
        Status.SUSPICIOUS, "not_in_cited_volume", ("volume.not_found",)
    ),
    "pierce2087": Expected(Status.INVALID, "future_date", ("year.future",), "books/mit/Pierce02"),
    "fennwright2014": Expected(Status.UNVERIFIED, "title_not_found"),
    "dblpfaq": Expected(Status.UNVERIFIED, "out_of_scope"),
    "sqlite": Expected(Status.UNVERIFIED, "out_of_scope"),
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with citeproof.open_database(sample_database(tmp_path_factory.mktemp("sample"))) as opened:
        yield opened


def test_every_entry_is_read_and_expected() -> None:
    assert BIBLIOGRAPHY.entries == BIBLIOGRAPHY.references
    assert [reference.key for reference in BIBLIOGRAPHY.references] == list(VERDICTS)


def test_every_entry_is_explained() -> None:
    lines = REFERENCES.read_text("utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("@")]
    assert len(starts) == len(VERDICTS)
    assert [number for number in starts if not lines[number - 1].startswith("% ")] == []


@pytest.mark.parametrize("reference", BIBLIOGRAPHY.references, ids=lambda reference: reference.key)
def test_verdict(reference: citeproof.Reference, database: Database) -> None:
    verdict = citeproof.verify(reference, database)
    best = verdict.best_match
    codes = tuple(issue.code for issue in verdict.issues)
    assert (
        Expected(verdict.status, verdict.reason, codes, best.record.key if best else "")
        == VERDICTS[reference.key]
    )


MEANT = {
    "valiant88": ["meant journals/cacm/Valiant84"],
    "ghemawat03": ["meant conf/sosp/GhemawatGL03"],
    "fredman87": ["meant journals/jacm/FredmanT87"],
    "zaharia12rdd": ["meant conf/nsdi/ZahariaCDDMMFSS12"],
    "huberman2008twitter": ["meant journals/corr/abs-0812-1045"],
    "parliament98": ["title of journals/tocs/Lamport98", "authors of journals/tit/DiffieH76"],
    "rsa78": ["meant journals/cacm/RivestSA78", "DOI of journals/cacm/Shamir79"],
    "he2015residual": ["meant journals/corr/HeZRS15", "arXiv id of journals/corr/abs-1706-03762"],
    "pierce2087": ["meant books/mit/Pierce02"],
}
"""What each wrong reference names, with what the work is to it; the others name none."""


@pytest.mark.parametrize("reference", BIBLIOGRAPHY.references, ids=lambda reference: reference.key)
def test_the_works_that_were_meant(reference: citeproof.Reference, database: Database) -> None:
    verdict = citeproof.verify(reference, database)
    assert [f"{relation(work)} {work.record.key}" for work in verdict.meant] == MEANT.get(
        reference.key, []
    )


def test_an_absence_names_the_volume_once(database: Database) -> None:
    reference = next(
        entry for entry in BIBLIOGRAPHY.references if entry.key == "marrowby2008lantern"
    )
    (issue,) = citeproof.verify(reference, database).issues
    assert (
        issue.explanation
        == "none of the papers of Proceedings of the International Conference on Web Search and Web"
        " Data Mining, WSDM 2008 in the database has this title (26 papers of conf/wsdm/2008,"
        " 96.3% by pages); up to one in 27 papers of this volume may be missing from the database"
    )
