"""``.bbl`` files: what no style of the data folder shows."""

import pytest

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.document import Document
from citeproof.readers.formats import bbl

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


APACITE = r"""
\begin{thebibliography}{}
\bibitem [\protect \citeauthoryear {Lee}{Lee}{2018}]{lee}
\begin{APACrefauthors}%
Lee, J\BPBI T.%
, Kim, S\BHBI I.%
, Ray, B.%
\BDBL {}Zed, C.%
\end{APACrefauthors}%
\newblock
\APACrefYearMonthDay{2018}{}{}.
\newblock
{\BBOQ}\APACrefatitle {On winter} {On winter}.{\BBCQ}
\newblock
\APACjournalVolNumPages{Journal of Snow}{1}{}{2--3}.
\bibitem [\protect \citeauthoryear {Ray}{Ray}{2019}]{ray}
\begin{APACrefauthors}%
Ray, B.%
\BCBT {}\ \BBA {} Zed, C\BPBI D.%
\end{APACrefauthors}%
\newblock
\APACrefYearMonthDay{2019}{}{}.
\newblock
\APACrefbtitle {On snow} {On snow}.
\end{thebibliography}
"""


def test_read_apacite() -> None:
    first, second = bbl.read(Document.of_text(APACITE, "main.bbl")).references
    assert first.authors == ("Lee, J. T.", "Kim, S.-I.", "Ray, B.", "Zed, C.")
    assert first.and_others
    assert (second.authors, second.and_others) == (("Ray, B.", "Zed, C. D."), False)


def test_read_biblatex_parts_names_by_macros() -> None:
    text = BIBLATEX.replace("{Lee}", r"{De\bibnamedelima Lee}").replace(
        "{Ann}", r"{Ann\bibnamedelimb B.}"
    )
    assert bbl.read(Document.of_text(text, "main.bbl")).references[0].authors[0] == "De Lee, Ann B."


def test_read_biblatex_lists() -> None:
    first, *_ = bbl.read(Document.of_text(BIBLATEX, "main.bbl")).references
    assert first.publisher == "Springer"


def read(text: str) -> list[Reference | Diagnostic]:
    return list(bbl.read(Document.of_text(text, "main.bbl")).entries)


def test_accepts_biblatex() -> None:
    document = Document.of_text(BIBLATEX + BIBLATEX, "main.bbl")
    assert bbl.accepts(document) == 2
    first, second = bbl.read(document).references
    assert (first.key, first.entry_type, first.title, first.year) == (
        "lee2019",
        "article",
        "On été",
        2019,
    )
    assert first.authors == ("Lee, Ann", "von Gödel, Kurt")
    assert (first.venue, first.publisher, first.doi) == (
        "Journal of X",
        "Springer",
        "10.1000/xyz_1",
    )
    assert (second.authors, second.and_others, second.title) == (
        ("The Consortium",),
        True,
        "A Second Title",
    )


ITEMS = {
    r"\bibitem{k} {\em The Definitive Manual}. \newblock Press, 1986.": (
        "The Definitive Manual",
        (),
        1986,
    ),
    r"\bibitem{k} A. Lee. \newblock {\em Art of X}, volume~2 of {\em Series}. \newblock Press, 1973.": (
        "Art of X",
        ("A. Lee",),
        1973,
    ),
    r"\bibitem{k} A. Lee. \newblock Large monkeys, 2024.": ("Large monkeys", ("A. Lee",), 2024),
    r"\bibitem{k} A. Lee (Ed.), {B. Ray}, ``What is \emph{this}?'' \emph{J. X}, 2001.": (
        "What is this?",
        None,
        2001,
    ),
    r"\bibitem [{\citenamefont {Doe}(2000)}]{k}\BibitemOpen \bibfield {author} {\bibinfo {author}"
    r" {\bibfnamefont {J.}~"
    r"\bibnamefont {Doe}} and \bibinfo {author} {\bibnamefont {Roe}},\ }\bibfield {title} {\bibinfo"
    r" {title} {On it}, }"
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
def test_read_an_entry(item: str) -> None:
    (reference,) = read(f"\\begin{{thebibliography}}{{1}}\n{item}\n\\end{{thebibliography}}")
    assert isinstance(reference, Reference)
    title, authors, year = ITEMS[item]
    assert (reference.key, reference.title, reference.year) == ("k", title, year)
    assert authors is None or reference.authors == authors
    assert reference.raw == item


UNFINISHED = {
    "Nature": (
        r"""\bibitem{k}
\bibinfo{author}{Brown, T.~B.} \emph{et~al.}
\newblock \bibinfo{title}{Few shots}. \newblock \emph{\bibinfo{journal}{Proc. X}} (\bibinfo{year}{2020})."""
    ),
    "Nature, book": (
        r"""\bibitem{k}
\bibinfo{author}{Brown, T.~B.} \emph{et~al.} \bibinfo{title}{Few shots}. (eds \bibinfo{editor}{Lee, H.}
\& \bibinfo{editor}{Ray, M.})
\emph{\bibinfo{booktitle}{Proc. X}} (\bibinfo{year}{2020})."""
    ),
    "Springer, numbers": (
        r"""\bibitem[\protect\citeauthoryear{Brown et~al.}{2020}]{k}
\begin{bchapter} \bauthor{\bsnm{Brown}, \binits{T.~B.}}, \betal: \bctitle{Few shots}.
In: \bbtitle{Proc. X}, pp. \bfpage{7}--\blpage{9} (\byear{2020}) \end{bchapter}
\endbibitem"""
    ),
    "spmpsci": (
        r"\bibitem{k} Brown, T.~B., et~al.: Few shots."
        "\n"
        r"\newblock Proc. X \textbf{3}, 1--9 (2020)"
    ),
    "spbasic": r"\bibitem[{Brown et~al(2020)}]{k} Brown TB, et~al (2020) Few shots. Proc. X 3:1--9",
    "klunum": (
        r"\bibitem{k} Brown, T. B., et~al.: 2020, \newblock Few shots. \newblock {\em Proc. X} 33."
    ),
    "ACM": (
        r"""\bibitem[Brown et~al\mbox{.}(2020)]{k}
\bibfield{author}{\bibinfo{person}{T.~B. Brown}, {et~al\mbox{.}}} \bibinfo{year}{2020}.
\newblock \showarticletitle{Few shots}. \newblock \bibinfo{journal}{\emph{Proc. X}} (\bibinfo{year}{2020})."""
    ),
    "Elsevier": (
        r"""\bibitem[{Brown et~al.(2020)}]{k}
\bibinfo{author}{Brown, T.~B.}, et~al., \bibinfo{year}{2020}.
\bibinfo{title}{Few shots}. \bibinfo{journal}{Proc. X}."""
    ),
    "Elsevier, numbers": (
        r"""\bibitem{k} \bibinfo{author}{T.~B. Brown}, \bibinfo{author}{et~al.},
\newblock \bibinfo{title}{Few shots}, \newblock \bibinfo{journal}{Proc. X} (\bibinfo{year}{2020})."""
    ),
    "REVTeX": (
        r"""\bibitem [{\citenamefont {Brown} \emph {et~al.}(2020)}]{k}%
\bibfield {author} {\bibinfo {author} {\bibfnamefont {T.~B.}~\bibnamefont {Brown}}, \emph {et~al.},\ }\bibfield {title}
{\bibinfo {title} {Few shots},\ }\bibfield {journal} {\bibinfo {journal} {Proc. X}\ }(\bibinfo {year} {2020})"""
    ),
    "apacite": (
        r"""\bibitem [\protect \citeauthoryear {%
Brown%
\ \protect \BOthers {.}}{%
Brown}{%
{\protect \APACyear {2020}}%
}]{k}
\begin{APACrefauthors}%
Brown, T. B.%
\ \BOthersPeriod {.}\end{APACrefauthors}%
\unskip\ \newblock \APACrefYearMonthDay{2020}{}{}. \newblock {\BBOQ}\APACrefatitle {Few shots} {Few shots}.{\BBCQ}
\newblock \APACjournalVolNumPages{Proc. X}{33}{}{7--9}."""
    ),
}
"""A ``\bibitem`` of each style that prints ``et al.`` in its own way."""


@pytest.mark.parametrize("style", UNFINISHED)
def test_read_an_entry_whose_people_end_in_et_al(style: str) -> None:
    (reference,) = read(
        f"\\begin{{thebibliography}}{{1}}\n{UNFINISHED[style]}\n\\end{{thebibliography}}"
    )
    assert isinstance(reference, Reference)
    assert (reference.key, reference.title, reference.year, reference.and_others) == (
        "k",
        "Few shots",
        2020,
        True,
    )
    assert [name.replace(".", "") for name in reference.authors] in (["Brown, T B"], ["T B Brown"])


def test_read_an_entry_with_an_author_and_several_editors_has_one_author() -> None:
    item = (
        UNFINISHED["Nature, book"]
        .replace(r"\emph{et~al.} ", "")
        .replace(r"\bibinfo{editor}{Ray, M.}", r"\emph{et~al.}")
    )
    (reference,) = read(f"\\begin{{thebibliography}}{{1}}\n{item}\n\\end{{thebibliography}}")
    assert isinstance(reference, Reference)
    assert (reference.authors, reference.and_others) == (("Brown, T. B.",), False)


def test_read_a_line_stands_for_the_people_of_the_entry_before() -> None:
    first, second = read(
        "\\begin{thebibliography}{2}\\bibitem{a} A. Lee and B. Ray. \\newblock One. \\newblock"
        " 2001.\n\\bibitem{b} ------. \\newblock Two. \\newblock 2002.\\end{thebibliography}"
    )
    assert isinstance(first, Reference)
    assert isinstance(second, Reference)
    assert first.authors == second.authors == ("A. Lee", "B. Ray")


def test_accepts_a_paper_is_no_bbl() -> None:
    text = "\\documentclass{a}\\begin{thebibliography}{1}\\bibitem{a} A. Lee.\\end{thebibliography}"
    assert bbl.accepts(Document.of_text(text, "a.bbl")) == 0


def test_read_biblatex_keeps_people_apart_from_editors_and_lists_from_values() -> None:
    text = (
        "\\refsection{0}\\datalist[entry]{nty}\n\\entry{lee}{incollection}{}\n"
        "\\name{author}{2}{}{{{hash=a}{family={Lee},given={Ann},suffix={Jr.}}}"
        "{{hash=b}{family={Ray},given={Bo},prefix={van}}}}\n"
        "\\name{editor}{1}{}{{{hash=c}{family={Fox},given={Cy}}}}\n"
        "\\list{publisher}{1}{{Ice Press}}\n\\field{title}{On ice}\n\\field{title}{No}\n"
        "\\field{booktitle}{Snow}\n\\true{moreauthor}\n\\field{year}{2001}\n\\endentry\n"
        "\\enddatalist\\endrefsection\n"
    )
    (found,) = bbl.read(Document.of_text(text)).references
    assert (found.title, found.venue, found.year, found.publisher) == (
        "On ice",
        "Snow",
        2001,
        "Ice Press",
    )
    assert found.authors == ("Lee, Ann Jr.", "van Ray, Bo")
    assert found.and_others


def test_accepts_and_read_choose_between_the_two_kinds_of_lists() -> None:
    entry = "\\entry{lee}{book}{}\n\\field{title}{On ice}\n\\endentry\n"
    items = "\\begin{thebibliography}{1}\\bibitem{a} A. Lee. On fog, 2001.\\end{thebibliography}"
    for text, sure, titles in (
        (entry, 2, ["On ice"]),
        (items, 2, ["On fog"]),
        (entry + items, 2, ["On fog"]),
        (entry * 2, 2, ["On ice"]),
        (entry.replace("\\endentry", ""), 0, ["On ice"]),
        (f"\\documentclass{{x}}{items}", 0, ["On fog"]),
        ("Nothing", 0, []),
    ):
        document = Document.of_text(text, "p.bbl")
        assert bbl.accepts(document) == sure, text
        assert [one.title for one in bbl.read(document).references] == titles, text
