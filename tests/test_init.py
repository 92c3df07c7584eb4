"""The public API: ``import citeproof``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import citeproof
from citeproof import models
from citeproof.errors import DatabaseError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.bibdb.database import Database


@pytest.fixture(scope="module")
def sample() -> Iterator[Database]:
    with citeproof.open_database() as database:
        yield database


def test_every_name_is_there_and_no_other() -> None:
    assert [name for name in citeproof.__all__ if not hasattr(citeproof, name)] == []
    assert set(dir(citeproof)) == set(citeproof.__all__)
    assert citeproof.Reference is models.Reference
    assert not hasattr(citeproof, "Citation")


def test_a_title_is_looked_up(sample: Database) -> None:
    lookup = citeproof.look_up("The Google File Systen", sample)
    assert lookup.found
    assert lookup.candidates[0].record.year == 2003


def test_a_reference_is_verified(sample: Database) -> None:
    reference = citeproof.Reference("key", "The Google File System", ("Ghemawat, S.",), and_others=True, year=2003)
    verdict = citeproof.verify(reference, sample)
    assert verdict.status is citeproof.Status.VALID
    assert isinstance(verdict.best_match, citeproof.Candidate)


def test_bytes_are_read_and_checked_as_a_file_of_them(sample: Database, bibliography: Path) -> None:
    data = bibliography.read_bytes()
    named, given = citeproof.check(bibliography, sample), citeproof.check(data, sample)
    assert [verdict.status for verdict in given.verdicts] == [verdict.status for verdict in named.verdicts]
    assert [entry.place.file for entry in citeproof.read(data).references] == ["<bytes>"] * 3
    assert len(list(citeproof.stream(data, sample))) == 4
    assert citeproof.read(b"A Theory of the Learnable\n", "titles").references[0].title == "A Theory of the Learnable"


def test_a_text_in_place_of_a_name_is_called_so_and_not_repeated() -> None:
    with pytest.raises(InputError) as caught:
        citeproof.read("@article{x,\n title = {" + "x" * 3000 + "}}")
    assert str(caught.value) == (
        "a text in place of a file's name; give what a file would hold as bytes: text.encode()"
    )


def test_a_missing_database_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"missing\.db"):
        citeproof.open_database(tmp_path / "missing.db")


@pytest.mark.parametrize("name", citeproof.__all__)
def test_everything_public_is_there_and_explained(name: str) -> None:
    public = getattr(citeproof, name)
    assert name.startswith("__") or public.__doc__
