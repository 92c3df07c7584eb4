"""Word documents: stored references before printed ones, and what may go wrong with either."""

from base64 import b64encode
from io import BytesIO
from zipfile import ZipFile

import pytest

from citeproof.model.reference import Bibliography, Diagnostic
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.formats import docx
from citeproof.readers.formats.docx import WordPart
from citeproof.readers.opening import open_bytes
from tests.word import field, paragraph, word_document, zotero

SNOW: dict[str, object] = {
    "id": "lee",
    "type": "article-journal",
    "title": "On winter in old towns",
    "issued": {"date-parts": [[2019]]},
    "author": [{"family": "Lee", "given": "A."}],
}
FOX: dict[str, object] = {"id": "fox", "type": "book", "title": "A second title about foxes"}
LIST = (
    paragraph("Bibliographie", "berschrift1")
    + paragraph('A. Lee, "On winter in old towns," Journal of Snow, vol. 3, pp. 1-9, 2019.')
    + paragraph('C. Fox, "A second title about foxes," in Proc. of Foxes, 2020, pp. 3-4.')
    + paragraph("Anhang", "berschrift1")
    + paragraph("This is no reference.")
)
RECORD = (
    '<record><rec-number>7</rec-number><ref-type name="Journal'
    ' Article">17</ref-type><titles><title>On winter in old'
    " towns</title></titles><dates><year>2019</year></dates></record>"
)
ENDNOTE = f"<EndNote><Cite><Author>Lee</Author>{RECORD}</Cite></EndNote>"


def read(body: str, **notes: str) -> Bibliography:
    return formats.read(Document.of("thesis.docx", word_document(body, **notes)))


@pytest.mark.parametrize(
    "code", [zotero(SNOW), zotero(SNOW).replace("ZOTERO_ITEM ", ""), f" ADDIN EN.CITE {ENDNOTE}"]
)
def test_read_a_stored_reference_is_read_and_the_printed_list_is_not(code: str) -> None:
    (reference,) = read(paragraph("Text.") + field(code) + field(code)).references
    assert (reference.title, reference.year, reference.from_text) == (
        "On winter in old towns",
        2019,
        False,
    )
    assert reference.place.line == 2


def test_read_endnote_may_store_its_records_as_data_of_the_field() -> None:
    (reference,) = read(
        field(" ADDIN EN.CITE.DATA ", data=b64encode(ENDNOTE.encode()).decode())
    ).references
    assert (reference.key, reference.title) == ("7", "On winter in old towns")


def test_read_mendeley_cite_stores_its_items_in_a_tag() -> None:
    said = zotero(SNOW, FOX).partition("CSL_CITATION ")[2].strip()
    tag = f'<w:tag w:val="MENDELEY_CITATION_v3_{b64encode(said.encode()).decode()}"/>'
    assert [
        reference.key for reference in read(f"<w:sdt>{tag}{paragraph('[1, 2]')}</w:sdt>").references
    ] == [
        "lee",
        "fox",
    ]


def test_footnotes_cite_too() -> None:
    assert [
        one.key for one in read(field(zotero(FOX)), footnotes=field(zotero(SNOW))).references
    ] == ["fox", "lee"]


def test_read_without_fields_the_printed_list_is_read_up_to_the_next_heading() -> None:
    first, second = read(paragraph("Text.") + LIST).references
    assert (first.title, first.year, first.place.line) == ("On winter in old towns", 2019, 3)
    assert (second.title, second.year, second.from_text) == (
        "A second title about foxes",
        2020,
        True,
    )


def test_read_a_heading_in_the_style_of_the_entries_does_not_hide_them() -> None:
    body = paragraph("References", "a") + paragraph("A. Lee. On winter in old towns. 2019.", "a")
    assert len(read(body).references) == 1


def test_read_a_note_says_that_more_is_printed_than_stored() -> None:
    (note,) = read(field(zotero(SNOW)) + LIST).diagnostics
    assert (note.code, note.severity) == ("docx.more_printed", "note")
    assert read(field(zotero(SNOW, FOX)) + LIST).diagnostics == ()


def test_read_a_field_that_cannot_be_read_costs_itself() -> None:
    reference, broken = read(
        field(zotero(SNOW)) + field(" ADDIN ZOTERO_ITEM CSL_CITATION {'no json'")
    ).entries
    assert reference.key == "lee"
    assert isinstance(broken, Diagnostic)
    assert (broken.code, broken.line) == ("docx.broken_field", 2)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (word_document(paragraph("No list.")), "docx.without_list"),
        (word_document("<w:p>"), "docx.no_docx"),
        (word_document("<!DOCTYPE a>"), "docx.no_docx"),
        (b"PK\x03\x04 word/document.xml", "document.binary"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "document.binary"),
    ],
)
def test_read_what_cannot_be_read_says_so(data: bytes, code: str) -> None:
    (entry,) = formats.read(Document.of("thesis.docx", data)).entries
    assert isinstance(entry, Diagnostic)
    assert entry.code == code


def test_read_a_document_type_is_refused() -> None:
    part = WordPart()
    assert part.read(b'<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>') == "it has a document type"


def test_a_word_document_is_no_archive_wherever_its_list_of_contents_stands() -> None:
    document = open_bytes(
        "thesis.docx", word_document(LIST, **{f"header{number}": "" for number in range(30)})
    )
    assert isinstance(document, Document)
    assert formats.detect(document) is formats.load("docx")


def test_read_a_control_character_that_xml_allows_is_read_as_a_space() -> None:
    """A terminal would obey U+0085 and others; XML refuses only those below U+0020."""
    title = "On winter\x7fin old\x85towns"
    stored_one = read(field(zotero({**SNOW, "title": title}), "(Lee 2019)")).references[0]
    printed = read(
        paragraph("References") + paragraph(f"A. Lee. {title}. Journal of Snow, 3, 2019.")
    ).references[0]
    assert (stored_one.title, printed.title) == ("On winter in old towns",) * 2


def test_read_a_list_without_a_heading() -> None:
    listed = (
        'A. Lee, "On winter in old towns," Journal of Snow, vol. 3, pp. 1-9, 2019.',
        'C. Fox, "A second title about foxes," in Proc. of Foxes, 2020, pp. 3-4.',
    )
    found = read("".join(map(paragraph, listed))).references
    assert [(one.title, one.line) for one in found] == [
        ("On winter in old towns", 1),
        ("A second title about foxes", 2),
    ]


def test_read_takes_no_other_archive_for_a_word_document() -> None:
    plain = archive({"word/document.xml": "<x/>"})
    sheet = archive({"[Content_Types].xml": "<x/>", "word/documents.xml": "<x/>"})
    assert docx.accepts(Document.of("a.zip", plain)) == 0
    assert docx.accepts(Document.of("a.xlsx", sheet)) == 0
    assert docx.accepts(Document.of("a.docx", word_document(paragraph("x")))) == 2


def archive(files: dict[str, str]) -> bytes:
    target = BytesIO()
    with ZipFile(target, "w") as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return target.getvalue()


@pytest.mark.parametrize(("level", "found"), [("0", 2), ("9", 3)])
def test_read_a_heading_may_be_one_by_its_outline_level(level: str, found: int) -> None:
    outlined = (
        f'<w:p><w:pPr><w:outlineLvl w:val="{level}"/></w:pPr><w:r><w:t>Sleds</w:t></w:r></w:p>'
    )
    listed = LIST.partition(paragraph("Anhang", "berschrift1"))[0]
    entries = read(listed + outlined + paragraph("B. Ray. On sleds. Snow, 2021.")).references
    assert len([one for one in entries if one.year]) == found


def test_read_fields_inside_fields_are_read_each() -> None:
    inner = field(zotero(FOX))
    outer = field(zotero(SNOW)).replace("</w:p>", "") + "</w:p>"
    found = read(outer + inner).references
    assert [one.title for one in found] == ["On winter in old towns", "A second title about foxes"]


def test_read_leaves_out_deleted_text_and_the_code_of_fields() -> None:
    body = (
        "<w:p><w:r><w:t>A. Lee. On winter</w:t></w:r><w:del><w:r><w:delText>and snow</w:delText>"
        "</w:r></w:del><w:r><w:tab/><w:t>in old towns. Snow, 2019.</w:t></w:r></w:p>"
    )
    (reference,) = read(paragraph("References", "heading1") + body).references
    assert reference.raw == "A. Lee. On winter in old towns. Snow, 2019."


def test_read_takes_the_style_of_the_heading_for_that_of_other_headings() -> None:
    listed = (
        paragraph("References", "Sheep1")
        + paragraph("A. Lee. On winter in old towns. Snow, 2019.", "Text")
        + paragraph("Sleds", "Sheep1")
        + paragraph("B. Ray. On sleds in snow. Snow, 2021.", "Text")
    )
    assert [one.year for one in read(listed).references] == [2019]
    one_style = listed.replace("Sheep1", "Text")
    assert len(read(one_style).references) >= 2


def test_read_each_record_of_endnote_once_at_its_first_place() -> None:
    other = ENDNOTE.replace("On winter", "On sleds")
    code = [f" ADDIN EN.CITE {one}" for one in (ENDNOTE, other, ENDNOTE)]
    found = read("".join(map(field, code)) + field(" ADDIN EN.CITENOT x")).references
    assert [(one.title, one.line) for one in found] == [
        ("On winter in old towns", 1),
        ("On sleds in old towns", 2),
    ]
