"""The law of style: a true record in any house style, transliteration or abbreviation is VALID."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from anyascii import anyascii
from hypothesis import given, settings
from hypothesis import strategies as st

import citeproof
from citeproof.database.building.sample import sample_database
from citeproof.model.verdict import Status
from tests.accuracy.entries import entry, escaped, fields_of, kind_of, read
from tests.accuracy.restyle import NAME_STYLES, latex_accents
from tests.scenarios.verdict.conftest import chain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citeproof.model.record import Record
    from citeproof.verification.pipeline import Pipeline

SPELLINGS: tuple[Callable[[str], str], ...] = (str, anyascii, latex_accents)
TITLES: tuple[Callable[[str], str], ...] = (
    str,
    str.lower,
    str.title,
    lambda title: f"{{{title}}}",
    "{}.".format,
)
KINDS = frozenset({"article", "inproceedings"})


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Pipeline, list[Record]]]:
    """Return the chain on the sample of real records, and those of papers among them."""
    with citeproof.open_database(sample_database(tmp_path_factory.mktemp("style"))) as database:
        records = database.records([number for number, _ in database.titles()])
        papers = [
            record
            for record in records
            if record.pub_type in KINDS and record.authors and record.year
        ]
        assert len(papers) > 30
        yield chain(database), papers


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_true_record_is_valid_in_any_style(
    sample: tuple[Pipeline, list[Record]], data: st.DataObject
) -> None:
    pipeline, papers = sample
    record = data.draw(st.sampled_from(papers))
    names = [data.draw(st.sampled_from(NAME_STYLES))(escaped(name)) for name in record.authors]
    if len(names) > 3 and data.draw(st.booleans()):
        names = [*names[: data.draw(st.integers(1, 3))], "others"]
    spell = data.draw(st.sampled_from(SPELLINGS))
    fields = fields_of(record)
    fields |= {
        "author": spell(" and ".join(names)),
        "title": data.draw(st.sampled_from(TITLES))(spell(fields["title"])),
    }
    if record.pub_type == "inproceedings" and data.draw(st.booleans()):
        fields["year"] = str((record.year or 0) - 1)
    if record.doi and data.draw(st.booleans()):
        fields["doi"] = f"https://doi.org/{record.doi}"
    written = entry(kind_of(record), "r", fields)
    (reference,) = read([written])
    verdict = pipeline.verify(reference)
    assert verdict.status is Status.VALID, f"{written}\n{verdict.issues}"
