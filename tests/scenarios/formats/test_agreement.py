"""A ``.bbl`` beside its ``.bib``: both are read as the same works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.readers.formats import read_all
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.model.reference import Reference

pytestmark = pytest.mark.shared

PAIRS = {
    "bib/20_icml_natbib.bbl": ("bib/08_icml_paper.bib", 26),
    "bib/21_ieeetran.bbl": ("bib/07_ieee_paper.bib", 25),
    "bib/22_plain.bbl": ("bib/05_lab_references.bib", 16),
    "bib/23_acm_reference_format.bbl": ("bib/06_zotero_bbt_vlhcc.bib", 14),
    "bib/24_ieee_short.bbl": ("bib/06_zotero_bbt_vlhcc.bib", 4),
    "bib/25_xampl_alpha.bbl": ("bib/30_xampl.bib", 32),
    "bib/26_xampl_jurabib.bbl": ("bib/30_xampl.bib", 33),
    "bib/27_IEEEtran_test.bbl": ("bib/32_IEEEtran_test.bib", 4),
    "projects/interaction-scaling/main.bbl": ("projects/interaction-scaling/refs.bib", 29),
    "projects/tool-fabrication/main.bbl": ("projects/tool-fabrication/refs.bib", 31),
}
"""A ``.bbl``, the ``.bib`` it was made from, and how many titles agree at least.

Three keys of 23 mean other works in the ``.bib``, which is a later one; of xampl some entries have
no title.
"""


@pytest.mark.parametrize("name", PAIRS)
def test_titles_and_authors_agree(shared: Path, name: str) -> None:
    other, least = PAIRS[name]
    stated = {reference.key.lower(): reference for reference in read(shared / "samples" / other)}
    printed = [one for one in read(shared / "samples" / name) if one.key.lower() in stated]
    both = [(one, stated[one.key.lower()]) for one in printed]
    assert (
        sum(normalize_title(one.title) == normalize_title(two.title) for one, two in both) >= least
    )
    assert (
        sum(len(one.authors) == len(two.authors) or one.and_others for one, two in both)
        >= least - 1
    )


@pytest.mark.parametrize(
    ("paper", "cited"), [("interaction-scaling", 29), ("tool-fabrication", 31), ("sherlock", 69)]
)
def test_a_paper_cites_what_its_bbl_prints(shared: Path, paper: str, cited: int) -> None:
    found = read(shared / "samples" / "projects" / paper / "main.tex")
    assert len(found) == cited
    assert all(reference.title for reference in found)


def read(path: Path) -> tuple[Reference, ...]:
    (bibliography,) = read_all(papers_of(open_documents([str(path)])))
    return bibliography.references
