"""Records as BibTeX entries."""

from citeproof.model.record import Record
from citeproof.readers.document import Document
from citeproof.readers.fields.bibtex import bibtex_entry
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
