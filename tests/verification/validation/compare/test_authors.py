import random
import re
from importlib.resources import files
from typing import Any

import pytest

from citeproof.model.record import Record
from citeproof.model.reference import Reference
from citeproof.text.name_comparison import compare_names
from citeproof.verification.validation.compare import authors
from citeproof.verification.validation.compare.authors import compare_authors

RECORD = Record("k", "On sheep", ("Ann Alma", "Bo Berg", "Cy Chen", "Di Díaz Dorn"))
CASES = [
    (("Ann Alma", "Bo Berg", "Cy Chen", "Di Díaz Dorn"), False, 1.0, []),
    (("Alma, A.", "Berg, B.", "Chen, C.", "Díaz, D."), False, 1.0, []),
    (("A. Alma",), True, 1.0, []),
    (("A. Alma", "others"), False, 1.0, []),
    (("A. Alma", "B. Berg"), False, 1.0, ["authors.dropped"]),
    (("Cy Chen", "Ann Alma", "Bo Berg", "Di Díaz"), False, 1.0, ["authors.order"]),
    (("Ann Alma, Bo Berg", "Cy Chen", "Di Díaz"), False, 1.0, ["authors.commas"]),
    (("Ann Alma, Bo Berg", "Cy Chen, Di Dorn"), False, 1.0, ["authors.commas"]),
    (("Ann Alma, Bo Berg", "Cy Chen"), False, 1.0, ["authors.dropped", "authors.commas"]),
    (
        ("Ann Alma, Bo Berg", "Cy Chen", "Xu Yang"),
        False,
        0.75,
        ["authors.not_on_record", "authors.commas"],
    ),
    (("Ann Alma, Xu Yang", "Cy Chen", "Di Dorn"), False, 1.0, ["authors.dropped"]),
    (
        ("Xu Yang, Yo Zorn", "Cy Chen", "Di Dorn"),
        False,
        2 / 3,
        ["authors.not_on_record", "authors.dropped"],
    ),
    (("Ann Alma", "Bo Berg", "Cy Chen", "Xu Yang"), False, 0.75, ["authors.not_on_record"]),
    (("Eve Alma", "Bo Berg", "Cy Chen", "Di Dorn"), False, 0.875, ["authors.given_name"]),
    (("Xu Yang", "Yo Zorn"), True, 0.0, ["authors.not_on_record"]),
    ((), False, 1.0, []),
]


@pytest.mark.parametrize(("names", "open_end", "share", "codes"), CASES)
def test_compare_authors_lists_of_authors(
    names: tuple[str, ...], *, open_end: bool, share: float, codes: list[str]
) -> None:
    match = compare_authors(Reference("a", authors=names, and_others=open_end), RECORD)
    assert match.share == pytest.approx(share)
    assert [item.code for item in match.differences] == codes


def test_compare_authors_a_comma_inside_a_name_of_one_person_parts_nobody() -> None:
    record = Record("k", "On snow", ("Gabriel José García Márquez", "Ann Mary Lee"))
    reference = Reference("a", authors=("García Márquez, Gabriel José", "Lee Smith, Ann Mary"))
    assert "authors.commas" not in [
        item.code for item in compare_authors(reference, record).differences
    ]


def test_compare_authors_half_of_the_names_are_enough_and_less_is_not() -> None:
    assert compare_authors(Reference("a", authors=("Ann Alma", "Xu Yang")), RECORD).agrees
    assert not compare_authors(
        Reference("a", authors=("Ann Alma", "Xu Yang", "Yo Zorn")), RECORD
    ).agrees


def test_compare_authors_a_record_without_authors_says_nothing() -> None:
    match = compare_authors(Reference("a", authors=("Ann Alma",)), Record("k", "On sheep"))
    assert not match.comparable
    assert match.agrees


def cited_by(name: str, chance: random.Random) -> str:
    """Return a recorded name as somebody may cite it: turned round, with initials, with a letter
    dropped.
    """
    given, _, family = name.rpartition(" ")
    if len(family) > 5 and chance.random() < 0.1:
        cut = chance.randrange(1, len(family))
        family = family[:cut] + family[cut + 1 :]
    initials = " ".join(f"{word[0]}." for word in given.split())
    return chance.choice(
        [f"{given} {family}", f"{family}, {given}", f"{family}, {initials}", f"{initials} {family}"]
    )


def test_compare_authors_a_long_list_is_compared_as_if_every_pair_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = files("citeproof.database.building").joinpath("sample.xml").read_text("utf-8")
    people = dict.fromkeys(re.findall(r"<author>([^<&]+ [^<&]+)</author>", sample))
    chance = random.Random(3)
    recorded = tuple(chance.sample(sorted(people), 150))
    cited = [cited_by(name, chance) for name in recorded]
    chance.shuffle(cited)
    reference = Reference("a", authors=("Nobody, Xu Y.", *cited[:140]))

    record = Record("k", "T", recorded)
    by_keys = compare_authors(reference, record)
    monkeypatch.setattr(authors, "_FEW_PAIRS", 10**9)
    assert compare_authors(reference, record) == by_keys
    assert by_keys.absent[0] == "Nobody, Xu Y."
    assert by_keys.agreeing > 130


@pytest.mark.parametrize("family", ["Hail{}", "Hail"])
def test_compare_authors_the_comparisons_of_long_lists_grow_with_their_length(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def counted(*pair: Any) -> Any:
        nonlocal calls
        calls += 1
        return compare_names(*pair)

    monkeypatch.setattr(authors, "compare_names", counted)
    letters = [f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}" for n in range(600)]
    recorded = tuple(f"Fritz{mark} {family.format(mark)}" for mark in letters)
    reference = Reference(
        "a", authors=tuple(f"{family.format(mark)}, F." for mark in reversed(letters))
    )
    compare_authors(reference, Record("k", "T", recorded))
    assert 0 < calls <= 100 * len(letters)


def test_compare_authors_a_name_that_is_listed_twice_is_not_absent() -> None:
    twice = Reference("a", authors=("Ann Alma", "Bo Berg", "Cy Chen", "Di Dorn", "A. Alma"))
    assert compare_authors(twice, RECORD).absent == ()
    same = Reference("a", authors=("Ann Alma", "Bo Berg", "Cy Chen", "Di Dorn", "Ann Alma"))
    assert compare_authors(same, RECORD).absent == ()
    stranger = Reference("a", authors=("Ann Alma", "Bo Berg", "Cy Chen", "Di Dorn", "Xu Yang"))
    assert compare_authors(stranger, RECORD).absent == ("Xu Yang",)


@pytest.mark.parametrize(
    ("names", "codes"),
    [
        (("Ann Alma", "Bo Berg", "Xu Yang", "Yi Zhou"), ["authors.first_only"]),
        (("Ann Alma", "Bo Berg"), []),
        (("Ann Alma", "B. Zhou", "Bo Berg"), ["authors.first_only"]),
        (("Bo Berg", "Ann Alma", "Xu Yang"), ["authors.first_only", "authors.order"]),
        (("Ann Alma", "Xu Yang", "Yi Zhou"), ["authors.not_on_record"]),
    ],
)
def test_compare_authors_of_a_record_that_ends_in_et_al_further_names_are_noted(
    names: tuple[str, ...], codes: list[str]
) -> None:
    record = Record("k", "On sheep", ("Ann Alma", "Bo Berg", "et al."))
    match = compare_authors(Reference("a", authors=names), record)
    assert [item.code for item in match.differences] == codes
    assert match.agrees == ("authors.not_on_record" not in codes)


def test_compare_authors_long_lists_are_not_searched_for_names_that_are_listed_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(authors, "is_repeated", lambda *names: asked.append(names))
    cited = tuple(f"Ann {'x' * (n % 40 + 1)}{chr(97 + n % 26)}q" for n in range(400))
    recorded = ("Ann Alma", *(f"Bo {'y' * (n % 40 + 1)}{chr(97 + n % 26)}z" for n in range(400)))
    match = compare_authors(
        Reference("a", authors=("Ann Alma", *cited)), Record("k", "On sheep", recorded)
    )
    assert len(match.absent) == 400
    assert asked == []
