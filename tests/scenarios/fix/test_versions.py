"""``citeproof fix`` changes nothing that another version of the work may explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

TITLE = "title = {Attention is All you Need}, author = {Ashish Vaswani and Noam Shazeer}"


@pytest.mark.parametrize(
    "entry",
    [
        (
            f"@article{{preprint, {TITLE}, journal = {{arXiv preprint arXiv:1706.99999}}, year ="
            " 2014}"
        ),
        f"@phdthesis{{thesis, {TITLE}, school = {{A University}}, year = 2021}}",
        f"@techreport{{report, {TITLE}, institution = {{A Laboratory}}, year = 2012}}",
        f"@article{{reprint, {TITLE}, journal = {{Journal of Reprinted Papers}}, year = 2022}}",
        (
            "@book{edition, title = {Types and Programming Languages}, author = {Benjamin C."
            " Pierce}, year = 2010, publisher = {Another Press}}"
        ),
    ],
)
def test_fix_leaves_the_year_and_people_of_another_version(citeproof: Program, entry: str) -> None:
    (citeproof.folder / "refs.bib").write_text(entry)
    done = citeproof("fix", "refs.bib", "--no-cache")
    assert done.returncode == 0
    assert done.stdout == ""
