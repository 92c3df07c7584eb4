"""docs/database.md says what the program says."""

import re
from pathlib import Path

import pytest

from citeproof.database import schema
from citeproof.database.building.sources.dblp import PUBLICATIONS
from citeproof.database.word_index import EVERY, NEAREST, NEAREST_TITLES
from citeproof.verification.strategies.local import MOST_OF_A_TITLE

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "database.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())
SOURCE = "".join(
    re.sub(r'"\n +f?"', "", path.read_text(encoding="utf-8"))  # a string over several lines
    for floor in ("database", "store", "online/net", "processes", "cli")
    for path in (ROOT / "src" / "citeproof" / floor).rglob("*.py")
)
ERRORS = PAGE[PAGE.index("## What errors mean") : PAGE.index("## How fast")]
MESSAGES = [
    message
    for line in ERRORS.splitlines()
    if line.startswith("| `")
    for message in re.findall(r"`([^`]+)`", line.split("|")[1])
]


@pytest.mark.parametrize("message", MESSAGES)
def test_every_message_of_the_page_is_one_of_the_program(message: str) -> None:
    pieces = [piece.strip() for piece in re.split(r"\b[NM]\b|<x>|'x'|&x;", message)]
    assert "".join(pieces)
    assert [piece for piece in pieces if piece not in SOURCE] == []


def test_the_tables_of_the_page_are_those_of_the_database() -> None:
    columns = re.search(r"publications\(([^)]*)\)", PAGE)
    assert columns
    assert [name.strip() for name in columns[1].split(",")] == ["id", *schema.COLUMNS, "checksum"]
    for kind in PUBLICATIONS:
        assert f"`{kind}`" in PAGE


def test_the_numbers_of_the_word_index_are_its_own() -> None:
    assert f"at most {EVERY.rare:,} titles have it" in PAGE
    assert {5: "two of its five rarest words"}[EVERY.paired] in TEXT
    assert (
        f"at most {NEAREST_TITLES} titles: titles with a word of the query that at most "
        f"{NEAREST.rare} titles have"
    ) in TEXT
    assert {4: "two of the query's four rarest words"}[NEAREST.paired] in TEXT


def test_the_most_records_of_one_title_are_those_of_the_strategy() -> None:
    assert f"at most {MOST_OF_A_TITLE} records with this title" in TEXT
