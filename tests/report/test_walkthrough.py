"""The full explanation of one verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citeproof.model.chance import Chance, Fact
from citeproof.model.findings import (
    Agreement,
    FieldComparison,
    Inquiry,
    NearestWork,
    Outcome,
)
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Place, Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.report import walkthrough
from citeproof.report.walkthrough import Trial, lines

WORK = Record("k1", "On Tables", ("Ada Almgren",), 2001, "J. ACM", doi="10.1/x", source="dblp")
FIELDS = (
    FieldComparison("title", Agreement.SAME, "On Tables", "On Tables"),
    FieldComparison("year", Agreement.DIFFERENT, "2002", "2001"),
    FieldComparison("doi", Agreement.ABSENT, "", "10.1/x"),
    FieldComparison("venue", Agreement.ABSENT, "", ""),
)
MEANT = NearestWork(Candidate(WORK, 1.0), (MatchKind.TITLE, MatchKind.SAME_WORDS), FIELDS)
ISSUE = Issue("year.off", Severity.ISSUE, "2002", "2001", "recorded as 2001, cited as 2002")
VERDICT = Verdict(
    Reference("a", title="On Tables", year=2002, place=Place("refs.bib", 3)),
    Status.SUSPICIOUS,
    "not_confirmed",
    0.9,
    (ISSUE,),
    meant=(MEANT,),
)


def _part(verdict: Verdict, head: str, trials: tuple[Trial, ...] = ()) -> list[str]:
    """Return the lines below a heading."""
    every = list(lines(verdict, None, trials))
    rest = every[every.index(head) + 1 :]
    return rest[: rest.index("")] if "" in rest else rest


@pytest.mark.parametrize(
    ("inquiry", "said"),
    [
        (Inquiry("s", Outcome.FAILED, "timed out."), "did not answer: timed out"),
        (Inquiry("s", Outcome.SKIPPED), "was not queried"),
        (Inquiry("s", Outcome.ANSWERED, records=2), "2 records"),
        (
            Inquiry(
                "s",
                Outcome.ANSWERED,
                method="indexed",
                candidates_examined=1,
                complete=True,
                from_cache=True,
            ),
            "no record of this title; 1 title compared; it is proved that the source has no better"
            " record; from an earlier answer",
        ),
        (
            Inquiry("s", Outcome.ANSWERED, "by words.", method="indexed"),
            "no record of this title; the source may have a better record; by words",
        ),
    ],
)
def test_answer_says_what_a_source_has_and_what_is_proved(inquiry: Inquiry, said: str) -> None:
    assert walkthrough._answer(inquiry) == said


def test_lines_compare_each_field_that_one_side_states() -> None:
    assert _part(VERDICT, "Works compared with the reference") == [
        "  title of: On Tables, Ada Almgren, J. ACM 2001",
        "    stated by dblp (k1), found by title and by the same words in another order",
        "    https://doi.org/10.1/x",
        "    title: the same",
        "      both       On Tables",
        "    year: different",
        "      cited      2002",
        "      recorded   2001",
        "    DOI: not stated on one side",
        "      cited      (nothing)",
        "      recorded   10.1/x",
    ]


def test_lines_name_the_record_of_a_valid_reference_or_none() -> None:
    head = "Works compared with the reference"
    valid = replace(VERDICT, status=Status.VALID, meant=(), best_match=Candidate(WORK, 1.0))
    assert _part(valid, head)[0] == "  On Tables, Ada Almgren, J. ACM 2001 (source: dblp)."
    assert _part(replace(VERDICT, meant=()), head) == [
        "  None: no known work is similar to the reference."
    ]


def test_lines_say_what_each_trial_would_change() -> None:
    trials = (
        Trial(("year",), MEANT, Status.VALID),
        Trial(("title", "doi"), MEANT, Status.SUSPICIOUS),
        Trial(("venue",), MEANT, Status.SUSPICIOUS),
    )
    assert _part(VERDICT, "What would change the verdict", trials) == [
        "  With the year 2001, the reference would be VALID.",
        "  With the recorded title and DOI, the reference would still be SUSPICIOUS.",
        "  With the venue (nothing), the reference would still be SUSPICIOUS.",
    ]
    (without,) = _part(replace(VERDICT, status=Status.VALID), "What would change the verdict")
    assert without == "  A record of the same work that contradicts a cited field."


def test_lines_answer_three_questions() -> None:
    assert _part(VERDICT, "Three questions") == [
        "  The reference was not checked, or not under the default policy."
    ]
    facts = (
        Fact("work.absent", "no volume has it", 50.0),
        Fact("title.usual", "its words are usual", 1.0),
    )
    chance = Chance(facts, 0.01)
    described = _part(replace(VERDICT, chance=chance), "Three questions")
    assert described[:3] == [
        "  Does the work exist? Probably not as it is cited.",
        "  Is it described correctly? No; 1 difference found.",
        "  Is it probably invented? The probability is 34 %, if 1 % of all references are\n"
        "    invented.",
    ]
    assert len(described) == 4
    assert "no volume has it" in described[3]


def test_lines_name_rules_without_a_case_by_their_codes() -> None:
    note = replace(ISSUE, code="reading.unclear", severity=Severity.NOTE, explanation="is unclear")
    said = _part(replace(VERDICT, issues=(ISSUE, note)), "What the rules say")
    assert said[0].startswith("  year (year.off, says why it could not be checked): recorded as")
    assert any(line.startswith("  reading (reading.unclear, changes nothing): ") for line in said)
    assert _part(replace(VERDICT, issues=()), "What the rules say") == [
        "  No rule found a difference."
    ]


def test_wrapped_drops_a_second_full_stop_and_control_characters() -> None:
    assert walkthrough._wrapped("It ends..") == "It ends."
    assert walkthrough._wrapped("It ends...", 2) == "  It ends..."
    assert walkthrough._wrapped("red \x1b[31m") == "red  [31m"
