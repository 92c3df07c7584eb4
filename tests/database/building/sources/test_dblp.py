"""Reading DBLP's dump: every field, entities with and without a DTD, and what is refused."""

from pathlib import Path

import pytest

from citeproof.database.building.source import open_source
from citeproof.database.building.sources.dblp import identifiers
from citeproof.database.schema import COLUMNS
from citeproof.model.errors import BuildError

DATA = Path(__file__).resolve().parents[3] / "data" / "bibdb"


def rows_of(path: Path) -> list[dict[str, str | int | None]]:
    source = open_source(path)
    try:
        return [
            dict(zip(COLUMNS, row, strict=True)) for batch in source.batches for row in batch.rows
        ]
    finally:
        source.close()


def dump(folder: Path, body: str, prolog: str = '<!DOCTYPE dblp SYSTEM "dblp.dtd">') -> Path:
    path = folder / "dump.xml"
    path.write_text(
        f'<?xml version="1.0" encoding="ISO-8859-1"?>\n{prolog}\n{body}', encoding="latin-1"
    )
    return path


def test_every_field_of_a_publication_is_read() -> None:
    assert rows_of(DATA / "small.xml")[0] == {
        "key": "conf/lamps/LindqvistR12",
        "source": "dblp",
        "title": "Lamp Trees: Sorting by Light in O(n2) Steps",
        "year": 2012,
        "venue": "LAMPS",
        "pub_type": "inproceedings",
        "authors": "Per Lindqvist; Zoë Ríos",
        "doi": "10.5555/lamps.2012.11",
        "arxiv_id": None,
        "pages": "11-20",
        "volume": None,
        "number": None,
        "url": "https://doi.org/10.5555/LAMPS.2012.11",
        "crossref": "conf/lamps/2012",
        "publtype": None,
    }


def test_people_are_no_publications() -> None:
    assert [row["key"] for row in rows_of(DATA / "hard.xml")] == ["a/1", "a/2", "phd/x", "books/y"]


def test_titles_keep_their_markup_s_text_and_lose_one_full_stop() -> None:
    assert [row["title"] for row in rows_of(DATA / "hard.xml")] == [
        "Two lines, and a note2...",
        "Über <Tags> & Zeichen – mit Ende?",
        "Thesis",
        "A Book",
    ]


def test_homonym_numbers_go_and_other_digits_stay() -> None:
    rows = rows_of(DATA / "hard.xml")
    assert [row["authors"] for row in rows] == ["Aá B; C 1234 D", "E", "F", "G; H"]


def test_what_stands_in_for_a_venue() -> None:
    assert [row["venue"] for row in rows_of(DATA / "hard.xml")] == [
        None,
        "CoRR",
        "Lamp University",
        "Lantern",
    ]


def test_identifiers_come_from_any_link_and_from_corr_volumes() -> None:
    first, second, thesis, _ = rows_of(DATA / "hard.xml")
    assert (first["doi"], first["url"]) == ("10.1000/xy(1)2", "http://example.org/a")
    assert second["arxiv_id"] == "cs/0112017"
    assert (thesis["publtype"], thesis["year"]) == ("withdrawn", 1980)
    assert first["year"] is None


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://doi.org/10.1145/ABC.1", ("10.1145/abc.1", None)),
        ("http://dx.doi.org/10.1145/a%3Cb", ("10.1145/a<b", None)),
        ("http://doi.acm.org/10.1145/1.2", ("10.1145/1.2", None)),
        ("https://doi.org/10.48550/arXiv.1706.03762", ("10.48550/arxiv.1706.03762", "1706.03762")),
        ("http://arxiv.org/abs/cs.CL/0112017", (None, "cs/0112017")),
        ("http://proceedings.mlr.press/v108/doi20a.html", (None, None)),
        (None, (None, None)),
    ],
)
def test_identifiers_in_links(link: str | None, expected: tuple[str | None, str | None]) -> None:
    assert identifiers(link, []) == expected


def test_entities_are_known_without_a_dtd(tmp_path: Path) -> None:
    path = dump(
        tmp_path,
        "<dblp><article key='k'><title>&Agrave;&szlig;&times;&thorn;</title></article></dblp>",
    )
    assert rows_of(path)[0]["title"] == "Àß×þ"


def test_a_dtd_beside_the_dump_adds_entities(tmp_path: Path) -> None:
    (tmp_path / "dblp.dtd").write_text(
        '<!ELEMENT dblp ANY>\n<!ENTITY lamp "&#128161;">\n<!ENTITY reg "&#174;">'
    )
    path = dump(
        tmp_path, "<dblp><article key='k'><title>A &lamp; &reg; &uuml;</title></article></dblp>"
    )
    assert rows_of(path)[0]["title"] == "A 💡 ® ü"


@pytest.mark.parametrize(
    "start", ["", '<?xml version="1.0"?>', '<?xml version="1.0"?><!-- a > b -->']
)
def test_entities_are_known_without_a_document_type(tmp_path: Path, start: str) -> None:
    path = tmp_path / "excerpt.xml"
    path.write_text(f"{start}<dblp><article key='k'><title>&Ouml;l</title></article></dblp>")
    assert rows_of(path)[0]["title"] == "Öl"


def test_an_entity_in_an_attribute_is_read(tmp_path: Path) -> None:
    path = dump(tmp_path, "<dblp><article key='k&amp;l'><title>T</title></article></dblp>")
    assert rows_of(path)[0]["key"] == "k&l"


def test_records_may_span_any_chunks(tmp_path: Path) -> None:
    record = (
        "<article key='k{0}'><author>A</author><title>Title number {0} of many.</title></article>"
    )
    path = dump(tmp_path, f"<dblp>{''.join(record.format(n) for n in range(9000))}</dblp>")
    rows = rows_of(path)
    assert [row["title"] for row in rows] == [f"Title number {n} of many" for n in range(9000)]


BOMB = '<!DOCTYPE dblp [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
FILE_ENTITY = '<!DOCTYPE dblp [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
LONG = f'<!DOCTYPE dblp [<!ENTITY a "{"a" * 100_000}">]>'
PARAMETER = '<!DOCTYPE dblp [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]>'
RECORD = "<article key='k'><title>{}</title></article>"


@pytest.mark.parametrize(
    ("prolog", "body", "message"),
    [
        (BOMB, f"<dblp>{RECORD.format('&b;')}</dblp>", "declares the entity 'b'"),
        (
            LONG,
            f"<dblp>{RECORD.format('&a;')}</dblp>",
            "declares the entity 'a'|near its beginning",
        ),
        (FILE_ENTITY, f"<dblp>{RECORD.format('&a;')}</dblp>", "declares the entity 'a'"),
        (PARAMETER, f"<dblp>{RECORD.format('T')}</dblp>", "declares the entity 'p'"),
        ("", "<feed><a/></feed>", "begins with <feed>"),
        ("", f"<dblp>{RECORD.format('&nosuch;')}</dblp>", "&nosuch;.*dblp.dtd"),
        ("", f"<dblp>{RECORD.format('T')}", "ends in the middle"),
        ("", f"<dblp>{RECORD.format('T')}<article", "ends in the middle"),
        ("", f"<dblp>{RECORD.format('<i>T')}</dblp>", "line 3: is not the XML"),
        ("", "<!-- nothing -->", "no <dblp> element"),
    ],
)
def test_what_is_no_dump_is_refused_in_one_line(
    tmp_path: Path, prolog: str, body: str, message: str
) -> None:
    with pytest.raises(BuildError, match=message) as caught:
        rows_of(dump(tmp_path, body, prolog))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_dtd_that_explodes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dblp.dtd").write_text('<!ENTITY a "aaaaaaaaaa">\n<!ENTITY b "&a;&a;&a;">')
    with pytest.raises(BuildError, match="declares the entity 'b'"):
        rows_of(dump(tmp_path, f"<dblp>{RECORD.format('&b;')}</dblp>"))
