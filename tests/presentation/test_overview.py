"""A run in the order in which people read it."""

from __future__ import annotations

from citeproof.models import Place, Reference, Status, Verdict
from citeproof.presentation.overview import Overview, place_in, short_names


def verdict(status: Status, line: int, reason: str = "title_not_found", file: str = "a.bib", flag: str = "") -> Verdict:
    reference = Reference(str(line), place=Place(file, line))
    return Verdict(reference, status, reason, 0.5, flags=(flag,) if flag else ())


VERDICTS = (
    verdict(Status.VALID, 1),
    verdict(Status.SUSPICIOUS, 2),
    verdict(Status.UNVERIFIED, 3, "out_of_scope"),
    verdict(Status.INVALID, 4),
    verdict(Status.VALID, 5, flag="retracted"),
    verdict(Status.UNVERIFIED, 6),
    verdict(Status.ERROR, 7, "source_failed"),
    verdict(Status.UNVERIFIED, 8, file="b.bib"),
    verdict(Status.SUSPICIOUS, 9, file="b.bib"),
    verdict(Status.VALID, 10, flag="weak_web_match"),
)


def keys(verdicts: tuple[Verdict, ...]) -> list[str]:
    return [one.reference.key for one in verdicts]


def test_problems_come_worst_first_and_then_as_they_stand() -> None:
    assert keys(Overview.of(VERDICTS).problems) == ["4", "2", "9", "5"]


def test_what_is_open_comes_by_reason_what_could_not_be_checked_first() -> None:
    groups = Overview.of(VERDICTS).groups
    assert [(group.status, keys(group.verdicts)) for group in groups] == [
        (Status.ERROR, ["7"]),
        (Status.UNVERIFIED, ["6", "8"]),
        (Status.UNVERIFIED, ["3"]),
    ]


def test_every_verdict_is_somewhere_once() -> None:
    overview = Overview.of(VERDICTS)
    shown = (*overview.problems, *(v for group in overview.groups for v in group.verdicts), *overview.valid)
    assert sorted(map(int, keys(shown))) == list(range(1, 11))


def test_names_without_the_folders_that_all_share() -> None:
    assert short_names(["thesis/refs.bib"]) == {"thesis/refs.bib": "refs.bib"}
    assert short_names(["t/a/refs.bib", "t/b/refs.bib"]) == {
        "t/a/refs.bib": "a/refs.bib",
        "t/b/refs.bib": "b/refs.bib",
    }
    assert short_names(["/x/refs.bib", "<stdin>", ""]) == {"/x/refs.bib": "/x/refs.bib", "<stdin>": "<stdin>", "": ""}


def test_a_place_is_given_by_the_short_name() -> None:
    names = {"t/refs.bib": "refs.bib"}
    assert place_in(Place("t/refs.bib", 12), names) == "refs.bib:12"
    assert place_in(Place("t/refs.bib", page=3), names) == "refs.bib, page 3"
    assert place_in(Place(), names) == ""
