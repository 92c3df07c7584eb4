"""``.bbl`` files: what no style of the data folder shows."""

from __future__ import annotations

import pytest

from citeproof.formats import bbl
from citeproof.inputs.document import Document
from citeproof.models import Diagnostic, Reference

BIBLATEX = r"""
% $ biblatex auxiliary file $
\refsection{0}
  \datalist[entry]{nty/global//global/global}
    \entry{lee2019}{article}{}
      \name{author}{2}{}{%
        {{hash=aa}{%
           family={Lee},
           familyi={L\bibinitperiod},
           given={Ann},
           giveni={A\bibinitperiod}}}%
        {{hash=bb}{%
           family={G{\"o}del},
           prefix={von},
           given={Kurt}}}%
      }
      \list{publisher}{1}{%
        {Springer}%
      }
      \strng{namehash}{abc}
      \field{journaltitle}{Journal of X}
      \field{title}{On {\'e}t{\'e}}
      \field{year}{2019}
      \verb{doi}
      \verb 10.1000/XYZ_1
      \endverb
    \endentry
    \entry{ray}{misc}{}
      \name{author}{1}{}{%
        {{hash=cc}{family={The Consortium}}}%
      }
      \true{moreauthor}
      \field{title}{A Second Title}
    \endentry
  \enddatalist
\endrefsection
"""


def read(text: str) -> list[Reference | Diagnostic]:
    return list(bbl.read(Document.of_text(text, "main.bbl")).entries)


def test_biblatex() -> None:
    document = Document.of_text(BIBLATEX + BIBLATEX, "main.bbl")
    assert bbl.accepts(document) == 2
    first, second = bbl.read(document).references
    assert (first.key, first.entry_type, first.title, first.year) == ("lee2019", "article", "On été", 2019)
    assert first.authors == ("Lee, Ann", "von Gödel, Kurt")
    assert (first.venue, first.publisher, first.doi) == ("Journal of X", "Springer", "10.1000/xyz_1")
    assert (second.authors, second.and_others, second.title) == (("The Consortium",), True, "A Second Title")


ITEMS = {
    r"\bibitem{k} {\em The Definitive Manual}. \newblock Press, 1986.": ("The Definitive Manual", (), 1986),
    r"\bibitem{k} A. Lee. \newblock {\em Art of X}, volume~2 of {\em Series}. \newblock Press, 1973.": (
        "Art of X",
        ("A. Lee",),
        1973,
    ),
    r"\bibitem{k} A. Lee. \newblock Large monkeys, 2024.": ("Large monkeys", ("A. Lee",), 2024),
    r"\bibitem{k} A. Lee (Ed.), {B. Ray}, ``What is \emph{this}?'' \emph{J. X}, 2001.": ("What is this?", None, 2001),
    r"\bibitem [{\citenamefont {Doe}(2000)}]{k}\BibitemOpen \bibfield {author} {\bibinfo {author} {\bibfnamefont {J.}~"
    r"\bibnamefont {Doe}} and \bibinfo {author} {\bibnamefont {Roe}},\ }\bibfield {title} {\bibinfo {title} {On it}, }"
    r"\href {https://doi.org/10.1103/x1} {\bibfield {journal} {\bibinfo {journal} {PRL}\ }(\bibinfo {year} {2000})}": (
        "On it",
        ("J. Doe", "Roe"),
        2000,
    ),
    r"\bibitem[a [b] {]}]{k} Ann Lee. A study of winter in towns. Journal of X, 3(2):1--9, 2019.": (
        "A study of winter in towns",
        ("Ann Lee",),
        2019,
    ),
}


@pytest.mark.parametrize("item", ITEMS)
def test_an_entry(item: str) -> None:
    (reference,) = read(f"\\begin{{thebibliography}}{{1}}\n{item}\n\\end{{thebibliography}}")
    assert isinstance(reference, Reference)
    title, authors, year = ITEMS[item]
    assert (reference.key, reference.title, reference.year) == ("k", title, year)
    assert authors is None or reference.authors == authors
    assert reference.raw == item


def test_a_line_stands_for_the_people_of_the_entry_before() -> None:
    first, second = read(
        "\\begin{thebibliography}{2}\\bibitem{a} A. Lee and B. Ray. \\newblock One. \\newblock 2001.\n"
        "\\bibitem{b} ------. \\newblock Two. \\newblock 2002.\\end{thebibliography}"
    )
    assert isinstance(first, Reference)
    assert isinstance(second, Reference)
    assert first.authors == second.authors == ("A. Lee", "B. Ray")


def test_a_paper_is_no_bbl() -> None:
    text = "\\documentclass{a}\\begin{thebibliography}{1}\\bibitem{a} A. Lee.\\end{thebibliography}"
    assert bbl.accepts(Document.of_text(text, "a.bbl")) == 0
