"""The fields that differ, with what differs marked."""

from citeproof.model.findings import Agreement, FieldComparison, NearestWork
from citeproof.model.record import Candidate, Record
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report.advice import FieldDifference, differences, marked_words

NAMES = [f"Person {letter}" for letter in "ABCDEFGHIJ"]


def verdict(issue: Issue, *fields: FieldComparison) -> Verdict:
    work = NearestWork(Candidate(Record("k", "A Title"), 1.0), (), fields)
    return Verdict(
        Reference("k"), Status.SUSPICIOUS, "metadata_mismatch", 0.9, (issue,), None, (work,)
    )


def authors(cited: list[str], recorded: list[str]) -> FieldDifference:
    only_cited = tuple(name for name in cited if name not in recorded)
    only_recorded = tuple(name for name in recorded if name not in cited)
    compared = FieldComparison(
        "authors",
        Agreement.PARTLY,
        "; ".join(cited),
        "; ".join(recorded),
        only_cited,
        only_recorded,
    )
    issue = Issue(
        "authors.not_on_record", Severity.ISSUE, "; ".join(only_cited), "; ".join(recorded), ""
    )
    (difference,) = differences(verdict(issue, compared))
    return difference


def test_marked_words_the_parts_of_a_text_make_up_the_text() -> None:
    cited, recorded = marked_words("one two three four", "one two 2.5 three four")
    assert cited == (("one two three four", False),)
    assert recorded == (
        ("one two", False),
        (" ", False),
        ("2.5", True),
        (" ", False),
        ("three four", False),
    )


def test_marked_words_where_most_differs_nothing_is_marked() -> None:
    assert marked_words("a b c", "a x y") == ((("a b c", False),), (("a x y", False),))


def test_of_many_people_those_who_differ_are_shown() -> None:
    shown = authors([*NAMES[:4], "Stranger", *NAMES[5:]], NAMES)
    assert shown.cited == (
        ("…", False),
        ("; ", False),
        ("Stranger", True),
        ("; ", False),
        ("…", False),
    )
    assert shown.recorded == (
        ("…", False),
        ("; ", False),
        ("Person E", True),
        ("; ", False),
        ("…", False),
    )


def test_differences_a_list_of_people_is_never_shown_at_length() -> None:
    shown = authors(["Person A", "Stranger"], NAMES)
    assert shown.recorded == (
        ("Person A", False),
        ("; ", False),
        ("Person B; Person C; Person D; Person E; Person F; Person G and 3 more", True),
    )


def test_differences_two_values_that_the_sentence_gives_are_not_repeated() -> None:
    assert differences(verdict(Issue("year.off", Severity.ISSUE, "1988", "1984", ""))) == ()


def test_differences_a_note_and_another_work_are_no_difference() -> None:
    assert differences(verdict(Issue("pages.differ", Severity.NOTE, "1", "2", ""))) == ()
    assert (
        differences(verdict(Issue("doi.other_work", Severity.ISSUE, "10.1/x", "Another", ""))) == ()
    )
