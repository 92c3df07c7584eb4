"""Conversion of LaTeX to text and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text

from citeproof.text.latex import latex_of, latex_to_text
from citeproof.text.normalize import normalize_title


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("Müller & Sons", r"M{\"u}ller \& Sons"),
        ("Łukasz Håstad", r"{\L}ukasz H{\aa}stad"),
        ("Çelik, Dvořák", r"{\c{C}}elik, Dvo{\v{r}}{\'a}k"),
        ("100 % of C#", r"100 \% of C\#"),
        ("李", "李"),
    ],
)
def test_latex_of_writes_commands(text: str, latex: str) -> None:
    assert latex_of(text) == latex


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"Ion\textcommabelow{s} \textcommabelow t", "Ionș ț"),
        (r"\VAN{Hasselt}{Van}{van}~Hasselt, Ann", "Van Hasselt, Ann"),
        (r"\van{Gemund}{Van}{van}, Ann", "Gemund, Ann"),
    ],
)
def test_latex_to_text_reads_marks_and_particles(latex: str, text: str) -> None:
    assert latex_to_text(latex) == text


def test_latex_of_keeps_letters_unless_ascii_only() -> None:
    assert latex_of("Müller & Sons", ascii_only=False) == r"Müller \& Sons"


@given(st.text(st.sampled_from("aeio cZ äöüßéèñçøåłšžń&%#_"), max_size=30))
def test_latex_of_is_inverted_by_latex_to_text(text: str) -> None:
    text = " ".join(text.split())
    assert latex_to_text(latex_of(text)) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"G{\"o}del, Erd\H{o}s, \'{\i}, Fran\c{c}ois", "Gödel, Erdős, í, François"),
        (r"\v{S}\'ark\"a \c c\k{a} \.{I} I\c{s}{\i}k", "Šárkä çą İ Işık"),
        (r"\=o\.z\b{o}\d{s}\r{u}\u{a} na\"\i ve", "ōżo̱ṣůă naïve"),
        (
            r"\AA{}ngstr\"om, {\L}ukasz, S{\o}ren, \ae{}on, Stra{\ss}e",
            "Ångström, Łukasz, Søren, æon, Straße",
        ),
        (r"\' e \'{} e \~{}user \^{}", "é e ~user ^"),
        (r"\'{\'{e}}", "é́"),
        (r"Ragnhei{\d}ur", "Ragnheidur"),
        (r"$O(n^{2} \log n)$ and $\alpha$-helix", "O(n2 log n) and α-helix"),
        (r"$\mathcal{O}(\sqrt{n})$ \ensuremath{\leq} $\frac{a}{b}$", "O(√n) ≤ a/b"),
        (r"\(x_1\) and a_b^c", "x1 and a_b^c"),
        (r"costs $5, or \$5", "costs $5, or $5"),
        (r"$a$ $5", "a $5"),
        (r"A \& B \% C \_ D \# \{x\}", "A & B % C _ D # {x}"),
        (r"``quoted'' --- pages 1--2~f. ?`que!", "“quoted” — pages 1–2 f. ¿que!"),
        (r"\textbf{Bold} \emph{and} {\em Emph} {\sc Caps}\xspace", "Bold and Emph Caps"),
        (r"\texttt{code} \mbox{x} \uppercase{y}", "code x y"),
        (r"\href{http://a/_%}{Text} \url{http://b/c_d%20~e}", "Text http://b/c_d%20~e"),
        (r"\textcolor{red}{Red} \rule{1pt}{2pt}x \unknown[opt]{kept}", "Red x kept"),
        (r"{\noopsort{1973b}}1981", "1981"),
        (r"{{\BibTeX}}ing, \LaTeX\ and \TeX{}", "BibTeXing, LaTeX and TeX"),
        (r"\mnras, \SPASS: a system", "mnras, SPASS: a system"),
        (r"pre\-fix 10\,000 line\\break", "prefix 10 000 line break"),
        (r"H\textsubscript{2}O\textsuperscript{+}", "H2O+"),
        ("\\textbf{a\n  b}", "a b"),
        ("a\\", "a\\"),
        ("}{", ""),
        ("O'Brien isn't -- it's", "O'Brien isn't – it's"),
    ],
)
def test_latex_to_text(latex: str, text: str) -> None:
    assert latex_to_text(latex) == text


@given(st.text(alphabet=st.characters(exclude_characters="\\{}$~-`'", exclude_categories=["Cs"])))
def test_latex_to_text_returns_plain_text_unchanged(text: str) -> None:
    assert latex_to_text(text) == text


@given(st.text() | st.text(alphabet="\\{}$~^_-`'\"[]() abcHinourtvx", max_size=80))
def test_latex_to_text_reads_any_text(text: str) -> None:
    assert isinstance(latex_to_text(text), str)


PIECES = [
    "word ",
    "{",
    "}",
    "$",
    "$$",
    "\\'",
    "\\v ",
    "\\textbf{",
    "\\unknown[x]{",
    "\\frac ",
    "--",
    "^",
    "_",
    "\\$",
    "\\{",
    "\\ss ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_latex_to_text_loses_no_word(pieces: list[str]) -> None:
    assert latex_to_text("".join(pieces)).count("ord") == pieces.count("word ")


@given(st.lists(st.sampled_from(["é", "word", "Gödel", "ß", "x"]), max_size=5))
def test_latex_to_text_composes_accents(words: list[str]) -> None:
    spelt = {"é": r"{\'e}", "Gödel": r"G{\"o}del", "ß": r"{\ss}"}
    assert latex_to_text(" ".join(spelt.get(word, word) for word in words)) == " ".join(words)


@pytest.mark.parametrize(
    "text",
    [
        "\\'{" * 50_000 + "x" * 50_000 + "}" * 50_000,
        "\\'{ab" * 50_000,
        "\\'" * 100_000,
        "\\url{a" * 50_000,
    ],
)
@pytest.mark.timeout(30)
def test_latex_to_text_takes_linear_time(text: str) -> None:
    assert len(latex_to_text(text)) <= len(text)


@pytest.mark.parametrize(
    "latex",
    [
        r"G{\"o}del",
        r"\v{S}imon \'Alvarez",
        r"{\L}ukasz \AA",
        r"$\alpha$ and $\beta$",
        r"\emph{a} \textbf{b}",
        r"``x'' -- y",
    ],
)
def test_latex_to_text_agrees_with_pylatexenc(latex: str) -> None:
    assert normalize_title(latex_to_text(latex)) == normalize_title(
        LatexNodes2Text().latex_to_text(latex)
    )
