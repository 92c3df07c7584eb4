"""A run in the order in which people read it."""

from dataclasses import replace

from citeproof.model.chance import Chance, Fact
from citeproof.model.findings import Inquiry, Outcome
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.overview import (
    Overview,
    View,
    basis_lines,
    exit_meaning,
    next_step,
    place_in,
    remembered_lines,
    short_names,
)
from citeproof.report.wording import listing, status_name


def verdict(
    status: Status, line: int, reason: str = "title_not_found", file: str = "a.bib", flag: str = ""
) -> Verdict:
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


def test_overview_groups_valid_references_with_notes() -> None:
    note = Issue("year.near", Severity.NOTE, "2011", "2012", "recorded as 2012, cited as 2011")
    noted = replace(verdict(Status.VALID, 1, "record_agrees"), issues=(note,))
    overview = Overview.of((noted, verdict(Status.VALID, 2, "record_agrees")))
    assert keys(overview.valid) == ["2"]
    (group,) = overview.groups
    assert group.heading == "✓ 1 VALID with notes"
    assert group.sentence == "A record agrees except for some details; compare these details."
    assert listing(noted) == "year: recorded as 2012, cited as 2011"
    assert status_name(noted) == "VALID, 1 note"


def test_next_step_offers_corrections_only_if_a_work_was_found() -> None:
    missing = verdict(Status.SUSPICIOUS, 1)
    run = Run({}, (), (missing,), Statistics.of((missing,), 1.0))
    assert next_step(run) == "citeproof explain a.bib 1 says why."
    found = replace(missing, best_match=Candidate(Record("k", "T"), 1.0))
    run = replace(run, verdicts=(missing, found))
    assert next_step(run).startswith("citeproof fix a.bib shows corrections; ")


def test_next_step_names_an_entry_without_a_key_by_its_doi_or_title() -> None:
    place = Place("list.csv", 4)
    for reference, name in (
        (Reference("", title="How to Share", doi="10.1/a", place=place), "10.1/a"),
        (Reference("", title="How to Share", place=place), "'How to Share'"),
    ):
        flagged = replace(verdict(Status.SUSPICIOUS, 1), reference=reference)
        run = Run({}, (), (flagged,), Statistics.of((flagged,), 1.0))
        assert next_step(run) == f"citeproof explain list.csv {name} says why."


def test_exit_meaning_is_silent_where_no_command_ends_with_that_code() -> None:
    run = Run({}, (), VERDICTS, Statistics.of(VERDICTS, 1.0))
    assert list(exit_meaning(run, View())) == ["Exit code 3: some references could not be checked."]
    assert list(exit_meaning(run, View(exits=False))) == []


def test_overview_puts_the_larger_chance_first_within_a_status() -> None:
    chances = [Chance((Fact("work.absent", "", ratio),)) for ratio in (0.1, 20.0, 3.0, 20.0)]
    statuses = (Status.SUSPICIOUS, Status.SUSPICIOUS, Status.INVALID, Status.SUSPICIOUS)
    pairs = enumerate(zip(statuses, chances, strict=True), 1)
    verdicts = [replace(verdict(status, line), chance=chance) for line, (status, chance) in pairs]
    assert keys(Overview.of(verdicts).problems) == ["3", "2", "4", "1"]
    open_ = [
        replace(verdict(Status.UNVERIFIED, n), chance=chance) for n, chance in enumerate(chances, 1)
    ]
    assert keys(Overview.of(open_).groups[0].verdicts) == ["2", "4", "3", "1"]


def test_what_is_open_comes_by_reason_what_could_not_be_checked_first() -> None:
    groups = Overview.of(VERDICTS).groups
    assert [(group.status, keys(group.verdicts)) for group in groups] == [
        (Status.ERROR, ["7"]),
        (Status.UNVERIFIED, ["6", "8"]),
        (Status.UNVERIFIED, ["3"]),
    ]


def test_every_verdict_is_somewhere_once() -> None:
    overview = Overview.of(VERDICTS)
    shown = (
        *overview.problems,
        *(v for group in overview.groups for v in group.verdicts),
        *overview.valid,
    )
    assert sorted(map(int, keys(shown))) == list(range(1, 11))


def test_names_without_the_folders_that_all_share() -> None:
    assert short_names(["thesis/refs.bib"]) == {"thesis/refs.bib": "refs.bib"}
    assert short_names(["t/a/refs.bib", "t/b/refs.bib"]) == {
        "t/a/refs.bib": "a/refs.bib",
        "t/b/refs.bib": "b/refs.bib",
    }
    assert short_names(["/x/refs.bib", "<stdin>", ""]) == {
        "/x/refs.bib": "/x/refs.bib",
        "<stdin>": "<stdin>",
        "": "",
    }


def test_place_in_a_place_is_given_by_the_short_name() -> None:
    names = {"t/refs.bib": "refs.bib"}
    assert place_in(Place("t/refs.bib", 12), names) == "refs.bib:12"
    assert place_in(Place("t/refs.bib", page=3), names) == "refs.bib, page 3"
    assert place_in(Place(), names) == ""


def test_remembered_lines_name_the_first_ten_entries_of_an_origin() -> None:
    hits = [
        Inquiry("cache", Outcome.ANSWERED, f"remembered from {source}", from_cache=True)
        for source in ("a", "b")
    ]
    verdicts = tuple(
        replace(verdict(Status.VALID, line), evidence=(hits[line > 1],), decided_by="cache")
        for line in range(1, 14)
    )
    assert list(remembered_lines(Run({}, (), verdicts, Statistics.of(verdicts, 0.1)))) == [
        (
            f"12 verdicts were remembered from b: {', '.join(f'[{line}]' for line in range(2, 12))}"
            " and 2 more."
        ),
        "1 verdict was remembered from a: [1].",
    ]


def test_basis_lines_name_equal_sources_once() -> None:
    sources = [
        {"name": "dblp", "dump_date": day} for day in ("2024-12-28", "2024-12-28", "2025-01-01")
    ]
    run = Run(
        {"path": "/data/my.db", "records": 12, "sources": sources}, (), (), Statistics.of((), 0.1)
    )
    first = next(basis_lines(run))
    assert first == "Checked against my.db (12 records: dblp to 2024-12-28 and 2025-01-01)."
