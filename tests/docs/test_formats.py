"""Every format of the folder has the common shape and its place in ``docs/formats.md``."""

from pathlib import Path

import pytest

from citeproof.readers import citing, formats, opening, papers
from citeproof.readers.fields import document_entries
from citeproof.readers.fields.bibtex import NAMES
from citeproof.readers.lists import bibitems

SHARED = (bibitems, citing, document_entries)
"""Modules of :mod:`citeproof.readers.fields` whose diagnostics several formats have."""
DOCS = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", formats.names())
def test_format_is_documented_with_its_suffixes_and_codes(name: str) -> None:
    module = formats.load(name)
    assert name == module.NAME
    row = next(line for line in DOCS.splitlines() if line.startswith(f"| `{name}` |"))
    assert all(f"`{suffix}`" in row for suffix in module.SUFFIXES)
    assert f"\n## {name}\n" in DOCS
    for code in module.CODES:
        assert code.startswith(f"{name}.")
        assert f"\n| `{code}` |" in DOCS


def test_no_code_is_documented_that_does_not_exist() -> None:
    tables = [formats.load(name).CODES for name in formats.names()]
    codes = {
        code
        for table in (*tables, opening.CODES, papers.CODES, *(module.CODES for module in SHARED))
        for code in table
    }
    assert {
        line.split("`")[1]
        for line in DOCS.splitlines()
        if line.startswith("| `") and "." in line.split("`")[1]
    } == codes


def test_the_names_that_a_json_list_takes_are_documented() -> None:
    section = DOCS.partition("## json-list")[2]
    names = [name for names in NAMES.values() for name in names]
    assert len(names) >= 5
    assert [name for name in names if f"`{name}`" not in section] == []
