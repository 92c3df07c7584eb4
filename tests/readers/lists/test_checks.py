"""A reference list is compared with what the paper says of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citeproof.model.reference import Reference
from citeproof.readers.lists.checks import checked
from citeproof.readers.strings.reference import reference_of_string

STRINGS = [
    (
        "Leslie G. Valiant. 1984. A theory of the learnable. Communications of the ACM,"
        " 27(11):1134-1142."
    ),
    (
        "Donald E. Knuth and Peter B. Bendix. 1970. Simple word problems in universal algebras."
        " Pergamon Press."
    ),
    "Alan M. Turing. 1950. Computing machinery and intelligence. Mind, 59(236):433-460.",
    (
        "Claude E. Shannon. 1948. A mathematical theory of communication. Bell Syst. Tech. J."
        " 27(3):379-423."
    ),
]


def references() -> list[Reference]:
    strings = enumerate(STRINGS, start=1)
    return [replace(reference_of_string(text, str(number)), doubts=()) for number, text in strings]


def test_checked_numbers_without_a_gap_raise_no_doubt() -> None:
    entries, extraction = checked("p.pdf", references(), ["1", "2", "3", "4"])
    assert (extraction.found, extraction.expected, extraction.doubtful, extraction.uncited) == (
        4,
        4,
        0,
        None,
    )
    assert entries == tuple(references())


def test_behind_a_gap_in_the_numbers_an_entry_is_missing_and_the_one_before_is_doubted() -> None:
    entries, extraction = checked("p.pdf", references(), ["1", "2", "5", "6"])
    assert [entry.doubts for entry in entries] == [
        (),
        ("number 3 to 4 is missing after it",),
        (),
        (),
    ]
    assert (extraction.expected, extraction.doubtful, extraction.fault) == (6, 1, "")


def test_checked_a_number_in_an_entrys_own_text_counts_as_its_label() -> None:
    numbered = [
        replace(entry, raw=f"[{number}] {entry.raw}")
        for number, entry in zip((1, 2, 3, 14), references(), strict=True)
    ]
    _, extraction = checked("p.pdf", numbered, [""] * 4)
    assert (extraction.expected, extraction.fault) == (
        14,
        "10 of its 14 entries were not found; look at the list itself",
    )


def test_checked_several_lists_count_each_from_one() -> None:
    _, extraction = checked("p.pdf", references(), ["1", "2", "1", "2"])
    assert (extraction.expected, extraction.doubtful) == (4, 0)


def test_checked_a_list_that_lacks_many_entries_looks_wrong_as_a_whole() -> None:
    _, extraction = checked("p.pdf", references(), ["1", "2", "3", "9"])
    assert extraction.fault == "5 of its 9 entries were not found; look at the list itself"


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (["53", "54", "55", "56"], "", 4),
        (["53", "54", "55", "58"], "", 6),
        (["53", "63", "101", "102"], "", 4),
        (["53", "54", "55", "56"], "As nobody has shown.", 56),
        (["3", "4", "1", "2"], "", 4),
    ],
)
def test_checked_an_excerpt_is_counted_from_its_first_number(
    labels: list[str], text: str, expected: int
) -> None:
    assert checked("refs.txt", references(), labels, text)[1].expected == expected


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["1", "2", "3", "4"], "As shown [1, 3] and again [4]."),
        (["1", "2", "3", "4"], "As shown [3-4] and again [1]."),
        (["Val84", "KB70", "Tur50", "Sha48"], "As shown [Val84; Tur50], see [Sha48]."),
        ([""] * 4, "Valiant (1984) and others (Turing, 1950; Shannon, 1948a) said so."),
    ],
)
def test_checked_what_the_text_cites_is_found_in_the_list(labels: list[str], text: str) -> None:
    _, extraction = checked("p.pdf", references(), labels, text)
    assert (extraction.uncited, extraction.expected) == (1, 4)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["1", "2", "3", "4"], "All of it [1-5]."),
        (
            [""] * 4,
            (
                "Valiant (1984), Turing (1950), Shannon (1948), Knuth and Bendix (1970), Lee et al."
                " (2001)."
            ),
        ),
    ],
)
def test_checked_a_citation_without_an_entry_is_expected_in_the_list(
    labels: list[str], text: str
) -> None:
    _, extraction = checked("p.pdf", references(), labels, text)
    assert (extraction.uncited, extraction.expected) == (0, 5)


def test_checked_short_names_in_capitals_are_found_in_the_text() -> None:
    named = [
        Reference(key=name, title=f"A title of {name}", year=2001, raw=f"{name} C L, 2001. A title")
        for name in ("LEE", "LI", "FOX")
    ]
    _, extraction = checked(
        "p.pdf", named, [""] * 3, "Lee et al. (2001), Li et al. (2001), Fox, 2001"
    )
    assert (extraction.uncited, extraction.expected) == (0, 3)


def test_checked_a_list_without_titles_is_said_to_have_none() -> None:
    strings = [f"A. Lee and B. Ray, Snow, 20{year}, 51, 432–443." for year in range(10, 16)]
    untitled = [reference_of_string(text) for text in strings]
    assert {one.title for one in untitled} == {""}
    _, extraction = checked("p.pdf", [*untitled, *references()], [""] * 10)
    assert extraction.fault == (
        "6 of its 10 entries have no title, so they are not looked up by title"
    )


def test_checked_where_citations_cannot_be_told_nothing_is_said_of_them() -> None:
    _, extraction = checked(
        "p.pdf", references(), ["1", "2", "3", "4"], "Small raised numbers1,2 cite here; see [1]."
    )
    assert extraction.uncited is None


def test_checked_writes_repeated_authors_out() -> None:
    texts = [
        "Weber, M. (1919): Wissenschaft als Beruf. München: Duncker.",
        "——— (1922): Wirtschaft und Gesellschaft. Tübingen: Mohr.",
        "Ders. (1924): Die Geschichte der Wirtschaft. München: Duncker.",
    ]
    entries, _ = checked("p.pdf", [reference_of_string(text) for text in texts], [""] * 3)
    assert [entry.authors for entry in entries] == [("Weber, M.",)] * 3


@pytest.mark.parametrize(
    ("labels", "doubts"),
    [
        (["1", "2", "4", "5"], {1: "number 3 is missing after it"}),
        (["3", "4", "5", "6"], {0: "the list begins with number 3"}),
        (["1", "2", "2", "1"], {}),
        (["", "7", "", "9"], {}),
    ],
)
def test_checked_doubts_the_entry_before_a_gap(labels: list[str], doubts: dict[int, str]) -> None:
    entries, _ = checked("p.pdf", references(), labels)
    said = {place: one.doubts[0] for place, one in enumerate(entries) if one.doubts}
    assert said == doubts


@pytest.mark.parametrize(
    ("count", "fault"), [(5, ""), (6, "6 of its 10 entries {}")], ids=["half", "more"]
)
@pytest.mark.parametrize("untitled", [True, False])
def test_checked_warns_if_more_than_half_of_the_entries_are_doubtful(
    count: int, fault: str, *, untitled: bool
) -> None:
    good = replace(references()[0], doubts=())
    bad = replace(good, title="") if untitled else replace(good, doubts=("no year",))
    many = [bad] * count + [good] * (10 - count)
    said = (
        "have no title, so they are not looked up by title"
        if untitled
        else "may be read wrongly; look at the list itself"
    )
    assert checked("p.pdf", many, [""] * 10)[1].fault == fault.format(said)


def test_checked_warns_if_more_than_a_tenth_of_a_long_list_is_missing() -> None:
    many = [references()[0]] * 36
    for last, missing in ((40, ""), (41, "5 of its 41 entries were not found")):
        labels = [*map(str, range(1, 36)), str(last)]
        assert checked("p.pdf", many, labels)[1].fault.startswith(missing)
        assert bool(missing) == bool(checked("p.pdf", many, labels)[1].fault)


def test_checked_counts_no_number_far_behind_the_list_as_a_citation() -> None:
    for cited, expected in (("[6]", 6), ("[9]", 4)):
        text = f"As shown [1-4] and [5] and {cited}."
        _, extraction = checked("p.pdf", references(), ["1", "2", "3", "4"], text)
        assert extraction.expected == (6 if expected == 6 else 5)
