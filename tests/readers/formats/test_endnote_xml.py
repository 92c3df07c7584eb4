"""EndNote's XML, whole and broken."""

import pytest

from citeproof.model.reference import Diagnostic
from citeproof.readers.document import Document
from citeproof.readers.formats import endnote_xml

RECORD = "<record><titles><title>{}</title></titles></record>"


def test_read_what_stands_before_a_fault_is_read() -> None:
    text = f"<xml><records>{RECORD.format('One')}\n<record><titles><title>Two</titles>"
    one, rest = endnote_xml.read(Document.of_text(text, "lib.xml")).entries
    assert getattr(one, "title", "") == "One"
    assert isinstance(rest, Diagnostic)
    assert (rest.code, rest.line) == ("endnote-xml.malformed", 2)
    assert rest.raw.startswith("<record>")


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE xml [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE xml SYSTEM "file:///etc/passwd">',
    ],
)
def test_read_entities_of_a_document_type_are_not_resolved(declared: str) -> None:
    text = f"{declared}<xml><records>{RECORD.format('&b;')}</records></xml>"
    (entry,) = endnote_xml.read(Document.of_text(text)).entries
    assert isinstance(entry, Diagnostic)
    assert "undefined entity" in entry.message


def test_read_letters_of_several_bytes_do_not_move_places() -> None:
    text = f"<xml><records>{RECORD.format('Ä€𝒳')}{RECORD.format('Ünd')}</records></xml>"
    document = Document.of_text(text)
    found = endnote_xml.read(document).references
    assert [one.title for one in found] == ["Ä€𝒳", "Ünd"]
    assert [one.raw for one in found] == [RECORD.format("Ä€𝒳"), RECORD.format("Ünd")]


def test_read_an_empty_element_is_a_record_without_fields() -> None:
    (entry,) = endnote_xml.read(Document.of_text("<xml><records><record/></records></xml>")).entries
    assert isinstance(entry, Diagnostic)
    assert entry.code == "endnote-xml.no_fields"


def test_records_without_content_keep_their_places() -> None:
    text = "<xml><records><record/><record />\n<record></record ><record/></records></xml>"
    entries = endnote_xml.read(Document.of_text(text, "f.xml")).entries
    assert [(entry.line, entry.raw) for entry in entries] == [
        (1, "<record/>"),
        (1, "<record />"),
        (2, "<record></record >"),
        (2, "<record/>"),
    ]


def test_read_letters_beyond_ascii_behind_an_empty_record_are_no_fault() -> None:
    text = "<xml><records>a<record/>" + "é" * 12 + "<record/></records></xml>"
    assert len(endnote_xml.read(Document.of_text(text, "f.xml")).entries) == 2
