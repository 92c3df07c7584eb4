"""References that are elements of an XML document."""

from xml.etree.ElementTree import Element, fromstring

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.elements import fields_of, read_elements, texts_of


def convert(element: Element) -> Reference:
    return Reference(element.get("id", ""), " ".join(texts_of(element, "title")))


def read(text: str) -> list[Reference | Diagnostic]:
    document = Document.of("a.xml", text.encode())
    return list(read_elements(document, "ice", "list", "work", convert).entries)


def test_read_elements_gives_each_its_place_and_its_text() -> None:
    first = '<work id="a">\n<title>On\n <i>ice</i></title></work>'
    second = '<x:work id="b"><x:title>On snow</x:title></x:work >'
    text = f"<x><list>\n{first}\n{second}</list></x>"
    found = read(text)
    assert [(one.key, one.title, one.raw) for one in found if isinstance(one, Reference)] == [
        ("a", "On ice", first),
        ("b", "On snow", second),
    ]
    assert [one.place.line for one in found] == [2, 5]
    spans = [one.place.span for one in found if one.place.span]
    assert [text[span.start : span.end] for span in spans] == [first, second]


def test_read_elements_says_what_is_malformed_and_reads_the_others() -> None:
    broken, empty, good, last = read(
        "<list><work><title>On ice</work><work/><work><title>On &amp; snow</title></work>"
        "<work><title>On sleds</title>"
    )
    assert isinstance(broken, Diagnostic)
    assert broken.code == "ice.malformed"
    assert isinstance(empty, Diagnostic)
    assert empty.code == "ice.no_fields"
    assert isinstance(good, Reference)
    assert good.title == "On & snow"
    assert isinstance(last, Diagnostic)
    assert last.code == "ice.malformed"


def test_read_elements_declares_no_entities_for_them() -> None:
    text = (
        '<!DOCTYPE list [<!ENTITY ice "On ice">]><list><work><title>&ice;</title></work>'
        "<workshop><title>No work</title></workshop></list>"
    )
    (found,) = read(text)
    assert isinstance(found, Diagnostic)
    assert found.code == "ice.malformed"


def test_read_elements_names_the_rest_of_a_list_that_is_not_closed() -> None:
    work = "<work><title>On ice</title></work>"
    good, rest = read(f"<list>{work}<wo")
    assert isinstance(good, Reference)
    assert isinstance(rest, Diagnostic)
    assert rest.place.span
    assert rest.place.span.start == len(f"<list>{work}")
    assert len(read(f"<list>{work}</list>")) == 1
    assert len(read(f"{work}<list/>")) == 1


def test_texts_of_joins_inner_elements_and_leaves_out_empty_ones() -> None:
    element = fromstring("<a><b> On\n <i>thin</i> ice </b><b/><b>and snow</b><c>no</c></a>")
    assert texts_of(element, "b") == ["On thin ice", "and snow"]


def test_fields_of_takes_the_first_path_with_a_text() -> None:
    element = fromstring("<a><t> </t><b><t>On ice</t></b><y>2001</y></a>")
    table = {"title": ("t", "b/t", "y"), "year": ("y",), "doi": ("doi",)}
    assert fields_of(element, table) == {"title": "On ice", "year": "2001", "doi": ""}
