"""CSL items as YAML: each by itself, no value guessed, no alias followed."""

import pytest

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.document import Document
from citeproof.readers.formats import csl_yaml

BOMB = "- &a [x, x]\n" + "".join(
    f"- &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


def entries(text: str, name: str = "refs.yaml") -> tuple[Reference | Diagnostic, ...]:
    return csl_yaml.read(Document.of_text(text, name)).entries


@pytest.mark.parametrize(
    "text",
    [
        "references:\n- id: a\n  title: A\n- id: b\n  title: B\n",
        (
            "references:  # two\n\n    - id: a\n      title: A\n    - id: b\n      title:"
            " B\nauthor:\n- title: Me\n"
        ),
        "author:\n- name: Me\nreferences: [{id: a, title: A},\n  {id: b, title: B}]\nlang: en\n",
        "# a list\n---\n-\n  id: a\n  title: A\n- title: B\n  id: b\n",
        "- id: a\n  title: A\n- id: b\n  title: B",
    ],
)
def test_each_way_to_write_the_list_is_read(text: str) -> None:
    assert csl_yaml.accepts(Document.of_text(text))
    found = entries(text)
    assert [(entry.key, getattr(entry, "title", "")) for entry in found] == [("a", "A"), ("b", "B")]


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ("2019-05-01", 2019),
        ("{year: 2019}", 2019),
        ("[{year: 2019}]", 2019),
        ("{date-parts: [[2019, 5]]}", 2019),
    ],
)
def test_read_dates_are_read_in_every_form(issued: str, year: int) -> None:
    (reference,) = entries(f"references:\n- title: No\n  volume: 010\n  issued: {issued}\n")
    assert isinstance(reference, Reference)
    assert (reference.title, reference.volume, reference.year) == ("No", "010", year)


@pytest.mark.parametrize(
    ("item", "code", "said"),
    [
        ("  title: Foxes: a study", "malformed", "quotation marks (line 3)"),
        ("  title: *other", "malformed", "alias *other"),
        ("  title: " + "[" * 30 + "]" * 30, "malformed", "nested more than 20 deep"),
        ("  title: [", "malformed", "line"),
        ("  language: en", "no_fields", "has no field"),
    ],
)
def test_read_a_broken_item_costs_only_itself(item: str, code: str, said: str) -> None:
    broken, right = entries(f"references:\n- type: book\n{item}\n- title: Right\n")
    assert isinstance(broken, Diagnostic)
    assert (broken.code, broken.line) == (f"csl-yaml.{code}", 2)
    assert said in broken.message
    assert isinstance(right, Reference)


def test_read_a_text_is_no_item() -> None:
    assert [
        getattr(entry, "code", "") for entry in entries("references:\n- A title\n- title: B\n")
    ] == [
        "csl-yaml.not_a_reference",
        "",
    ]


def test_read_aliases_that_stand_for_billions_of_values_are_refused() -> None:
    found = entries(f"references:\n{BOMB}- id: [{BOMB!r}]\n")
    assert len(found) == 10
    assert all(isinstance(entry, Diagnostic) for entry in found)


@pytest.mark.parametrize(
    "text",
    [
        "format: html\nauthor:\n- title: Dr\n",
        "cff-version: 1.2.0\nreferences:\n- title: A\n",
        "A title\n",
    ],
)
def test_other_yaml_is_no_list_of_references(text: str) -> None:
    assert not csl_yaml.accepts(Document.of_text(text, "config.yaml"))


def test_read_takes_emphasis_out_of_titles_alone() -> None:
    (one,) = entries("- title: On *E. coli*\n  note: see *there*\n")
    assert isinstance(one, Reference)
    assert (one.title, one.note) == ("On E. coli", "see *there*")
