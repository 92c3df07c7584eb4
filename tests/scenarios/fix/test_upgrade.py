"""``citeproof fix --upgrade`` from end to end, against the built-in sample."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.program import Program

BERT = """% kept
@article{devlin2018bert,
  title={Bert: Pre-training of deep bidirectional transformers for language understanding},
  author={Devlin, Jacob and Chang, Ming-Wei and Lee, Kenton and Toutanova, Kristina},
  journal={arXiv preprint arXiv:1810.04805},
  year={2018},
  note={read twice}
}
"""
PUBLISHED = """% kept
@inproceedings{devlin2018bert,
  title={Bert: Pre-training of deep bidirectional transformers for language understanding},
  author={Devlin, Jacob and Chang, Ming-Wei and Lee, Kenton and Toutanova, Kristina},
  booktitle={NAACL-HLT},
  year={2019},
  pages={4171--4186},
  doi={10.18653/v1/n19-1423},
  eprint={1810.04805},
  archiveprefix={arXiv},
  note={read twice}
}
"""


def upgraded(citeproof: Program, content: str) -> str:
    path = citeproof.folder / "refs.bib"
    path.write_text(content)
    patch = citeproof("fix", "--upgrade", "refs.bib")
    assert patch.returncode == 0, patch.stderr
    if patch.stdout:
        subprocess.run(
            ["git", "apply", "-"], input=patch.stdout.encode(), cwd=citeproof.folder, check=True
        )
        assert citeproof("fix", "--upgrade", "refs.bib").stdout == ""
    return path.read_text()


def test_a_preprint_becomes_its_published_version(citeproof: Program) -> None:
    assert upgraded(citeproof, BERT) == PUBLISHED
    assert citeproof("verify", "--no-cache", "refs.bib").returncode == 0


def test_every_way_to_cite_a_preprint_becomes_the_same(citeproof: Program) -> None:
    own = "eprint={1810.04805},\n  archiveprefix={arXiv},\n"
    forms = [
        BERT.replace("@article", "@misc").replace(
            "journal={arXiv preprint arXiv:1810.04805},\n", own
        ),
        BERT.replace("arXiv preprint arXiv:1810.04805", "CoRR").replace(
            "year=", "volume={abs/1810.04805},\n  year="
        ),
        BERT.replace(
            "year={2018}", "month=oct,\n  eid={arXiv:1810.04805},\n  pages={1--15},\n  year={2018}"
        ),
        BERT.replace("note=", "doi={10.48550/arXiv.1810.04805},\n  publisher={arXiv},\n  note="),
    ]
    found = upgraded(citeproof, "".join(forms)).removeprefix("% kept\n").split("% kept\n")
    lines = sorted(PUBLISHED.removeprefix("% kept\n").split("\n"))
    assert [sorted(entry.split("\n")) for entry in found] == [lines] * len(forms)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Devlin, Jacob and Chang, Ming-Wei", "Chang, Ming-Wei and Devlin, Jacob"),
        ("Bert: Pre-training", "Pre-training"),
        ("year={2018}", "year={2018}, year={2018}"),
        ("year={2018},", "year={2018}, % of the preprint"),
        ("note=", "crossref={elsewhere}, note="),
        ("note=", "doi={10.1000/182}, note="),
        ("@article", "@techreport"),
    ],
    ids=["another order", "another title", "twice", "remark", "crossref", "doi", "type"],
)
def test_what_is_not_certain_stays_a_preprint(citeproof: Program, old: str, new: str) -> None:
    cited = BERT.replace(old, new, 1)
    assert cited != BERT
    assert "arXiv preprint" in upgraded(citeproof, cited)


def test_a_paper_with_its_preprints_number_is_none(citeproof: Program) -> None:
    assert upgraded(citeproof, PUBLISHED) == PUBLISHED


def test_standard_error_says_what_becomes_of_each_field(citeproof: Program) -> None:
    (citeproof.folder / "refs.bib").write_text(BERT)
    said = citeproof("fix", "--upgrade", "refs.bib").stderr
    assert (
        "refs.bib:2 devlin2018bert: booktitle: arXiv preprint arXiv:1810.04805 -> NAACL-HLT" in said
    )
    assert "refs.bib:2 devlin2018bert: doi: added 10.18653/v1/n19-1423" in said
    assert said.endswith("0 fields to correct, 1 preprint to upgrade\n")
