"""``citeproof fix --complete`` from end to end, against the built-in sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

HASTAD = r"""@article{hastad01,
  author  = {H{\aa}stad, Johan},
  title   = {Some optimal inapproximability results},
  journal = {J. {ACM}},
  year    = {2001}
}
"""
COMPLETE = HASTAD.replace(
    "{2001}\n",
    """{2001},
  volume  = {48},
  number  = {4},
  pages   = {798--859},
  doi     = {10.1145/502090.502098}
""",
)


def completed(citeproof: Program, content: str | bytes, *flags: str) -> bytes:
    path = citeproof.folder / "refs.bib"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = citeproof("fix", "--complete", "--write", *flags, "refs.bib")
    assert done.returncode == 0, done.stderr
    return path.read_bytes()


def test_what_is_missing_is_added_in_the_entrys_own_style(citeproof: Program) -> None:
    assert completed(citeproof, HASTAD).decode() == COMPLETE


def test_added_lines_end_as_the_others_do(citeproof: Program) -> None:
    old = HASTAD.replace("\n", "\r\n").encode("utf-16")
    assert completed(citeproof, old).decode("utf-16") == COMPLETE.replace("\n", "\r\n")


def test_an_entry_of_one_line_stays_one(citeproof: Program) -> None:
    line = " ".join(HASTAD.split("\n")).replace("    =", " =").replace("  =", " =")
    assert b"\n" not in completed(citeproof, line)


def test_a_remark_stays_behind_the_field_that_it_is_about(citeproof: Program) -> None:
    new = completed(citeproof, HASTAD.replace("{2001}", "{2001} % checked")).decode()
    assert "year    = {2001} % checked\n" in new
    assert "  doi     = {10.1145/502090.502098},\n  year" in new


def test_a_field_that_exists_is_not_touched(citeproof: Program) -> None:
    new = completed(
        citeproof, HASTAD.replace("year ", "pages   = {},\n  volume  = {47--},\n  year ")
    ).decode()
    assert "pages   = {},\n  volume  = {47--},\n" in new
    assert new.count("pages") == new.count("volume") == 1


def test_the_venue_is_added_where_the_work_appeared_once_and_as_the_type_says(
    citeproof: Program,
) -> None:
    without = HASTAD.replace("  journal = {J. {ACM}},\n", "")
    assert b"journal = {J. ACM}" in completed(citeproof, without)
    (citeproof.folder / "refs.bib.orig").unlink()
    for kind in ("misc", "inproceedings", "techreport"):
        assert (
            completed(citeproof, without.replace("article", kind))
            == without.replace("article", kind).encode()
        )


def test_what_was_corrected_is_completed(citeproof: Program) -> None:
    assert completed(citeproof, HASTAD.replace("2001", "1997")).decode() == COMPLETE


@pytest.mark.parametrize(
    "doubtful",
    [
        HASTAD.replace("  year    = {2001}\n", "  year    = {2001}, volume = {12}\n"),
        HASTAD.replace("2001", "2002"),
        HASTAD.replace("Johan}", "Johan and Marrowby, Quillon}").replace("optimal", "usual"),
        HASTAD.replace(
            "Some optimal inapproximability results", "Notes on a Workshop that Left No Trace"
        ),
    ],
    ids=["another volume", "a year that is one off", "not identified", "unknown"],
)
def test_what_is_not_certain_is_not_completed(citeproof: Program, doubtful: str) -> None:
    assert completed(citeproof, doubtful) == doubtful.encode()


def test_a_crossref_may_say_what_is_missing(citeproof: Program) -> None:
    new = completed(
        citeproof, HASTAD.replace("year    = {2001}", "year    = {2001}, crossref = {elsewhere}")
    )
    assert b"volume" not in new
    assert b"doi" in new
