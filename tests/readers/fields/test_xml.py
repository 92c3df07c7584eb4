"""Untrusted XML, parsed with expat."""

from xml.parsers import expat

import pytest

from citeproof.readers.fields.xml import parse_xml


def parsed(data: bytes) -> tuple[str, list[object]]:
    seen: list[object] = []
    message = parse_xml(
        data,
        expat.ParserCreate(),
        lambda name, attributes: seen.append((name, attributes)),
        seen.append,
        seen.append,
    )
    return message, seen


def test_parse_xml_calls_back_for_tags_and_whole_texts() -> None:
    assert parsed(b'<a x="1">On\n&amp; ice<b/></a>') == (
        "",
        [("a", {"x": "1"}), "On\n& ice", ("b", {}), "b", "a"],
    )


def test_parse_xml_says_what_is_wrong_and_keeps_what_came_before() -> None:
    message, seen = parsed(b"<a>ice</b>")
    assert message == "mismatched tag"
    assert seen == [("a", {})]
    assert parsed(b"")[0] == "no element found"


@pytest.mark.parametrize("entity", [b"", b'[<!ENTITY b "ice">]', b'[<!ENTITY b SYSTEM "/etc/x">]'])
def test_parse_xml_refuses_a_document_type(entity: bytes) -> None:
    assert parsed(b"<!DOCTYPE a " + entity + b"><a>snow</a>") == ("it has a document type", [])
