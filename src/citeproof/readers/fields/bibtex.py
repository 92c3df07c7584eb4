"""Make references from BibTeX and biblatex fields, and write records as BibTeX entries.

Field names are taken from *BibTeXing* (O. Patashnik, 1988), from the biblatex manual (section 2.2),
and from what Mendeley, DBLP, ADS and JabRef write.
"""

import re
from collections.abc import Iterator, Mapping

from citeproof.model.record import Record
from citeproof.model.reference import NOWHERE, Place, Reference
from citeproof.readers.fields.authors import split_authors
from citeproof.readers.fields.document_entries import first_of
from citeproof.text.encodings import without_invisibles
from citeproof.text.identifiers import find_arxiv_id, find_doi, is_short_doi
from citeproof.text.latex import latex_of
from citeproof.text.normalize import LONGEST_TITLE, normalize_title, plain_text
from citeproof.text.venue_names import is_preprint_server

Fields = Mapping[str, str]
_Names = tuple[tuple[str, ...], bool]  # (names of authors, whether the list ends in ``and others``)
NAMES: Mapping[str, tuple[str, ...]] = {
    "key": ("key", "id", "bibtex_key", "citekey", "citation_key", "bibkey"),
    "type": (
        "type",
        "entry_type",
        "entrytype",
        "bibtex_type",
        "pub_type",
        "item_type",
        "document_type",
    ),
    "title": (
        "title",
        "article_title",
        "document_title",
        "paper_title",
        "title_of_paper",
        "title_of_article",
        "display_name",
        "ti",
    ),
    "year": (
        "year",
        "publication_year",
        "pubyear",
        "date",
        "publication_date",
        "date_published",
        "published",
        "py",
    ),
    "journal": (
        "venue",
        "journal",
        "booktitle",
        "journaltitle",
        "container_title",
        "conference",
        "publication_title",
        "source_title",
        "publication",
        "journal_title",
        "journal_book",
        "primary_location_source_display_name",
        "so",
    ),
    "doi": ("doi", "di"),
    "arxivid": ("arxiv_id", "arxivid", "arxiv", "eprint"),
    "pages": ("pages", "page", "pagination"),
    "volume": ("volume", "vl"),
    "number": ("number", "issue", "issue_number", "is"),
    "url": ("url", "link"),
    "publisher": ("publisher",),
    "note": ("note", "notes"),
}
"""Map from a BibTeX field to the names that it may have in JSON files and tables. The first of
these names with a value is used.

The names are in lower case, with ``_`` for spaces and punctuation. ``ti``, for example, is the name
of the title in Web of Science.
"""
PEOPLE = (
    "authors",
    "author",
    "author_s",
    "author_full_names",
    "creators",
    "authorships_author_display_name",
    "af",
    "au",
)
"""Names that the author field may have in JSON files and tables, in lower case with ``_`` for
spaces and punctuation.
"""
VENUE_FIELDS = (
    "journal",
    "journaltitle",
    "booktitle",
    "eventtitle",
    "shortjournal",
    "conference",
    "maintitle",
    "issuetitle",
    "series",
    "venue",
)
"""BibTeX fields that name the venue. The most exact field comes first."""
_TITLES = (("title", "subtitle"), ("booktitle", "booksubtitle"), ("maintitle", "mainsubtitle"))
_VENUE_SUBTITLES = (
    ("journalsubtitle", ("journaltitle", "journal")),
    ("booksubtitle", ("booktitle", "book")),
)
_PUBLISHER = ("publisher", "school", "institution", "organization")
_NUMBER = ("number", "issue")
_NOTE = ("note", "howpublished", "annotation")
_DOI_IN = ("url", "ee", "howpublished", "eprint", "link", "biburl", "note")
_ARXIV_IN = (
    "url",
    "ee",
    "doi",
    "journal",
    "journaltitle",
    "note",
    "howpublished",
    "booktitle",
    "number",
    "volume",
)
_ARXIV_OWN = ("eprint", "arxivid", "arxiv", "arxiv_id")
_ARCHIVE = ("eprinttype", "archiveprefix")
_LINKS = ("url", "ee", "link")
_PLAIN = frozenset(
    {
        *VENUE_FIELDS,
        *_PUBLISHER,
        *_NUMBER,
        *_NOTE,
        "title",
        "subtitle",
        "booksubtitle",
        "mainsubtitle",
        "journalsubtitle",
        "year",
        "date",
        "pages",
        "volume",
    }
)
# maximum number of characters of a field other than the authors, including LaTeX
_LONGEST_FIELD = 20_000
# number of characters that the authors may have beyond ``_LONGEST_FIELD``
_LONGEST_AUTHORS = 1_000_000
_MOST_AUTHORS = 10_000  # maximum number of authors; the longest list in Crossref has 5,154 names
_LONGEST_NAME = 1_000  # maximum number of characters of an author's name
_FOOTNOTE = re.compile(
    r"\\footnote(?:mark|text)?\s*+(?:\[[^\[\]]*+\])?(?:\{(?:[^{}]|\{[^{}]*+\})*+\})?"
)
# regex for a character that may be part of LaTeX or HTML markup
_MARKED = re.compile(r"[\\{}$~&<`]")
READ = _PLAIN | {
    "author",
    "authors",
    "editor",
    "doi",
    *_DOI_IN,
    *_ARXIV_IN,
    *_ARXIV_OWN,
    *_ARCHIVE,
    *_LINKS,
}
"""Names of all BibTeX fields that are read."""
_PEOPLE = frozenset({"author", "authors", "editor"})
_EDITED = frozenset(
    {"book", "proceedings", "collection", "mvbook", "mvproceedings", "mvcollection", "periodical"}
)
# entry types whose title may be in ``booktitle``
_WHOLE = _EDITED | {"booklet", "manual", "mvreference", "reference"}

_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
# regex for a value that consists of numbers only, in which no arXiv identifier is searched for
_NUMBER_ALONE = re.compile(r"[\s{}0-9.]*")
_OTHER_WORK = re.compile(
    r"\b(?:errat(?:um|a)|corrigend\w+|correction|retract\w+|comment\w* (?:on|to)|repl(?:y|ies)"
    r" (?:to|by)|data ?sets?|code|supplement\w*|preprint|extend(?:ed|s)|earlier|translat\w+"
    r"|review(?:ed)?|see (?:also|e\.g)|cf|compare|cites|cited (?:by|in)|based on|builds on"
    r"|follow-?up|companion|reprint(?:ed)?)\b",
    re.IGNORECASE,
)
"""Regex for words in a note, such as ``erratum``, that show that an identifier in the note belongs
to another work.
"""
_URL_COMMAND = re.compile(r"\\(?:url|href|nolinkurl)\s*\{([^{}]*)\}")
_URL_ESCAPE = re.compile(r"\\([%_&#~$])(?:\{\})?")


def reference_of(
    key: str,
    entry_type: str,
    fields: Fields,
    *,
    authors: _Names | None = None,
    raw: str = "",
    place: Place = NOWHERE,
) -> Reference:
    """Return a reference of the type ``entry_type`` made from BibTeX ``fields``, a map from names
    in lower case to values in LaTeX.

    ``authors``, if given, is used instead of the author field. It is a pair: a tuple of names, and
    whether ``and others`` follows them.
    """
    oversized: list[str] = []
    text: dict[str, str] = {}
    for name, value in fields.items():
        if (
            len(value) > _LONGEST_FIELD
            and len(value) > _LONGEST_AUTHORS * (name in _PEOPLE) + _LONGEST_FIELD
        ):
            oversized.append(name)
        elif value and name in _PLAIN and (plain := value if value.isalnum() else _plain(value)):
            text[name] = plain
    if oversized:
        fields = {name: value for name, value in fields.items() if name not in oversized}
    entry_type = entry_type.lower()
    names, others = authors or split_authors(fields.get("author", "") or fields.get("authors", ""))
    if not names and entry_type in _EDITED:
        names, others = split_authors(fields.get("editor", ""))
    if len(names) > _MOST_AUTHORS or max(map(len, names), default=0) > _LONGEST_NAME:
        names, others = (), False
        oversized.append("author")
    title = _title(text, entry_type)
    if len(title) > LONGEST_TITLE:
        title = ""
        oversized.append("title")
    return Reference(
        key=key,
        title=title,
        authors=names,
        and_others=others,
        year=_year(text.get("year", "")) or _year(text.get("date", "")),
        venue=_venue(text),
        entry_type=entry_type,
        doi=_doi(fields),
        arxiv_id=_arxiv_id(fields),
        pages=text.get("pages", ""),
        volume=text.get("volume", ""),
        number=first_of(text, _NUMBER),
        url=_url(fields),
        publisher=first_of(text, _PUBLISHER),
        note=first_of(text, _NOTE),
        raw=raw,
        place=place,
        oversized=tuple(oversized),
    )


def _year(text: str) -> int | None:
    """Return the first year from 1000 to 2999 in ``text``, or None. The year of ``c1999`` and of
    ``1999/2000`` is 1999.
    """
    match = _YEAR.search(text)
    return int(match[0]) if match else None


def _plain(value: str) -> str:
    """Return the text of a field without LaTeX, footnotes and surplus white space."""
    if _MARKED.search(value) or "--" in value or "''" in value:
        value = plain_text(_FOOTNOTE.sub("", value))
    # All white space except the space is unprintable. Invisible characters are unprintable, too.
    return (
        value.strip(" ")
        if value.isprintable() and "  " not in value
        else " ".join(without_invisibles(value).split())
    )


def _title(text: Fields, entry_type: str) -> str:
    for name, subtitle in _TITLES if entry_type in _WHOLE else _TITLES[:1]:
        if title := text.get(name):
            return _with_subtitle(title, text.get(subtitle, ""))
    return ""


def _venue(text: Fields) -> str:
    venue = first_of(text, VENUE_FIELDS)
    for subtitle, titles in _VENUE_SUBTITLES:
        if subtitle in text and venue and venue == first_of(text, titles):
            return _with_subtitle(venue, text[subtitle])
    return venue


def _with_subtitle(title: str, subtitle: str) -> str:
    separator = " " if title.endswith((".", "?", "!", ":")) else ": "
    return f"{title}{separator}{subtitle}" if subtitle else title


def _doi(fields: Fields) -> str:
    written = " ".join(fields.get("doi", "").split())
    if doi := find_doi(written) or find_doi(written.replace(" ", "")):
        return doi
    for name in _DOI_IN:
        value = fields.get(name)
        if value and (doi := find_doi(value)) and not (name in _NOTE and _OTHER_WORK.search(value)):
            return doi
    # A shortDOI is dropped, because only doi.org knows the DOI that it stands for.
    return "" if is_short_doi(written) else plain_text(written)


def _arxiv_id(fields: Fields) -> str:
    for name in _ARXIV_OWN:
        if not (name in fields and (written := fields[name].strip("{} "))):
            continue
        archives = (
            fields[archive].strip("{} ").lower() for archive in _ARCHIVE if fields.get(archive)
        )
        archive = "arxiv" if name != "eprint" else next(archives, "")
        if archive not in {"", "arxiv"}:
            continue
        if found := find_arxiv_id(written):
            return found
        if archive:
            return plain_text(written)
    for name in _ARXIV_IN:
        value = fields.get(name)
        if (
            value
            and (found := find_arxiv_id(value))
            and not _NUMBER_ALONE.fullmatch(value)
            and not (name in _NOTE and _OTHER_WORK.search(value.replace("preprint", "")))
        ):
            return found
    return ""


def _url(fields: Fields) -> str:
    written = first_of(fields, _LINKS).strip()
    if "\\" in written:
        command = _URL_COMMAND.match(written)
        written = _URL_ESCAPE.sub(r"\1", command[1] if command else written)
    return written.strip("{}<> ")


_ENTRY_TYPES = frozenset(
    {
        "article",
        "inproceedings",
        "proceedings",
        "book",
        "incollection",
        "phdthesis",
        "mastersthesis",
    }
)
"""Publication types of DBLP that are also entry types of BibTeX. Records of other types are written
as ``misc``.
"""
_VENUE_FIELD = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "phdthesis": "school",
    "mastersthesis": "school",
    "book": "publisher",
    "proceedings": "publisher",
}
_FILLERS = frozenset(
    {"a", "an", "the", "on", "of", "in", "for", "to", "towards", "and", "is", "how", "what", "why"}
)
_INNER_CAPITAL = re.compile(r"\w[^\W\d_a-z]|\d[^\W\d_a-z]")


def bibtex_entry(record: Record) -> str:
    """Return ``record`` as a BibTeX entry in ASCII LaTeX, without empty fields."""
    kind = record.pub_type if record.pub_type in _ENTRY_TYPES else "misc"
    fields = [(name, value) for name, value in _fields(record, kind) if value]
    width = max((len(name) for name, _ in fields), default=0)
    lines = [f"  {name:<{width}} = {{{value}}}," for name, value in fields]
    return "\n".join([f"@{kind}{{{entry_key(record)},", *lines, "}"])


def entry_key(record: Record) -> str:
    """Return a citation key for ``record``, made of family name, year and first word of the title:
    ``vaswani2017attention``.
    """
    family = record.authors[0].split()[-1] if record.authors else ""
    word = next(
        (word for word in normalize_title(record.title).split() if word not in _FILLERS), ""
    )
    key = f"{normalize_title(family)}{record.year or ''}{word}"
    return "".join(char for char in key if char.isascii() and char.isalnum()) or "work"


def written_title(title: str, *, ascii_only: bool = True) -> str:
    """Return ``title`` in LaTeX. Words such as ``DNA`` are put in braces, so that BibTeX keeps
    their capitals. If ``ascii_only`` is true, other characters are written as LaTeX commands.
    """
    words = (latex_of(word, ascii_only=ascii_only) for word in title.split(" "))
    return " ".join(f"{{{word}}}" if _INNER_CAPITAL.search(word) else word for word in words)


def written_pages(pages: str) -> str:
    """Return ``pages`` in LaTeX, with ``--`` for a dash: ``137--150``."""
    return latex_of(re.sub(r"(?<=\w)\s*[-\u2010-\u2015\u2212]+\s*(?=\w)", "--", pages))


def _fields(record: Record, kind: str) -> Iterator[tuple[str, str]]:
    yield "author", " and ".join(map(written_name, record.authors))
    yield "title", written_title(record.title)
    yield _VENUE_FIELD.get(kind, "howpublished"), latex_of(record.venue)
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
    """Return ``name`` as LaTeX for an author field. If ``ascii_only`` is true, other characters are
    written as LaTeX commands.

    A name that contains a comma or the word ``and`` is put in braces. The author lists of some
    records end in ``et al.``, which becomes ``others``.
    """
    if name.rstrip(".").lower() == "et al":
        return "others"
    written = latex_of(name, ascii_only=ascii_only)
    return f"{{{written}}}" if re.search(r"(?i)(?<!\S)and(?!\S)|,", name) else written
