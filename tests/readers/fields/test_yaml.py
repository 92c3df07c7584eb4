import re
from typing import Any

import pytest

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.yaml import list_items, parsed, read_items

KEY = re.compile(r"^references:", re.MULTILINE)
START = re.compile(r"(?=- )")


def read(text: str) -> list[Reference | Diagnostic]:
    def convert(item: dict[str, Any]) -> Reference | None:
        return Reference(item["id"], item.get("title", "")) if "id" in item else None

    document = Document("a.yaml", text.encode(), text, "utf-8")
    return list(read_items(document, "csl-yaml", list_items(text, KEY, START), convert).entries)


def test_parsed_gives_every_value_as_text() -> None:
    (item,) = parsed("- {id: 1, year: 2019, open: yes, none: null, tilde: ~, said: 'null'}")
    assert item == {
        "id": "1",
        "year": "2019",
        "open": "yes",
        "none": "",
        "tilde": "",
        "said": "null",
    }
    assert parsed("a: [1, {b: 2}]") == [{"a": ["1", {"b": "2"}]}]
    assert parsed("- a\n- b") == ["a", "b"]
    assert parsed("") == []


def test_parsed_drops_names_that_are_no_texts() -> None:
    assert parsed("{[1]: a, b: c}") == [{"b": "c"}]


def test_parsed_refuses_aliases_and_deep_nesting() -> None:
    with pytest.raises(ValueError, match=r"it has the alias \*a; write the value out"):
        parsed("- &a b\n- *a")
    assert parsed("[" * 19 + "]" * 19)
    with pytest.raises(ValueError, match="nested more than 20 deep"):
        parsed("[" * 20 + "]" * 20)


def test_list_items_finds_the_items_below_a_key() -> None:
    def items(text: str) -> list[str]:
        return [text[start:end] for start, end in list_items(text, KEY, START)]

    listed = "- id: a\n  title: On sheep\n- id: b\n  - c"
    assert items(f"title: x\nreferences:\n{listed}\n\nother:\n- id: d\n") == [
        "- id: a\n  title: On sheep",
        "- id: b\n  - c",
    ]
    assert items("\n- id: a\n- id: b\n") == ["- id: a", "- id: b"]
    assert items("references: [{id: a}, {id: b}]\nother: c\n") == ["[{id: a}, {id: b}]"]


def test_read_items_a_broken_item_affects_no_other() -> None:
    whole, broken = "- id: a\n  title: On sheep", "- id: b\n  title: Wool: a"
    text = f"references:\n{whole}\n{broken}\n- 7\n- {{id: d, title: On goats}}\n"
    first, bad, number, last = read(text)
    assert isinstance(first, Reference)
    assert (first.key, first.title, first.place.line) == ("a", "On sheep", 2)
    assert first.raw == whole
    assert isinstance(bad, Diagnostic)
    assert (bad.code, bad.key, bad.place.line) == ("csl-yaml.malformed", "b", 4)
    assert bad.message.endswith("put a value with a colon in quotation marks (line 5)")
    assert isinstance(number, Diagnostic)
    assert (number.code, number.raw) == ("csl-yaml.not_a_reference", "- 7")
    assert isinstance(last, Reference)
    assert last.key == "d"


def test_read_items_names_an_item_without_fields() -> None:
    (item,) = read("references:\n- title: On sheep\n")
    assert isinstance(item, Diagnostic)
    assert item.code == "csl-yaml.no_fields"
