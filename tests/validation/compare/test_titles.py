from __future__ import annotations

import pytest

from citeproof.validation.compare.titles import compare_titles

OTHER_WORKS = [
    ("Supervised learning of visual features", "Unsupervised learning of visual features"),
    ("Online convex optimization in the wild", "Online non-convex optimization in the wild"),
    ("BERT 2 for question answering", "BERT 3 for question answering"),
    ("Programming in C++", "Programming in C#"),
    ("Learning to summarize with human feedback", "Learning to summarize from human feedback"),
    ("Binary trees in practice", "Unary trees in practice"),
    ("On α-approximations of games", "On β-approximations of games"),
    ("On λ-approximations of games", "On approximations of games"),
    ("Deep residual learning", "Deep residual learning for image recognition"),
    ("Deep residual learning ...", "Deep reinforced learning for image recognition"),
    ("Deep residual learning for image recognition ...", "Deep residual learning for ..."),
    ("...", "Deep residual learning for image recognition"),
    ("Deep residual ...", "Deep residual learning for image recognition"),
]
SAME = [
    ("Deep Residual Learning", "Deep residual learning.", None),
    ("Low-rank adaptation", "Lowrank Adaptation", None),
    ("Modelling colour in neural networks", "Modeling Color in Neural Network", "title.spelling"),
    ("The structure of databases", "Structure of a database", "title.spelling"),
    ("Speech Recogntion with Transformers", "Speech Recognition with Transformers", "title.spelling"),
    ("Learning to rank", "Learning to rank: a survey of methods", "title.subtitle"),
    ("Pre-training of deep transformers", "BERT: Pre-training of deep transformers", "title.subtitle"),
    ("Learning to rank for search (extended abstract)", "Learning to rank for search", None),
    ("Theory of games, Part II", "Theory of games, part 2", "title.spelling"),
    ("On λ-approximations of games", "On Lambda-Approximations of Games", "title.spelling"),
    ("H-infinity control of plants", "H<sub>∞</sub> control of plants", "title.spelling"),
    ("Sums of $\\ell_1$ norms", "Sums of L1 norms", None),
    ("Deep residual learning for ...", "Deep residual learning for image recognition", "title.subtitle"),
    ("Deep residual learning for image recog…", "Deep residual learning for image recognition", "title.subtitle"),
    ("Poster: A store for crowded venues", "A Store for Crowded Venues", None),
    ("A store for crowded venues", "Session 3: A Store for Crowded Venues", None),
]


@pytest.mark.parametrize(("cited", "recorded"), OTHER_WORKS)
def test_a_content_word_makes_another_title(cited: str, recorded: str) -> None:
    match = compare_titles(cited, recorded)
    assert not match.same
    assert [item.code for item in match.differences] == ["title.word_changed"]


@pytest.mark.parametrize(("cited", "recorded", "note"), SAME)
def test_honest_variation(cited: str, recorded: str, note: str | None) -> None:
    match = compare_titles(cited, recorded)
    assert match.same
    assert [item.code for item in match.differences] == ([note] if note else [])


def test_the_explanation_shows_both_words() -> None:
    (found,) = compare_titles("A tale of two cities", "A tale of three cities").differences
    assert "'two'" in found.explanation
    assert "'three'" in found.explanation


@pytest.mark.parametrize(
    ("cited", "recorded", "series"),
    [
        ("MUC-4 metrics", "MUC-3 metrics", True),
        ("Games, Part I", "Games, Part II", True),
        ("RecSys'18 workshop on decisions", "RecSys'17 workshop on decisions", True),
        ("One goat", "One sheep", False),
    ],
)
def test_other_numbers_make_other_works_of_a_series(cited: str, recorded: str, *, series: bool) -> None:
    assert compare_titles(cited, recorded).other_number is series
