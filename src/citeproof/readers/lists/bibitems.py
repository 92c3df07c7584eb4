r"""Read the entries of LaTeX's ``thebibliography`` environment, written by a BibTeX style or by
hand.

Four notations mark the fields of an entry: ``\bibinfo{title}{...}`` (ACM, Elsevier, Nature,
REVTeX); one command per field (Springer's ``\batitle{...}``, apacite, jurabib); ``\newblock``
between authors, title and the rest (plain, alpha, natbib's styles); quotation marks around the
title (IEEEtran). Entries in other notations are parsed as plain text.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from citeproof.model.reference import Diagnostic, Place, Reference, Span
from citeproof.readers.fields.authors import arrange_authors, split_authors
from citeproof.readers.fields.bibtex import reference_of
from citeproof.readers.fields.document_entries import too_many, too_many_entries
from citeproof.readers.strings import is_too_long
from citeproof.readers.strings.authors import proposals
from citeproof.readers.strings.reference import reference_of_string
from citeproof.text.identifiers import find_arxiv_id, find_doi
from citeproof.text.lines import LineCounter
from citeproof.text.normalize import plain_text
from citeproof.text.tex_syntax import closing_braces, group, optional, without_comments
from citeproof.text.venue_names import document_type

CODES = {"document.broken_bibitem": "a `\\bibitem` without a key in braces, or without any text"}
BEGINNING = re.compile(r"\\begin\s*\{thebibliography\}")
# start of an entry, or end of the list
_ITEM = re.compile(r"\\bibitem(?![A-Za-z])|\\end\s*\{\s*thebibliography\s*\}")
_INFO = re.compile(r"\\(?:bibinfo|bibfield|field)\s*\{\s*([a-z]+)\s*\}|\\(showarticletitle)\b")
"""Regex for commands whose argument is the name of a field: ``\\bibinfo{title}``."""
_COMMANDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("batitle", "bctitle", "APACrefatitle"), ("title",)),
    **dict.fromkeys(("bbtitle", "APACrefbtitle"), ("booktitle",)),
    **dict.fromkeys(("byear", "APACrefYearMonthDay", "APACrefYear"), ("year",)),
    **dict.fromkeys(("APACaddressPublisher", "APACaddressInstitution"), ("", "publisher")),
    "bjtitle": ("journal",),
    "bvolume": ("volume",),
    "bfpage": ("pages",),
    "bauthor": ("author",),
    "APACjournalVolNumPages": ("journal", "volume", "number", "pages"),
    "APACtypeAddressSchool": ("", "", "publisher"),
}
"""Map from commands of Springer's styles and of apacite to the BibTeX fields that their arguments
contain, in order.
"""
_COMMAND = re.compile(rf"\\({'|'.join(_COMMANDS)})(?![A-Za-z])")
_APA_AUTHORS = re.compile(r"\\begin\s*\{APACrefauthors\}(.*?)\\end\s*\{APACrefauthors\}", re.DOTALL)
_AND_OTHERS = re.compile(r"[\s,;.]*(?:and\s+)?(?:et\.?\s?al\b|others\b)", re.IGNORECASE)
"""Regex for ``et al.`` or ``and others`` after a list of authors."""
_COLON = re.compile(r"[^:]*(?:\bet al\.?|\.):\s+[^\W\d]")
"""Regex for authors and title with a colon between them, as in Springer's style:
``Brown, T.: Language models``.
"""
_JURABIB = re.compile(r"\\(bibnf|bib[a-z]*font)(?![A-Za-z])")
_DROPPED = re.compile(
    r"\\(?:BIB[A-Za-z]+|natexlab|showISBNx?|showISBNxiii|showISSN|showLCCN|showCODEN|"
    r"urldef)\b(?:\s*\{[^{}]*\})?"
)
r"""Regex for LaTeX commands that are removed with their arguments, such as ``\natexlab{a}``."""
_ITALICS = re.compile(r"\s*(?:\{\s*\\(?:em|it|itshape|sl)\b|\\(?:emph|textit|textsl)\s*\{)")
r"""Regex for the beginning of a text in italics: ``{\em`` or ``\emph{``."""
_OPENING = re.compile(r"``|“")
# regex for a closing quotation mark, which may follow a comma
_CLOSING = re.compile(r",?(?:''|\"|”)")
_YEAR = re.compile(r"(?<![\d:/–.-])(?:1[5-9]|20)\d\d(?=[a-z]?(?![\d:/.–-]\d|\d))")
"""Regex for a year. Numbers in page ranges, in URLs and in dates such as 2001-05 do not match."""
_TITLE_YEAR = re.compile(
    r",\s+(?:[A-Z][a-z]{2,8}\.?(?:[-/ ][A-Z][a-z]{2,8}\.?)?\s+)?((?:1[5-9]|20)\d\d)[a-z]?$"
)
"""Regex for a date after a comma at the end of a title: ``, May 1999``."""
_PERSONS = frozenset({"author", "person", "editor"})
# regex for the dash that stands for the authors of the previous entry
_SAME = re.compile(r"[-–—_―\s]+|bysame")
_URL = re.compile(r"https?://[^\s{}]+")
_IN = re.compile(r"^\s*In:?\s+(?:Proc\.\s)?", re.IGNORECASE)
_VENUE_END = re.compile(
    r",\s*(?=\d|vol|no\.|pp|pages|volume|number|[A-Z][a-z]{2,8}\.?\s\d{4})|\s\d|\.\s|\.$|,\s\(|"
    r"\s\(|;"
)
# names of the authors, and whether the list ends with ``et al.``
_Authors: TypeAlias = "tuple[tuple[str, ...], bool]"
_Read: TypeAlias = "tuple[dict[str, str], _Authors] | None"
"""Fields and authors of an entry, or None if the entry is in a different notation."""


def read_bibitems(text: str, file: str) -> Iterator[Reference | Diagnostic]:
    """Yield the entries of all ``thebibliography`` environments in the LaTeX text ``text``."""
    tex = without_comments(text)
    first = BEGINNING.search(tex)
    marks = [match.span() for match in _ITEM.finditer(tex, first.end())] if first else []
    lines = LineCounter(text)
    authors: tuple[str, ...] = ()
    for number, ((begin, behind), (following, _)) in enumerate(
        pairwise([*marks, (len(text), len(text))])
    ):
        if tex.startswith("\\end", begin):
            continue
        stop = begin + len(text[begin:following].rstrip())
        place = Place(file, lines.of(begin), span=Span(begin, stop))
        if too_many(number, begin):
            yield too_many_entries(place)
            return
        entry = _entry(tex[behind:stop], text[begin:stop], place)
        if isinstance(entry, Reference):
            if len(entry.authors) == 1 and _SAME.fullmatch(entry.authors[0]):
                entry = replace(entry, authors=authors)
            authors = entry.authors
        yield entry


def _entry(tex: str, raw: str, place: Place) -> Reference | Diagnostic:
    r"""Return the entry in ``tex``, the text after ``\bibitem``. ``raw`` is the original text of
    the entry, including ``\bibitem``.
    """
    label = optional(tex)
    key = group(tex, label[1] + 1 if label else 0, closing_braces(tex))
    body = tex[key[1] + 1 :] if key else ""
    if not key or not body.strip():
        message = (
            "this \\bibitem has no key in braces, or no text behind it; write \\bibitem{key} and"
            " the reference"
        )
        return Diagnostic(place, "document.broken_bibitem", message, raw[:2000])
    return replace(_reference(body, " ".join(tex[key[0] : key[1]].split())), raw=raw, place=place)


def _reference(body: str, key: str) -> Reference:
    """Return the reference in ``body``, the text of an entry after its key. It is read in the first
    notation that fits.
    """
    text = _plain(body)
    url = _URL.search(text)
    links = {
        "doi": find_doi(text),
        "arxivid": find_arxiv_id(text),
        "url": url[0].rstrip(".,)") if url else "",
    }
    for read in (_by_fields, _by_commands, _of_jurabib, _by_blocks, _by_quotes):
        if found := read(body):
            fields, authors = found
            kind = document_type(fields.get("journal", ""))
            reference = reference_of(key, kind, {**fields, **links}, authors=authors)
            return (
                reference
                if read in (_by_fields, _by_commands)
                else replace(reference, from_text=True)
            )
    if is_too_long(text):
        return replace(reference_of(key, "", links), from_text=True, oversized=("title",))
    return reference_of_string(text, key)


def _by_fields(body: str) -> _Read:
    r"""Read an entry with ``\bibinfo{title}{...}`` and similar commands, which ACM and Elsevier
    use.
    """
    said: dict[str, list[str]] = {}
    goes_on = False
    for match, start, end in _commands(body, _INFO):
        value = body[start:end]
        said.setdefault(match[1] or "title", []).append(value)
        if match[1] == "author" or (match[1] == "person" and value in said.get("author", [""])[0]):
            following = _INFO.search(body, match.end())
            behind = body[end + 1 : following.start() if following else len(body)]
            goes_on = (
                goes_on or _AND_OTHERS.match(_plain(behind.partition("\\newblock")[0])) is not None
            )
    if said.keys().isdisjoint({"title", "booktitle", "journal"}):
        return None
    for name, values in said.items():
        if len(values) > 1 and values[1] in values[0]:
            # REVTeX nests two fields of the same name, of which the inner field has the value
            said[name] = values[1:]
    authors = said.get("author", [])
    persons = [name for name in said.get("person", []) if authors and name in authors[0]]
    names = [_plain(name).strip(" ,") for name in persons or authors]
    fields = {
        name: _plain(values[0]).strip(" ,") for name, values in said.items() if name not in _PERSONS
    }
    if "title" not in fields and "booktitle" in fields:
        fields["title"] = fields.pop("booktitle")
    read, others = _authors(names[0]) if len(names) == 1 else arrange_authors(names)
    return fields, (read, others or goes_on)


def _commands(body: str, names: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int, int]]:
    """Yield each match of the regex ``names`` in ``body`` that an argument in braces follows, with
    start and end offset of this argument.
    """
    closing = closing_braces(body)
    for match in names.finditer(body):
        if content := group(body, match.end(), closing):
            yield match, *content


def _by_commands(body: str) -> _Read:
    r"""Read an entry with a command for each field, such as ``\batitle{...}`` (Springer) or
    apacite's commands.
    """
    said: dict[str, list[str]] = {}
    closing = closing_braces(body)
    for match in _COMMAND.finditer(body):
        at = match.end()
        for name in _COMMANDS[match[1]]:
            if content := group(body, at, closing):
                said.setdefault(name, []).append(_plain(body[slice(*content)]))
                at = content[1] + 1
    if not {"title", "booktitle"} & said.keys():
        return None
    names, others = arrange_authors(said.pop("author", []))
    if authors := _APA_AUTHORS.search(body):
        names, others = _authors(re.sub(r"(?:\s*,)+", ",", _plain(authors[1])))
    fields = {name: values[0] for name, values in said.items()}
    if "title" not in fields:
        fields["title"] = fields.pop("booktitle")
    fields["year"] = _year(fields.get("year", ""))
    return fields, (names, others or "\\betal" in body or "\\BDBL" in body)


def _of_jurabib(body: str) -> _Read:
    r"""Read an entry in jurabib's notation, such as ``\bibnf {family} {given} \bibapifont
    {title}``.
    """
    if "\\jbbibargs" not in body:
        return None
    names, titles, closing = [], [], closing_braces(body)
    for match, start, end in _commands(body, _JURABIB):
        written, given = _plain(body[start:end]), group(body, end + 1, closing)
        if match[1] == "bibnf" and given:
            names.append(f"{written}, {_plain(body[slice(*given)])}".rstrip(", "))
        elif written:
            titles.append(written)
    return {"title": titles[0] if titles else "", "year": _year(_plain(body))}, arrange_authors(
        names
    )


def _by_blocks(body: str) -> _Read:
    r"""Read an entry of the form ``authors \newblock title \newblock venue, year``.

    The authors may be missing.
    """
    blocks = list(filter(None, map(str.strip, re.split(r"\\newblock(?![A-Za-z])", body))))
    if len(blocks) < 2 or _COLON.match(_plain(blocks[0])):
        return None
    authors, titled, *rest = ("", *blocks) if _ITALICS.match(blocks[0]) else blocks
    emphasised = _in_italics(titled, _ITALICS.match(titled))
    title = _plain(emphasised or titled).rstrip(".").strip()
    year = _TITLE_YEAR.search(title)
    title = title[: year.start()] if year else title
    venue = _venue(rest[0]) if rest and not emphasised else ""
    written = _year(
        " ".join((_plain(titled[len(emphasised) :]) if emphasised else "", *map(_plain, rest)))
    )
    dated = year[1] if year else written or _year(_plain(authors))
    return {"title": title, "journal": venue, "year": dated}, _authors(_plain(authors))


def _by_quotes(body: str) -> _Read:
    r"""Read an entry of the form ``authors, ``title,'' \emph{venue}, year``, which IEEEtran
    writes.
    """
    opening = _OPENING.search(body)
    closing = _CLOSING.search(body, opening.end()) if opening else None
    if not opening or not closing:
        return None
    before, behind = _plain(body[: opening.start()]), body[closing.end() :]
    title = _plain(body[opening.end() : closing.start()]).rstrip(",.")
    year = _year(_plain(behind)) or _year(before)
    return {"title": title, "journal": _venue(behind), "year": year}, _authors(before.strip(" ,:"))


def _authors(text: str) -> _Authors:
    """Return the names of the authors in ``text``, and whether the list ends with ``et al.``"""
    text = re.sub(r"[\s,:]*\(?(?:1[5-9]|20)\d\d[a-z]?\)?[.,]?$", "", text)
    longest = max(proposals(f"{text} "), key=lambda group: group.end)
    if longest.end >= len(text.rstrip(" .,")):
        return longest.names, longest.others
    return split_authors(re.sub(r",\s+and\s", " and ", text.rstrip(".")))


def _in_italics(block: str, match: re.Match[str] | None) -> str | None:
    """Return the LaTeX code of the text in italics that begins at ``match`` in ``block``. None if
    no text in italics begins there.
    """
    content = (
        group(block, block.index("{", match.start()), closing_braces(block)) if match else None
    )
    return block[slice(*content)] if content else None


def _venue(block: str) -> str:
    """Return the journal or conference in ``block``. This is the text in italics, or if there is
    none, the text up to the first number.
    """
    italics = _in_italics(block, _ITALICS.search(block))
    if italics is not None:
        return _plain(italics).strip(" ,.")
    text = _IN.sub("", _plain(block))
    end = _VENUE_END.search(text)
    venue = text[: end.start()] if end else text
    return "" if venue.lower().startswith(("url", "http", "doi", "arxiv")) else venue.strip(" ,.")


def _year(text: str) -> str:
    """Return the last year in ``text`` that is not in a URL or a page range. The result is empty if
    there is no year.
    """
    years = _YEAR.findall(_URL.sub("", text))
    return years[-1] if years else ""


def _plain(tex: str) -> str:
    return " ".join(plain_text(_DROPPED.sub("", tex)).split())
