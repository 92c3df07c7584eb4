r"""The entries of a ``thebibliography``, as BibTeX's styles write them or as people do.

Three ways of writing say which words are which field: ``\bibinfo{title}{...}`` (ACM, Elsevier, REVTeX), ``\newblock``
between people, title and the rest (plain, alpha, natbib's styles), and quotation marks around the title (IEEEtran).
Where none of them is there, the entry is read as a reference string.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from citeproof.fields.authors import arrange_authors, split_authors
from citeproof.fields.bibtex import reference_of
from citeproof.fields.latex_source import closing_braces, group, optional, without_comments
from citeproof.fields.limits import too_many, too_many_entries
from citeproof.fields.plain.people import proposals
from citeproof.fields.plain.reference import reference_of_string
from citeproof.models import Diagnostic, Place, Reference, Span
from citeproof.text.identifiers import find_arxiv_id, find_doi
from citeproof.text.normalize import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

CODES = {
    "document.broken_bibitem": "a `\\bibitem` without a key in braces, or without any text",
}

BEGINNING = re.compile(r"\\begin\s*\{thebibliography\}")
_ITEM = re.compile(r"\\bibitem(?![A-Za-z])|\\end\s*\{\s*thebibliography\s*\}")
_INFO = re.compile(r"\\(?:bibinfo|bibfield|field)\s*\{\s*([a-z]+)\s*\}|\\(showarticletitle)\b")
_JURABIB = re.compile(r"\\(bibnf|bib[a-z]*font)(?![A-Za-z])")
_DROPPED = re.compile(
    r"\\(?:BIB[A-Za-z]+|natexlab|showISBNx?|showISBNxiii|showISSN|showLCCN|showCODEN|urldef)\b(?:\s*\{[^{}]*\})?"
)
_GROUPED = re.compile(r"\s*(?:\{\s*\\(?:em|it|itshape|sl)\b|\\(?:emph|textit|textsl)\s*\{)")
_OPENING = re.compile(r"``|“")
_CLOSING = re.compile(r",?(?:''|\"|”)")
_YEAR = re.compile(r"(?<![\d:/–.-])(?:1[5-9]|20)\d\d(?=[a-z]?(?![\d:/.–-]\d|\d))")
_TITLE_YEAR = re.compile(r",\s+(?:[A-Z][a-z]{2,8}\.?(?:[-/ ][A-Z][a-z]{2,8}\.?)?\s+)?((?:1[5-9]|20)\d\d)[a-z]?$")
_LONGEST_STRING = 3000
"""Characters of a reference string; a longer one is no single reference."""
_PERSONS = frozenset({"author", "person", "editor"})
_SAME = re.compile(r"[-–—_―\s]+|bysame")
"""What styles print in place of the people of the entry before."""
_URL = re.compile(r"https?://[^\s{}]+")
_IN = re.compile(r"^\s*In:?\s+(?:Proc\.\s)?", re.IGNORECASE)
_VENUE_END = re.compile(
    r",\s*(?=\d|vol|no\.|pp|pages|volume|number|[A-Z][a-z]{2,8}\.?\s\d{4})|\s\d|\.\s|\.$|,\s\(|\s\(|;"
)


def read_bibitems(text: str, file: str) -> Iterator[Reference | Diagnostic]:
    """Yield the entries of each ``thebibliography`` in the LaTeX source ``text``."""
    source = without_comments(text)
    first = BEGINNING.search(source)
    marks = [match.span() for match in _ITEM.finditer(source, first.end())] if first else []
    line, counted = 1, 0
    people: tuple[str, ...] = ()
    for number, (begin, behind) in enumerate(marks):
        if source.startswith("\\end", begin):
            continue
        stop = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        stop = begin + len(text[begin:stop].rstrip())
        line, counted = line + text.count("\n", counted, begin), begin
        place = Place(file, line, span=Span(begin, stop))
        if too_many(number, begin):
            yield too_many_entries(place)
            return
        entry = _entry(source[behind:stop], text[begin:stop], place)
        if isinstance(entry, Reference):
            if len(entry.authors) == 1 and _SAME.fullmatch(entry.authors[0]):
                entry = replace(entry, authors=people)
            people = entry.authors
        yield entry


def _entry(source: str, raw: str, place: Place) -> Reference | Diagnostic:
    """Return the entry whose source stands behind its ``\\bibitem``."""
    label = optional(source, 0)
    key = group(source, label[1] + 1 if label else 0, closing_braces(source))
    body = source[key[1] + 1 :] if key else ""
    if not key or not body.strip():
        message = "this \\bibitem has no key in braces, or no text behind it; write \\bibitem{key} and the reference"
        return Diagnostic(place, "document.broken_bibitem", message, raw[:2000])
    name = " ".join(source[key[0] : key[1]].split())
    reference = (
        _by_fields(body, name)
        or _of_jurabib(body, name)
        or _by_blocks(body, name)
        or _by_quotes(body, name)
        or _as_string(body, name)
    )
    return replace(reference, raw=raw, place=place)


def _by_fields(body: str, key: str) -> Reference | None:
    r"""Read ``\bibinfo{author}{...}`` and the like; people stand in ``person``, or all in ``author``."""
    said: dict[str, list[str]] = {}
    closing = closing_braces(body)
    for match in _INFO.finditer(body):
        if content := group(body, match.end(), closing):
            said.setdefault(match[1] or "title", []).append(body[content[0] : content[1]])
    if "title" not in said and "booktitle" not in said and "journal" not in said:
        return None
    people = said.get("author", [])
    if len(people) > 1 and people[1] in people[0]:
        people = people[1:]  # REVTeX's field around its names
    persons = [name for name in said.get("person", []) if people and name in people[0]]
    names = [_plain(name).strip(" ,") for name in persons or people]
    # REVTeX has a field of the same name around what it states.
    inner = {
        name: values[1] if len(values) > 1 and values[1] in values[0] else values[0] for name, values in said.items()
    }
    fields = {name: _plain(value).strip(" ,") for name, value in inner.items() if name not in _PERSONS}
    if "title" not in fields and "booktitle" in fields:
        fields["title"] = fields.pop("booktitle")
    authors = _people(names[0]) if len(names) == 1 else arrange_authors(names)
    return reference_of(key, "", {**fields, **_links(body)}, authors=authors)


def _of_jurabib(body: str, key: str) -> Reference | None:
    r"""Read jurabib's ``\bibnf {family} {given}`` and ``\bibapifont {title}``, or another of its fonts."""
    if "\\jbbibargs" not in body:
        return None
    names: list[str] = []
    titles: list[str] = []
    closing = closing_braces(body)
    for match in _JURABIB.finditer(body):
        content = group(body, match.end(), closing)
        following = group(body, content[1] + 1, closing) if content else None
        written = _plain(body[content[0] : content[1]]) if content else ""
        if match[1] == "bibnf" and following:
            names.append(f"{written}, {_plain(body[following[0] : following[1]])}".rstrip(", "))
        elif written:
            titles.append(written)
    fields = {"title": titles[0] if titles else "", "year": _year(_plain(body)), **_links(body)}
    return replace(reference_of(key, "", fields, authors=arrange_authors(names)), from_text=True)


def _by_blocks(body: str, key: str) -> Reference | None:
    r"""Read ``people \newblock title \newblock venue, year``; a work without people begins with its title."""
    blocks = [block.strip() for block in re.split(r"\\newblock(?![A-Za-z])", body)]
    blocks = [block for block in blocks if block]
    if len(blocks) < 2:
        return None
    nameless = bool(_GROUPED.match(blocks[0]))
    people, titled, rest = ("", blocks[0], blocks[1:]) if nameless else (blocks[0], blocks[1], blocks[2:])
    emphasised = _emphasised(titled)
    title = _plain(emphasised or titled).rstrip(".").strip()
    year = _TITLE_YEAR.search(title)
    title = title[: year.start()] if year else title
    venue = _venue(rest[0]) if rest and not emphasised else ""
    written = _year(" ".join((_plain(titled[len(emphasised) :]) if emphasised else "", *map(_plain, rest))))
    dated = year[1] if year else written or _year(_plain(people))
    fields = {"title": title, "journal": venue, "year": dated, **_links(body)}
    return replace(reference_of(key, "", fields, authors=_people(_plain(people))), from_text=True)


def _by_quotes(body: str, key: str) -> Reference | None:
    """Read ``people, ``title,'' \\emph{venue}, year``, as IEEEtran writes it."""
    opening = _OPENING.search(body)
    closing = _CLOSING.search(body, opening.end()) if opening else None
    if not opening or not closing:
        return None
    behind = body[closing.end() :]
    fields = {
        "title": _plain(body[opening.end() : closing.start()]).rstrip(",."),
        "journal": _venue(behind),
        "year": _year(_plain(behind)) or _year(_plain(body[: opening.start()])),
        **_links(body),
    }
    people = _plain(body[: opening.start()]).strip(" ,:")
    return replace(reference_of(key, "", fields, authors=_people(people)), from_text=True)


def _as_string(body: str, key: str) -> Reference:
    """Read an entry that no command divides."""
    text = _plain(body)
    if len(text) > _LONGEST_STRING:
        return replace(reference_of(key, "", _links(body)), from_text=True, oversized=("title",))
    return reference_of_string(text, key)


def _people(text: str) -> tuple[tuple[str, ...], bool]:
    """Return the names that ``text`` consists of, and whether more are left out; a group's name is one."""
    text = re.sub(r"[\s,]*\(?(?:1[5-9]|20)\d\d[a-z]?\)?\.?$", "", text)
    longest = max(proposals(f"{text} "), key=lambda group: group.end)
    if longest.end >= len(text.rstrip(" .,")):
        return longest.names, longest.others
    return split_authors(re.sub(r",\s+and\s", " and ", text.rstrip(".")))


def _links(body: str) -> dict[str, str]:
    text = _plain(body)
    url = _URL.search(text)
    return {"doi": find_doi(text), "arxivid": find_arxiv_id(text), "url": url[0].rstrip(".,)") if url else ""}


def _emphasised(block: str) -> str:
    """Return the source of the group in italics that ``block`` begins with, or an empty text."""
    match = _GROUPED.match(block)
    content = group(block, block.index("{"), closing_braces(block)) if match else None
    return block[content[0] : content[1]] if content else ""


def _venue(block: str) -> str:
    """Return what is said to hold the work: the words in italics, or those up to the first number."""
    if match := _GROUPED.search(block):
        begin = block.index("{", match.start())
        if content := group(block, begin, closing_braces(block)):
            return _plain(block[content[0] : content[1]]).strip(" ,.")
    text = _IN.sub("", _plain(block))
    end = _VENUE_END.search(text)
    venue = text[: end.start()] if end else text
    return "" if venue.lower().startswith(("url", "http", "doi", "arxiv")) else venue.strip(" ,.")


def _year(text: str) -> str:
    """Return the last year that ``text`` names, outside addresses and page ranges."""
    years = _YEAR.findall(_URL.sub("", text))
    return years[-1] if years else ""


def _plain(source: str) -> str:
    return " ".join(plain_text(_DROPPED.sub("", source)).split())
