"""Documents of LibreOffice Writer."""

import json
from html import escape
from io import BytesIO
from zipfile import ZipFile, ZipInfo

from citeproof.readers.document import Document
from citeproof.readers.formats import odt

_TYPE = "application/vnd.oasis.opendocument.text"


def document(body: str) -> Document:
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(ZipInfo("mimetype"), _TYPE)
        archive.writestr("content.xml", f'<d xmlns:text="t">{body}</d>')
    return Document.of("a.odt", packed.getvalue())


def paragraph(text: str, tag: str = "p") -> str:
    return f"<text:{tag}>{text}</text:{tag}>"


def mark(said: str) -> str:
    return f'<text:reference-mark text:name="{escape(said)}"/>'


def test_read_the_printed_list_is_read_if_none_is_stored() -> None:
    note = "<text:note><text:p>A note.</text:p></text:note>"
    body = [paragraph(f"On{note}<text:s/>lamps"), paragraph("References", "h")]
    cited = f"[1] A. Lee, {note}On winter, in Journal of X, 2019."
    body += [paragraph(cited), paragraph("Appendix", "h")]
    one, *_ = odt.read(document("".join(body))).references
    assert (one.title, one.line, one.from_text) == ("On winter", 4, True)
    assert one.string == "[1] A. Lee, On winter, in Journal of X, 2019."


def test_read_a_work_that_is_cited_twice_is_read_once() -> None:
    item = {"id": 1, "itemData": {"id": "a", "title": "On winter"}}
    code = mark(f"ZOTERO_ITEM CSL_CITATION {json.dumps({'citationItems': [item]})} RNDx")
    body = paragraph(code) + paragraph(code) + paragraph(mark("ZOTERO_ITEM CSL_CITATION {"))
    one, broken = odt.read(document(body)).entries
    assert (getattr(broken, "code", ""), broken.line) == ("odt.broken_field", 3)
    assert (getattr(one, "title", ""), one.line) == ("On winter", 1)


def test_read_what_is_damaged_is_said() -> None:
    for body in ("<text:p>", "<!ENTITY a>"):
        (entry,) = odt.read(document(body)).entries
        assert getattr(entry, "code", "") == "odt.no_odt"
    (entry,) = odt.read(document("")).entries
    assert getattr(entry, "code", "") == "odt.without_list"


def test_read_a_list_without_a_heading_but_no_prose() -> None:
    listed = (
        "Lee, A. (2001). On winter. Snow, 3(1), 1-9.",
        "Fox, B. (2002). On summer. Sun, 4, 2.",
    )
    assert [
        one.title for one in odt.read(document("".join(map(paragraph, listed)))).references
    ] == [
        "On winter",
        "On summer",
    ]
    prose = ("In 2001 we saw the winter, and it was long.", "In 2002 we wrote of it, and slept.")
    (entry,) = odt.read(document("".join(map(paragraph, prose)))).entries
    assert getattr(entry, "code", "") == "odt.without_list"


def test_read_text_behind_a_note_belongs_to_its_own_paragraph() -> None:
    note = "<text:note><text:p>A note <text:span>of mine</text:span>.</text:p></text:note>"
    body = paragraph("References", "h") + "".join(
        paragraph(f"A. Lee. <text:span>On {name}</text:span>{note}<text:tab/>in towns. Snow, 2019.")
        for name in ("ice", "fog")
    )
    assert [one.string for one in odt.read(document(body)).references] == [
        "A. Lee. On ice in towns. Snow, 2019.",
        "A. Lee. On fog in towns. Snow, 2019.",
    ]
