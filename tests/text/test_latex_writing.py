"""Text as LaTeX, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.text.latex import latex_to_text
from citeproof.text.latex_writing import latex_of


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
def test_letters_and_signs_are_written_as_commands(text: str, latex: str) -> None:
    assert latex_of(text) == latex


def test_letters_stay_where_the_file_has_such_letters() -> None:
    assert latex_of("Müller & Sons", ascii_only=False) == r"Müller \& Sons"


@given(st.text(st.sampled_from("aeio cZ äöüßéèñçøåłšžń&%#_"), max_size=30))
def test_what_is_written_reads_as_it_was(text: str) -> None:
    text = " ".join(text.split())
    assert latex_to_text(latex_of(text)) == text
