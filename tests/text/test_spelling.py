import pytest

from citeproof.text.spelling import words_spelled_out


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("On the λ-calculus", "on the lambda calculus"),
        ("On the $\\lambda$-calculus", "on the lambda calculus"),
        ("H<sub>∞</sub> control", "h infinity control"),
        ("$\\ell_1$ norms", "l1 norms"),
        ("ϵ-nets and 𝜆", "epsilon nets and lambda"),
        ("L-infty bounds", "l infinity bounds"),
        ("Plain words", "plain words"),
    ],
)
def test_words_spelled_out_names_signs(title: str, words: str) -> None:
    assert " ".join(words_spelled_out(title)) == words
