"""Entries that ``explain`` and ``accept`` are given by key, DOI, title or number."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import click
import pytest

from citeproof.cli import entries
from citeproof.cli.entries import Entry, entries_of
from citeproof.fix import acceptance
from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Place, Reference
from citeproof.verification.session import Session

FIRST = Reference("codd70", title="A Relational Model", doi="10.1145/362384.362685")
SECOND = Reference("7", title="A Theory of the Learnable")
BROKEN = Diagnostic(Place("refs.bib", 9), "bibtex.unclosed", "is never closed", key="open")
LIST: list[Entry] = [FIRST, SECOND, BROKEN]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("codd70", [FIRST]),
        ("https://doi.org/10.1145/362384.362685", [FIRST]),
        ("a theory of THE learnable!", [SECOND]),
        ("7", [SECOND]),
        ("1", [FIRST]),
        ("3", [BROKEN]),
        ("open", [BROKEN]),
    ],
)
def test_named_finds_an_entry_by_key_then_doi_or_title_then_number(
    name: str, found: list[Entry]
) -> None:
    assert entries._named(name, LIST, "refs.bib") == found


@pytest.mark.parametrize("name", ["0", "4", "-1", "²"])
def test_named_counts_entries_from_1_to_the_last(name: str) -> None:
    with pytest.raises(InputError, match=r"has no entry .*; it has 7, codd70, open$"):
        entries._named(name, LIST, "refs.bib")


def test_named_suggests_similar_keys_and_counts_the_others() -> None:
    many: list[Entry] = [replace(FIRST, key=f"smith{n}", doi="") for n in range(8)]
    with pytest.raises(InputError) as raised:
        entries._named("smith99", many, "refs.bib")
    assert str(raised.value).endswith(" and 5 more")
    with pytest.raises(InputError, match=r"have no keys: name one by its number \(1 to 1\)"):
        entries._named("x", [replace(FIRST, key="")], "refs.bib")


def test_only_refuses_entries_that_differ_or_that_no_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.touch()
    held = replace(FIRST, place=Place(str(path), 1))
    twice = replace(held, place=Place(str(path), 5))
    assert entries._only("codd70", [held, twice]) == held
    with pytest.raises(InputError, match=r"'codd70' occurs several times with different content"):
        entries._only("codd70", [held, replace(twice, title="Another One")])
    with pytest.raises(InputError, match="has no key, DOI or title"):
        entries._only("", [Reference("", year=1970, place=Place(str(path), 1))])
    with pytest.raises(InputError, match="is not a file in a folder"):
        entries._only("codd70", [replace(FIRST, place=Place("refs.zip/refs.bib", 1))])


def test_reason_is_one_printable_line() -> None:
    assert entries._reason("  seen in\n the archive ") == "seen in the archive"
    for wrong in (None, " \n ", "red \x1b[31m"):
        with pytest.raises(click.UsageError):
            entries._reason(wrong)


def test_day_is_today_or_later() -> None:
    today = date.today()
    assert entries._day(None) is None
    assert entries._day(today.isoformat()) == today
    with pytest.raises(click.UsageError, match="this date has passed"):
        entries._day((today - timedelta(days=1)).isoformat())
    with pytest.raises(click.UsageError, match="--until takes a date such as"):
        entries._day("next year")


def test_trials_correct_each_differing_field_and_then_all(sample_session: Session) -> None:
    wrong = Reference(
        "v",
        title="A Theory of the Learnable",
        authors=("Leslie G. Valiant", "Ada Stranger"),
        year=1988,
        venue="Communications of the ACM",
    )
    seen = sample_session.pipeline.examine(wrong)
    assert seen.verdict.is_flagged
    trials = list(entries._trials(sample_session, seen.verdict))
    assert [trial.fields for trial in trials] == [("authors",), ("year",), ("authors", "year")]
    assert [trial.status.value for trial in trials][-1] == "VALID"
    assert "VALID" not in [trial.status.value for trial in trials][:-1]
    right = sample_session.pipeline.verify(
        replace(wrong, authors=("Leslie G. Valiant",), year=1984)
    )
    assert right.is_valid
    assert list(entries._trials(sample_session, right)) == []


BIBLIOGRAPHY = """@article{a, title = {One Matter}, author = {Ada Almgren}, year = 2001}
@article{b, title = {Another Matter}, author = {Bo Berg}, year = 2002}
"""


def test_remove_names_what_is_accepted_if_the_key_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "refs.bib"
    path.write_text(BIBLIOGRAPHY)
    first = next(one for one in entries_of(str(path), None) if isinstance(one, Reference))
    content = acceptance.content_of(first)
    accepted = acceptance.Accepted("refs.bib", "a", "seen", date(2026, 1, 2), None, content)
    entries._change(tmp_path / acceptance.NAME, added=[accepted])
    with pytest.raises(
        InputError, match=r"has no accepted entry 'b' of refs\.bib; accepted entries: a$"
    ):
        entries._remove(str(path), ["b"], None)
    entries._remove(str(path), ["One Matter"], None)
    assert "One Matter: no longer accepted" in capsys.readouterr().out
    assert acceptance.read(tmp_path / acceptance.NAME) == ()


def test_list_shows_acceptances_of_entries_that_are_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "refs.bib"
    path.write_text(BIBLIOGRAPHY)
    first, second = (one for one in entries_of(str(path), None) if isinstance(one, Reference))
    entries._change(
        tmp_path / acceptance.NAME,
        added=[
            acceptance.Accepted(
                "refs.bib", one.key, "seen", date(2026, 1, 2), None, acceptance.content_of(one)
            )
            for one in (first, second)
        ],
    )
    path.write_text(BIBLIOGRAPHY.partition("@article{b")[0].replace("2001", "2003"))
    entries._list(str(path), None)
    changed, gone = capsys.readouterr().out.splitlines()
    assert changed == f"{path}:1 a: seen (2026-01-02; the entry has changed since): One Matter"
    assert gone == f"{path} b: seen (2026-01-02; this entry no longer exists)"
