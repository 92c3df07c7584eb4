"""Kinds of publications: the words of Crossref, citeproc, OpenAlex, BibTeX and ISO 690 in DBLP's."""

from __future__ import annotations

_WORDS = {
    "article": """journal-article article-journal article-magazine article-newspaper review letter editorial erratum
        preprint posted-content peer-review serial""",
    "inproceedings": "proceedings-article paper-conference conference",
    "incollection": """book-chapter chapter book-section book-part reference-entry inbook bookinbook suppbook
        inreference contribution""",
    "book": """monograph edited-book reference-book mvbook collection book-set book-series report-series
        reference mvreference""",
    "proceedings": "proceedings-series mvproceedings",
    "phdthesis": "dissertation thesis",
    "techreport": "report report-component standard working-paper",
    "data": "dataset database software",
}
_TYPES = {word: kind for kind, words in _WORDS.items() for word in words.split()}


def publication_type(word: str) -> str:
    """Return DBLP's word for a kind of publication; a word that has none there stays as it is."""
    return _TYPES.get(word, word)
