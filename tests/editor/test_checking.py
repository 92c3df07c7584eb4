"""Checks of documents that are open in an editor."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING
from unittest.mock import MagicMock

import pytest

from citeproof.editor import checking
from citeproof.editor.checking import Checker, bibliographies_beside
from citeproof.readers.document import Document
from citeproof.readers.formats import read
from citeproof.report.advice import part
from citeproof.settings import load
from citeproof.verification.startup import open_session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.verification.session import Session

WRONG = """@article{valiant88,
  author = {Leslie G. Valiant},
  title = {A Theory of the Learnable},
  journal = {Communications of the ACM},
  year = {1988},
}
"""
RIGHT = WRONG.replace("1988", "1984").replace("valiant88", "valiant84")
BROKEN = "@article{open,\n  title = {Never closed\n"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with open_session(load(no_cache=True, offline=True)) as opened:
        yield opened


def test_check_names_the_field_that_differs(session: Session) -> None:
    found = Checker(session).check("refs.bib", RIGHT + "\n" + WRONG)
    assert found is not None
    (finding,) = found
    assert (finding.code, finding.error) == ("year.off", False)
    assert (finding.region.start_line, finding.region.start_column) == (12, 10)


def test_check_names_an_entry_that_cannot_be_read(session: Session) -> None:
    found = Checker(session).check("refs.bib", RIGHT + BROKEN)
    assert found is not None
    assert [(one.region.start_line, one.error) for one in found] == [(7, True)]


def test_check_ends_when_it_is_cancelled(session: Session) -> None:
    assert Checker(session).check("refs.bib", WRONG, lambda: True) is None


@pytest.mark.parametrize("inserted", ["x", "xyz", "\n", "é", ", and \U0001d54f", ""])
def test_check_reads_one_edited_entry_as_the_whole_file_would_be_read(
    session: Session, inserted: str
) -> None:
    checker = Checker(session)
    text = "\n\n".join(RIGHT.replace("valiant84", f"key{number}") for number in range(5))
    checker.check("refs.bib", text)
    place = text.index("Theory", text.index("key2"))
    edited = text[:place] + inserted + text[place + (not inserted) :]
    quick = checker._with_one_entry_edited("refs.bib", edited)
    assert quick is not None
    assert quick.entries == read(Document.of_text(edited, "refs.bib")).entries


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("key2,", "key2, }"),
        ("@article{key2", "@string{a = {b}} @article{key2"),
        ("\n}\n", "\n"),
        ("key2", "key2"),
    ],
)
def test_check_reads_the_whole_file_where_an_edit_reaches_further(
    session: Session, old: str, new: str
) -> None:
    checker = Checker(session)
    text = "\n\n".join(RIGHT.replace("valiant84", f"key{number}") for number in range(5))
    checker.check("refs.bib", text)
    edited = text.replace(old, new) + "\n% end"
    assert checker._with_one_entry_edited("refs.bib", edited) is None
    checker.check("refs.bib", edited)
    assert (
        checker._read("refs.bib", edited).entries
        == read(Document.of_text(edited, "refs.bib")).entries
    )


@pytest.mark.parametrize("typed", ["crossref = {key1}", "@string{a = {b}}", "XData = {key1}"])
def test_check_reads_the_whole_file_where_an_entry_begins_to_depend_on_another(
    session: Session, typed: str
) -> None:
    checker = Checker(session)
    text = "\n\n".join(RIGHT.replace("valiant84", f"key{number}") for number in range(5))
    checker.check("refs.bib", text)
    for edited in (
        text.replace("key2,", f"key2, {typed},"),
        text.replace("key2,", f"key2, {typed}, note = {{x}},"),
    ):
        assert checker._with_one_entry_edited("refs.bib", edited) is None
        assert (
            checker._read("refs.bib", edited).entries
            == read(Document.of_text(edited, "refs.bib")).entries
        )


def test_check_reads_verifies_and_describes_only_the_edited_entry(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = Checker(session)
    text = "\n\n".join(WRONG.replace("valiant88", f"key{number}") for number in range(5))
    checker.check("refs.bib", text)
    edited = text.replace("key2,", "key2, note = {x},")
    pipeline = MagicMock(wraps=session.pipeline)
    described = MagicMock(wraps=part)
    monkeypatch.setattr(checker, "_session", SimpleNamespace(pipeline=pipeline))
    monkeypatch.setattr(checking, "part", described)
    monkeypatch.setattr(checking, "read", None)
    found = checker.check("refs.bib", edited)
    assert found is not None
    assert [one.region.start_line for one in found] == [5, 13, 21, 29, 37]
    assert [call.args[0].key for call in pipeline.verify.call_args_list] == ["key2"]
    assert described.call_count == 1


def test_hover_shows_the_record_and_its_link(session: Session) -> None:
    shown = Checker(session).hover("refs.bib", WRONG, 3)
    assert shown.startswith("**SUSPICIOUS** ")
    assert "[A Theory of the Learnable](https://doi.org/10.1145/1968.1972)" in shown
    assert Checker(session).hover("refs.bib", "% nothing here\n" + WRONG, 1) == ""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "before", ["", "@string{acm = {Communications of the ACM}}\n", "% é \U0001d54f\n"]
)
def test_change_changes_correct_the_entry_at_the_line(
    session: Session, before: str, end: str
) -> None:
    text = (before + RIGHT + "\n" + WRONG).replace("\n", end)
    line = text[: text.index("valiant88")].count("\n") + 1
    change = Checker(session).change("refs.bib", text, line)
    assert change
    text = text[: change.start] + change.text + text[change.end :]
    assert text == (before + RIGHT + "\n" + WRONG.replace("1988", "1984")).replace("\n", end)


def test_change_changes_leave_a_right_entry_alone(session: Session) -> None:
    assert Checker(session).change("refs.bib", RIGHT, 1) is None
    assert Checker(session).change("refs.tex", WRONG, 1) is None


@pytest.mark.parametrize(
    "line", ["a theory of the learnable", "  title = {A Theory of the Lernable},"]
)
def test_works_finds_a_title_as_it_is_typed(session: Session, line: str) -> None:
    assert [record.title for record in Checker(session).works(line)] == [
        "A Theory of the Learnable"
    ]


@pytest.mark.parametrize("line", ["", "  title = {", "theory", "}"])
def test_works_offers_nothing_for_less_than_two_words(session: Session, line: str) -> None:
    assert Checker(session).works(line) == []


@pytest.mark.parametrize(
    ("before", "keys"),
    [
        (r"as shown in \cite{", ["valiant84", "other"]),
        (r"as \citep[p.~3]{other,val", ["valiant84"]),
        (r"as \textcite*{learnable", ["valiant84"]),
        ("as [@oth", ["other"]),
        (r"as \cite{valiant84} shows", []),
        ("mail me@example", []),
    ],
)
def test_citations_offers_keys_for_an_open_citation(
    session: Session, before: str, keys: list[str]
) -> None:
    text = RIGHT + "@misc{other, title={Something Else}}\n"
    assert [one.key for one in Checker(session).citations(before, [("refs.bib", text)])] == keys


def test_bibliographies_beside_are_files_with_what_the_editor_has(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("saved")
    (tmp_path / "b.bib").write_text("saved too")
    (tmp_path / "folder.bib").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.bib")
    found = bibliographies_beside(tmp_path / "main.tex", {str(tmp_path / "a.bib"): "typed"})
    assert found == [(str(tmp_path / "a.bib"), "typed"), (str(tmp_path / "b.bib"), "saved too")]
