import pytest

from citeproof.verification.validation.compare.titles import compare_titles

OTHER_WORKS = [
    ("Supervised learning of visual features", "Unsupervised learning of visual features"),
    ("Online convex optimization in the wild", "Online non-convex optimization in the wild"),
    ("BERT 2 for question answering", "BERT 3 for question answering"),
    ("Programming in C++", "Programming in C#"),
    ("Learning to summarize with human feedback", "Learning to summarize without human feedback"),
    ("Binary trees in practice", "Unary trees in practice"),
    ("On α-approximations of games", "On β-approximations of games"),
    ("On λ-approximations of games", "On approximations of games"),
    ("Deep residual learning", "Deep residual learning for image recognition"),
    ("Deep residual learning ...", "Deep reinforced learning for image recognition"),
    ("Deep residual learning for image recognition ...", "Deep residual learning for ..."),
    ("...", "Deep residual learning for image recognition"),
    ("A calculus of lamps I and II", "A calculus of lamps, IV"),
    ("A calculus of lamps I and II", "A calculus of lamps III"),
    ("A calculus of lamps II", "A calculus of lamps"),
    ("Lamps and 2", "Lamps"),
    ("Deep residual ...", "Deep residual learning for image recognition"),
]
SAME = [
    ("Deep Residual Learning", "Deep residual learning.", None),
    ("Low-rank adaptation", "Lowrank Adaptation", None),
    ("Modelling colour in neural networks", "Modeling Color in Neural Network", "title.spelling"),
    ("The structure of databases", "Structure of a database", "title.spelling"),
    (
        "Speech Recogntion with Transformers",
        "Speech Recognition with Transformers",
        "title.spelling",
    ),
    ("Recogtinion of letters", "Recognition of letters", "title.spelling"),
    (
        "Learning to summarize with human feedback",
        "Learning to summarize from human feedback",
        "title.spelling",
    ),
    ("Learning to rank", "Learning to rank: a survey of methods", "title.subtitle"),
    (
        "Pre-training of deep transformers",
        "BERT: Pre-training of deep transformers",
        "title.subtitle",
    ),
    ("Learning to rank for search (extended abstract)", "Learning to rank for search", None),
    ("Theory of games, Part II", "Theory of games, part 2", "title.spelling"),
    ("Theory of games, Part I", "Theory of games, part 1", "title.spelling"),
    ("On λ-approximations of games", "On Lambda-Approximations of Games", "title.spelling"),
    ("H-infinity control of plants", "H<sub>∞</sub> control of plants", "title.spelling"),
    ("Sums of $\\ell_1$ norms", "Sums of L1 norms", None),
    (
        "Deep residual learning for ...",
        "Deep residual learning for image recognition",
        "title.subtitle",
    ),
    (
        "Deep residual learning for image recog…",
        "Deep residual learning for image recognition",
        "title.subtitle",
    ),
    ("A calculus of lamps I and II", "A calculus of lamps, II", "title.subtitle"),
    ("A calculus of lamps, Parts I and II", "A Calculus of Lamps, Part I", "title.subtitle"),
    ("A calculus of lamps: parts 1 and 2", "A Calculus of Lamps, Part 2", "title.subtitle"),
    ("Poster: A store for crowded venues", "A Store for Crowded Venues", None),
    ("A store for crowded venues", "Session 3: A Store for Crowded Venues", None),
    ("Squibs and Discussions: A store for crowded venues", "A store for crowded venues", None),
    ("Best Student Paper Award: A store for crowded venues", "A store for crowded venues", None),
    (
        "关于商店的研究 (A store for crowded venues) [In Chinese]",
        "A store for crowded venues",
        None,
    ),
]
NO_LABELS = [
    ("Session types: a store for crowded venues", "A store for crowded venues"),
    ("Machine report: a store for crowded venues", "A store for crowded venues"),
    ("Magasins (a store for crowded venues)", "A store for crowded venues"),
]


@pytest.mark.parametrize(("cited", "recorded"), OTHER_WORKS)
def test_compare_titles_a_content_word_makes_another_title(cited: str, recorded: str) -> None:
    match = compare_titles(cited, recorded)
    assert not match.same
    assert [item.code for item in match.differences] == ["title.word_changed"]


@pytest.mark.parametrize(("cited", "recorded"), NO_LABELS)
def test_compare_titles_a_part_of_other_words_is_no_label(cited: str, recorded: str) -> None:
    match = compare_titles(cited, recorded)
    assert [item.code for item in match.differences] == ["title.part_added"]


@pytest.mark.parametrize(("cited", "recorded", "note"), SAME)
def test_compare_titles_honest_variation(cited: str, recorded: str, note: str | None) -> None:
    match = compare_titles(cited, recorded)
    assert match.same
    assert [item.code for item in match.differences] == ([note] if note else [])


def test_compare_titles_the_explanation_shows_both_words() -> None:
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
def test_compare_titles_other_numbers_make_other_works_of_a_series(
    cited: str, recorded: str, *, series: bool
) -> None:
    assert compare_titles(cited, recorded).other_number is series


@pytest.mark.parametrize(
    ("cited", "recorded", "counts", "code"),
    [
        (
            "A sytem for graphs",
            "A system for graphs",
            {"sytem": 0, "system": 6_561},
            "title.misspelt",
        ),
        (
            "A sytem for graphs",
            "A system for graphs",
            {"sytem": 3, "system": 6_561},
            "title.misspelt",
        ),
        (
            "A mpa of grahps",
            "A map of graphs",
            {"mpa": 0, "map": 9, "grahps": 0, "graphs": 9},
            "title.misspelt",
        ),
        ("Patterns fo games", "Patterns of games", {"fo": 11, "of": 75_177}, "title.misspelt"),
        ("Learning games", "Learing games", {"learning": 86_225, "learing": 3}, "title.spelling"),
        (
            "Deep corpora of games",
            "Deep corpor of games",
            {"corpora": 242, "corpor": 1},
            "title.spelling",
        ),
        ("Games for rbff", "Games for rbf", {"rbff": 0, "rbf": 111}, "title.misspelt"),
        # words that exist, a plural that does not, another number, words of which nothing is known
        (
            "A brain of games",
            "A train of games",
            {"brain": 1_160, "train": 95},
            "title.word_changed",
        ),
        ("Binary trees", "Unary trees", {}, "title.word_changed"),
        ("Mesh privacys", "Mesh privacy", {"privacys": 0, "privacy": 3_183}, "title.word_changed"),
        ("GPT5 in games", "GPT4 in games", {"gpt5": 0, "gpt4": 900}, "title.word_changed"),
        ("A sytem for graphs", "A system for graphs", {}, "title.word_changed"),
        (
            "A sytem for graphs",
            "A system for graphs",
            {"sytem": 0, "system": 0},
            "title.word_changed",
        ),
        (
            "A sytem for trees",
            "A system for graphs",
            {"sytem": 0, "system": 6_561},
            "title.word_changed",
        ),
    ],
)
def test_compare_titles_a_letter_is_wrong_where_hardly_any_title_has_the_word(
    cited: str, recorded: str, counts: dict[str, int], code: str
) -> None:
    match = compare_titles(cited, recorded, tuple(counts.items()))
    assert [item.code for item in match.differences] == [code]
    assert match.same is (code != "title.word_changed")


def test_compare_titles_a_word_that_one_of_two_databases_has_is_a_word() -> None:
    counts = (("brain", 0), ("train", 95), ("brain", 1_160), ("train", 7))
    assert not compare_titles("A brain of games", "A train of games", counts).same


@pytest.mark.parametrize(
    "remark",
    [
        "(Extended Abstract)",
        "(Best Paper Award)",
        "(Summary of the Turing Lecture)",
        "(A Report on the Second Contest)",
        "(Invited Address)",
        "[Oral]",
    ],
)
def test_compare_titles_a_remark_is_no_part_of_a_title(remark: str) -> None:
    assert compare_titles(f"Counting sheep in the dark {remark}", "Counting sheep in the dark").same


def test_compare_titles_a_subtitle_in_parentheses_is_a_part_of_the_title() -> None:
    title = "Counting sheep in the dark"
    assert compare_titles(f"{title} (and goats by day)", title).part_added
