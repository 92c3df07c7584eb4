"""What commands show on a narrow terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

TITLE = "Kiln Ledgers of the Upper Valley Potters and Weavers"


def test_a_title_is_whole_where_its_place_and_key_fill_the_line(citeproof: Program) -> None:
    (citeproof.folder / "references.bib").write_text(
        f"@misc{{osk2014kilnledgers, author = {{Osk, Mira}}, title = {{{TITLE}}}, year = 2014}}\n"
    )
    for columns, whole in (("40", True), ("80", False)):
        citeproof.environment["COLUMNS"] = columns
        shown = citeproof("verify", "references.bib", "--no-cache").stdout
        assert "osk2014kilnledgers" in shown
        assert (TITLE in " ".join(shown.split())) is whole


@pytest.mark.parametrize(
    ("command", "phrase"),
    [
        ("db list", "conference papers, journals, books, CoRR"),
        ("db info", "newest of 2026-11-20"),
        ("db info --venue STOC", "STOC"),
        ("sources", "Semantic Scholar: not asked, no key"),
        ("explain refs.bib theory --no-cache", "Does the work exist?"),
        ("lookup 'A Theory of the Learnables'", "A Theory of the Learnable"),
        ("lookup 'The Google File System'", "Sanjay Ghemawat, Howard Gobioff, Shun-Tak Leung"),
    ],
)
def test_only_a_longer_word_is_wider_than_the_terminal(
    citeproof: Program, command: str, phrase: str
) -> None:
    (citeproof.folder / "refs.bib").write_text(
        "@misc{theory, author = {Leslie G. Valiant}, title = {A Theory of the Learnable},"
        " year = 1999}\n"
    )
    citeproof.environment["COLUMNS"] = "40"
    shown = citeproof(*shlex.split(command)).stdout
    assert phrase in " ".join(shown.split())
    wide = [line for line in shown.splitlines() if len(line) > 40]
    assert [line for line in wide if " " in line.strip()] == []
