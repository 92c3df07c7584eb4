"""Records as BibTeX entries."""

from dataclasses import replace

import pytest

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.bibtex import bibtex_entry, entry_key, reference_of
from citeproof.readers.formats import bibtex

RECORD = Record(
    "journals/neco/HochreiterS97",
    "Long Short-Term Memory in LSTM & Co",
    ("Sepp Hochreiter", "Jürgen Schmidhuber"),
    1997,
    "Neural Comput.",
    "article",
    doi="10.1162/neco.1997.9.8.1735",
    pages="1735-1780",
    volume="9",
    number="8",
)


def test_bibtex_entry_an_entry_reads_as_its_record() -> None:
    entry = bibtex_entry(RECORD)
    assert entry.isascii()
    (read,) = bibtex.read(Document.of_text(entry)).references
    assert (read.key, read.entry_type) == ("hochreiter1997long", "article")
    for name in ("title", "authors", "year", "venue", "doi", "volume", "number"):
        assert getattr(read, name) == getattr(RECORD, name)
    assert "pages   = {1735--1780}" in entry


def test_bibtex_entry_names_in_a_title_keep_their_capitals() -> None:
    assert r"{LSTM} \& Co" in bibtex_entry(RECORD)


def test_bibtex_entry_what_a_record_does_not_state_is_left_out() -> None:
    entry = bibtex_entry(Record("k", "A Title"))
    assert entry == "@misc{title,\n  title = {A Title},\n}"


def test_bibtex_entry_a_list_of_authors_that_goes_on_ends_with_others() -> None:
    entry = bibtex_entry(Record("k", "A Title", ("Ann Lee", "et al.")))
    (read,) = bibtex.read(Document.of_text(entry)).references
    assert (read.authors, read.and_others) == (("Ann Lee",), True)


def test_bibtex_entry_a_group_whose_name_holds_and_stays_one_author() -> None:
    entry = bibtex_entry(Record("k", "A Title", ("Barnes and Noble",)))
    (read,) = bibtex.read(Document.of_text(entry)).references
    assert read.authors == ("Barnes and Noble",)


def made(kind: str = "article", **fields: str) -> Reference:
    return reference_of("k", kind, fields)


def test_reference_of_leaves_out_what_is_too_long_and_names_it() -> None:
    long = "x" * 20_001
    found = made(title="On ice", venue="Snow", note=long, author="Ann Lee", abstract=long)
    assert (found.title, found.note, found.authors) == ("On ice", "", ("Ann Lee",))
    assert found.oversized == ("note", "abstract")
    assert made(note=long[:-1]).oversized == ()
    people = " and ".join(["Ann Lee"] * 10_000)
    assert len(made(author=people).authors) == 10_000
    more = made(author=f"{people} and Bo Ray and others")
    assert (more.authors, more.and_others, more.oversized) == ((), False, ("author",))
    for length, oversized in ((1_000, ()), (1_001, ("author",))):
        assert made(author="x" * length).oversized == oversized
    assert made(title="x " * 1_000 + "x").oversized == ("title",)


@pytest.mark.parametrize(
    ("kind", "fields", "authors"),
    [
        ("book", {"editor": "Ann Lee"}, ("Ann Lee",)),
        ("book", {"editor": "Ann Lee", "author": "Bo Ray"}, ("Bo Ray",)),
        ("article", {"editor": "Ann Lee"}, ()),
        ("article", {"authors": "Ann Lee"}, ("Ann Lee",)),
    ],
)
def test_reference_of_takes_editors_for_authors_of_a_whole_work(
    kind: str, fields: dict[str, str], authors: tuple[str, ...]
) -> None:
    assert made(kind, **fields).authors == authors


@pytest.mark.parametrize(
    ("fields", "venue"),
    [
        ({"journaltitle": "Snow", "journalsubtitle": "A letter"}, "Snow: A letter"),
        ({"booktitle": "Snow?", "booksubtitle": "A letter"}, "Snow? A letter"),
        ({"journal": "Ice", "booktitle": "Snow", "booksubtitle": "A letter"}, "Ice"),
        ({"booksubtitle": "A letter"}, ""),
    ],
)
def test_reference_of_joins_a_venue_with_its_own_subtitle(
    fields: dict[str, str], venue: str
) -> None:
    assert made(**fields).venue == venue


@pytest.mark.parametrize(
    ("year", "found"),
    [("c1999", 1999), ("1999/2000", 1999), ("999", None), ("3000", None), ("in press", None)],
)
def test_reference_of_takes_the_first_year(year: str, found: int | None) -> None:
    assert made(year=year).year == found
    assert made(year="", date=f"{year}-05").year == found
    assert made(year="2001", date=year).year == 2001


def test_bibtex_entry_gives_volume_and_number_to_articles_of_journals_alone() -> None:
    assert "volume" in bibtex_entry(RECORD)
    for changes in ({"venue": "CoRR"}, {"pub_type": "inproceedings"}):
        assert "volume" not in bibtex_entry(replace(RECORD, **changes))  # type: ignore[arg-type]


def test_bibtex_entry_gives_the_url_of_a_work_without_an_identifier() -> None:
    url = "https://example.org/ice"
    assert url in bibtex_entry(Record("k", "On ice", url=url))
    assert url not in bibtex_entry(replace(RECORD, url=url))
    preprint = bibtex_entry(Record("k", "On ice", url=url, arxiv_id="2001.00001"))
    assert url not in preprint
    assert "archiveprefix = {arXiv}" in preprint


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (Record("k", "The Ice-Age of a town", ("Ann O’Hara",), 2001), "ohara2001ice"),
        (Record("k", "Теория льда", ("Иван Иванов",), 2001), "2001"),
        (Record("k", "???"), "work"),
        (Record("k", "A the of"), "work"),
    ],
)
def test_entry_key_has_letters_and_digits_of_ascii(record: Record, key: str) -> None:
    assert entry_key(record).startswith(key)
    assert entry_key(record).isascii()


@pytest.mark.parametrize(
    ("fields", "arxiv_id"),
    [
        ({"eprint": "2001.00001", "archiveprefix": "arXiv"}, "2001.00001"),
        ({"eprint": "2001.00001", "archiveprefix": "{HAL}"}, ""),
        ({"eprint": "2001.00001"}, "2001.00001"),
        ({"eprint": "math/x", "eprinttype": "arxiv"}, "math/x"),
        ({"journal": "arXiv preprint arXiv:2001.00001"}, "2001.00001"),
        ({"note": "arXiv preprint arXiv:2001.00001"}, "2001.00001"),
        ({"note": "See also arXiv:2001.00001"}, ""),
        ({"url": "https://arxiv.org/abs/2001.00001"}, "2001.00001"),
        ({"url": "https://example.org/2001.00001"}, ""),
        ({"volume": "abs/2001.00001", "journal": "CoRR"}, "2001.00001"),
    ],
)
def test_reference_of_finds_the_arxiv_id_of_the_work_itself(
    fields: dict[str, str], arxiv_id: str
) -> None:
    assert made(**fields).arxiv_id == arxiv_id
