"""Write records as BibTeX entries."""

import re
from collections.abc import Iterator

from citeproof.model.record import Record
from citeproof.text.latex import latex_of
from citeproof.text.normalize import normalize_title
from citeproof.text.venue_names import is_preprint_server

KINDS = {
    "article": "article", "inproceedings": "inproceedings", "proceedings": "proceedings", "book": "book",
    "incollection": "incollection", "phdthesis": "phdthesis", "mastersthesis": "mastersthesis",
}  # fmt: skip
"""Map from types of publication to BibTeX entry types. Other types become ``misc``."""
_VENUE = {
    "article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "phdthesis": "school",
    "mastersthesis": "school", "book": "publisher", "proceedings": "publisher",
}  # fmt: skip
"""Map from entry types to the BibTeX field of the venue."""
_FILLERS = frozenset({"a", "an", "the", "on", "of", "in", "for", "to", "towards", "and", "is", "how", "what", "why"})
_INNER_CAPITAL = re.compile(r"\w[^\W\d_a-z]|\d[^\W\d_a-z]")


def bibtex_entry(record: Record) -> str:
    """Return ``record`` as a BibTeX entry in ASCII LaTeX, without empty fields."""
    kind = KINDS.get(record.pub_type, "misc")
    fields = [(name, value) for name, value in _fields(record, kind) if value]
    width = max((len(name) for name, _ in fields), default=0)
    lines = [f"  {name:<{width}} = {{{value}}}," for name, value in fields]
    return "\n".join([f"@{kind}{{{entry_key(record)},", *lines, "}"])


def entry_key(record: Record) -> str:
    """Return a citation key of family name, year and first word of the title: ``vaswani2017attention``."""
    family = record.authors[0].split()[-1] if record.authors else ""
    word = next((word for word in normalize_title(record.title).split() if word not in _FILLERS), "")
    key = f"{normalize_title(family)}{record.year or ''}{word}"
    return "".join(char for char in key if char.isascii() and char.isalnum()) or "work"


def written_title(title: str, *, ascii_only: bool = True) -> str:
    """Return ``title`` in LaTeX. Braces protect words such as ``DNA`` from styles that write titles in lower case."""
    words = (latex_of(word, ascii_only=ascii_only) for word in title.split(" "))
    return " ".join(f"{{{word}}}" if _INNER_CAPITAL.search(word) else word for word in words)


def written_pages(pages: str) -> str:
    """Return ``pages`` in LaTeX, with ``--`` for a dash: ``137--150``."""
    return latex_of(re.sub(r"(?<=\w)\s*[-\u2010-\u2015\u2212]+\s*(?=\w)", "--", pages))


def _fields(record: Record, kind: str) -> Iterator[tuple[str, str]]:
    yield "author", " and ".join(map(written_name, record.authors))
    yield "title", written_title(record.title)
    yield _VENUE.get(kind, "howpublished"), latex_of(record.venue)
    if kind == "article" and not is_preprint_server(record.venue):
        yield "volume", latex_of(record.volume)
        yield "number", latex_of(record.number)
    yield "pages", written_pages(record.pages)
    yield "year", str(record.year or "")
    yield "doi", record.doi
    yield "eprint", record.arxiv_id
    yield "archiveprefix", "arXiv" if record.arxiv_id else ""
    if not (record.doi or record.arxiv_id):
        yield "url", record.url


def written_name(name: str, *, ascii_only: bool = True) -> str:
    """Return ``name`` for an author field, in braces if it contains a comma or the word ``and``."""
    written = latex_of(name, ascii_only=ascii_only)
    return f"{{{written}}}" if re.search(r"(?i)(?<!\S)and(?!\S)|,", name) else written
