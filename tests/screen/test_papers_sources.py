"""Whether the files of a folder are the sources of one paper."""

import pytest

from citeproof.screen.papers import hold_one_paper

_FIGURES = ("fig1.pdf", "fig2.pdf", "fig3.pdf")


@pytest.mark.parametrize(
    ("names", "written", "one"),
    [
        (("refs.bib", "main.pdf"), "", False),
        (("main.tex", "refs.bib"), "", True),
        (("main.tex", "main.pdf", "submitted.pdf"), "", True),
        (
            ("MAIN.TEX", "submitted.pdf", *_FIGURES),
            r"\includegraphics{fig1} {fig2} {fig3.pdf}",
            True,
        ),
        (("template.tex", "1.pdf", "2.pdf"), r"\title{Template}", False),
    ],
)
def test_hold_one_paper_is_false_for_pdfs_that_no_source_names(
    names: tuple[str, ...], written: str, *, one: bool
) -> None:
    assert hold_one_paper(names, lambda: written) is one


def test_hold_one_paper_reads_sources_only_beside_pdfs() -> None:
    def written() -> str:
        raise AssertionError("read")

    assert hold_one_paper(("main.tex", "main.pdf", "submitted.pdf"), written)
