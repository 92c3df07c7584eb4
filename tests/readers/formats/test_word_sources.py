"""Sources of Word's citation manager, alone and in a document."""

from io import BytesIO
from zipfile import ZipFile

from citeproof.readers.document import Document
from citeproof.readers.formats import docx, word_sources
from tests.word import paragraph, word_document

SOURCES = (
    '<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography">'
    "<b:Source><b:Tag>A</b:Tag><b:Title>On winter</b:Title><b:Year>2001</b:Year></b:Source>"
    "<b:Source><b:Tag>B</b:Tag></b:Source></b:Sources>"
)


def test_read_a_source_without_fields_is_said() -> None:
    one, other = word_sources.read(Document.of_text(SOURCES)).entries
    assert (getattr(one, "title", ""), getattr(one, "year", 0)) == ("On winter", 2001)
    assert getattr(other, "code", "") == "word-sources.no_fields"


def test_read_a_source_with_attributes() -> None:
    text = SOURCES.replace("<b:Source>", '<b:Source xmlns:x="x">')
    assert len(word_sources.read(Document.of_text(text)).entries) == 2


def test_read_entities_are_not_resolved() -> None:
    text = f'<!DOCTYPE x [<!ENTITY e "lol">]>{SOURCES.replace("On winter", "&e;")}'
    first, _ = word_sources.read(Document.of_text(text)).entries
    assert getattr(first, "code", "") == "word-sources.malformed"


def test_read_a_word_document_keeps_sources() -> None:
    packed = BytesIO(word_document(paragraph("On lamps")))
    with ZipFile(packed, "a") as archive:
        archive.writestr("customXml/item1.xml", SOURCES)
        archive.writestr("customXml/item2.xml", "<other/>")
    (one, _) = docx.read(Document.of("a.docx", packed.getvalue())).entries
    assert (getattr(one, "title", ""), one.place.line) == ("On winter", 0)


def test_read_people_in_every_role_and_groups() -> None:
    person = (
        "<b:Person><b:Last>Lee</b:Last><b:First>Ann</b:First><b:Middle>M.</b:Middle></b:Person>"
        "<b:Person><b:Last>Ray</b:Last></b:Person>"
    )
    for role in ("Author", "Inventor", "Editor", "BookAuthor"):
        people = f"<b:Author><b:{role}><b:NameList>{person}</b:NameList></b:{role}></b:Author>"
        text = SOURCES.replace("<b:Tag>A</b:Tag>", people)
        (one,) = word_sources.read(Document.of_text(text)).references
        assert one.authors == ("Lee, Ann M.", "Ray")


def test_accepts_sources_at_the_beginning_of_a_text() -> None:
    assert word_sources.accepts(Document.of_text(SOURCES)) == 2
    assert word_sources.accepts(Document.of_text(" " * 4_900 + SOURCES)) == 2
    assert word_sources.accepts(Document.of_text(" " * 5_100 + SOURCES)) == 0
