"""The works of the sample database: true to the dump's shape, and plausible one by one."""

import re
from collections import Counter
from dataclasses import dataclass, field
from importlib.resources import files
from xml.parsers import expat

import pytest

from citeproof.text.normalize import normalize_title

XML = (files("citeproof.database.building") / "sample.xml").read_bytes()
WORKS = {"article", "inproceedings", "incollection", "book", "phdthesis", "mastersthesis"}


@dataclass
class Entry:
    """One record of the file, as the parser meets it."""

    kind: str
    key: str
    publtype: str
    fields: dict[str, list[str]] = field(default_factory=dict)

    def first(self, name: str) -> str:
        return self.fields.get(name, [""])[0]


def read(xml: bytes) -> list[Entry]:
    """Return the records; named entities stay as they are written, ``&eacute;``."""
    entries: list[Entry] = []
    path: list[str] = []
    text: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name)
        if len(path) == 2:
            entries.append(Entry(name, attributes["key"], attributes.get("publtype", "")))
        if len(path) == 3:
            text.clear()

    def end(name: str) -> None:
        path.pop()
        if len(path) == 2:
            entries[-1].fields.setdefault(name, []).append("".join(text))

    parser = expat.ParserCreate()
    parser.UseForeignDTD(True)
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text.append
    parser.SkippedEntityHandler = lambda name, _: text.append(f"&{name};")
    parser.Parse(xml, True)
    return entries


ENTRIES = read(XML)
PUBLICATIONS = [entry for entry in ENTRIES if entry.kind in WORKS]
KEYS = {entry.key for entry in ENTRIES}


def test_it_has_the_prolog_of_the_dump() -> None:
    assert XML.startswith(
        b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n'
    )


def test_it_is_about_three_hundred_works() -> None:
    assert 300 <= len(PUBLICATIONS) <= 400


@pytest.mark.parametrize(
    "feature",
    [
        rb"&uuml;",
        rb"&eacute;",
        rb"&aring;",
        rb"&amp;",
        rb"&#\d+;",
        rb"<i>",
        rb"<sub>",
        rb"<sup>",
        rb"<tt>",
        rb" 0001</author>",
        rb"</article><article ",
        rb"</inproceedings><inproceedings ",
        rb"<volume>abs/1706.03762<",
        rb"<volume>cs\.CL/0205070<",
        rb'publtype="informal"',
        rb'publtype="informal withdrawn"',
        rb"<editor>",
        rb'<ee type="oa">',
        rb"</ee>\n<ee",
        rb"<phdthesis ",
        rb"<mastersthesis ",
        rb"<incollection ",
        rb"<book ",
        rb"<isbn>",
        rb"<school>",
        rb"<title>Home Page</title>",
        rb"&lt;",
    ],
)
def test_it_has_the_shapes_of_the_dump(feature: bytes) -> None:
    assert re.search(feature, XML)


def test_keys_are_unique_and_of_the_form_of_dblp() -> None:
    assert len(KEYS) == len(ENTRIES)
    assert all(
        re.fullmatch(r"(journals|conf|books|phd|ms|homepages)(/[\w+.-]+){1,3}", key) for key in KEYS
    )


@pytest.mark.parametrize("entry", PUBLICATIONS, ids=lambda entry: entry.key)
def test_each_work_is_plausible(entry: Entry) -> None:
    authors = entry.fields["author"]
    assert authors
    assert len(set(authors)) == len(authors)
    assert all(re.fullmatch(r"(?:[A-Z]|&\w+;)(?:[\w.,'-]|&\w+;| )+", author) for author in authors)
    assert entry.first("title").endswith((".", "?", "!"))
    assert 1936 <= int(entry.first("year")) <= 2023
    assert all(re.match(r"https?://[\w.-]+/\S+$", link) for link in entry.fields.get("ee", []))
    for link in entry.fields.get("ee", []):
        if "doi.org/" in link:
            assert re.search(r"doi\.org/10\.\d{4,5}/\S+$", link)
    pages = re.fullmatch(r"(\d+)-(\d+)", entry.first("pages"))
    assert not pages or int(pages[1]) <= int(pages[2])
    holder = {
        "article": "journal",
        "inproceedings": "booktitle",
        "incollection": "booktitle",
        "book": "publisher",
    }
    assert entry.first(holder.get(entry.kind, "school"))


def test_only_preprints_share_a_title() -> None:
    titles = Counter(
        normalize_title(entry.first("title")) for entry in PUBLICATIONS if not entry.publtype
    )
    assert [title for title, count in titles.items() if count > 1] == []


def test_some_preprints_have_a_published_twin() -> None:
    published = {
        normalize_title(entry.first("title")) for entry in PUBLICATIONS if not entry.publtype
    }
    preprints = [normalize_title(entry.first("title")) for entry in PUBLICATIONS if entry.publtype]
    assert sum(title in published for title in preprints) >= 5
    assert sum(title not in published for title in preprints) >= 5


def test_no_identifier_is_given_to_two_works() -> None:
    links = Counter(link for entry in PUBLICATIONS for link in entry.fields.get("ee", []))
    assert [link for link, count in links.items() if count > 1] == []


def test_every_crossref_names_proceedings_of_the_file() -> None:
    proceedings = {entry.key for entry in ENTRIES if entry.kind == "proceedings"}
    named = {volume for entry in ENTRIES for volume in entry.fields.get("crossref", [])}
    assert named
    assert named <= proceedings


def test_one_volume_is_held_page_by_page() -> None:
    pages: list[int] = []
    for entry in PUBLICATIONS:
        if entry.first("crossref") == "conf/wsdm/2008":
            start, _, end = entry.first("pages").partition("-")
            pages += range(int(start), int(end or start) + 1)
    assert sorted(pages) == list(range(1, 261))
