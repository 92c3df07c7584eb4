"""The full explanation of one verdict in plain sentences."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citeproof.model.findings import Agreement, FieldComparison, Inquiry, NearestWork, Outcome
from citeproof.model.quantity import quantity
from citeproof.model.record import Record
from citeproof.model.verdict import Status, Verdict
from citeproof.report import wording
from citeproof.report.advice import FIELD_NAMES, sentence
from citeproof.report.overview import MARKS
from citeproof.verification.certainty import in_words, says_something
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.codes import CODES, REASONS
from citeproof.verification.validation.policy import Weight
from citeproof.verification.validation.rules import RULES

_AGREEMENTS = {
    Agreement.SAME: "the same",
    Agreement.PARTLY: "partly the same",
    Agreement.DIFFERENT: "different",
    Agreement.UNCLEAR: "cannot be compared",
    Agreement.ABSENT: "not stated on one side",
}
_WEIGHTS = {
    Weight.NOTE: "changes nothing",
    Weight.OPEN: "makes the reference UNVERIFIED",
    Weight.ISSUE: "makes the reference SUSPICIOUS",
    Weight.CONFLICT: "makes the reference INVALID, or SUSPICIOUS if only one record says so",
}
_EXISTS = {
    "confirmed": "Yes, a record has it",
    "outside": "Not known; the sources are not expected to have works of this kind",
    "unread": "Not known; the text may have been read wrongly",
    "nothing": "Not known; no record agrees",
    "absent": "Probably not as it is cited",
    "unasked": "Not known; no source was queried",
}
"""Map from the name of a fact, such as ``absent``, to the answer to the question "Does the work
exist?".
"""
_HOW_TO_REPORT = (
    "Run the command again with --evidence case.jsonl, and attach this file to an issue of the"
    " project. It has the text of this entry and the records found. citeproof sends nothing."
)
_OTHERS = (
    "Other values in the fields that the rules name, or a record with the cited values in a queried"
    " source."
)
_WOULD_CHANGE = {
    Status.VALID: "A record of the same work that contradicts a cited field.",
    Status.SUSPICIOUS: _OTHERS,
    Status.INVALID: _OTHERS,
    Status.UNVERIFIED: (
        "A source that has the work: a larger database (--bib-db), or online sources"
        " (--enable-online)."
    ),
    Status.ERROR: (
        "An answer from the source that failed, or an entry that can be read. Then run the command"
        " again."
    ),
}
"""Map from a status to a sentence that says what would change a verdict with this status.

The sentence is shown if there is no :class:`Trial`.
"""


class Trial(NamedTuple):
    """A trial correction of a reference: the ``status`` that the reference gets if its ``fields``
    are replaced by those of ``work``.
    """

    fields: tuple[str, ...]
    work: NearestWork
    status: Status


def lines(verdict: Verdict, case: Case | None, trials: Sequence[Trial]) -> Iterator[str]:
    """Yield the lines that explain ``verdict``.

    ``case`` is the input of the rules, or None for an unreadable entry. ``trials`` are trial
    corrections of the reference.
    """
    reference = verdict.reference
    key = wording.shown_key(reference) or "(no key)"
    yield _wrapped(
        f"{MARKS[verdict.status]} {verdict.status.value}  {key}  {reference.place}", 0, 2
    )
    yield _wrapped(sentence(verdict))
    yield _wrapped(f"Why ({verdict.reason}): {REASONS[verdict.reason].meaning}")
    if says_something(verdict):
        said = in_words(verdict)
        measured = f"; {said}" if said else ", if one reference in 100 is invented"
        yield _wrapped(
            f"The probability that this status is right is {verdict.confidence:.2f}{measured}."
        )
    if reference.from_text:
        yield _wrapped(f"Text of the entry: {' '.join(reference.raw.split())}")
    for flag in verdict.flags:
        yield _wrapped(
            f"{wording.NOTICES.get(flag, flag)} {wording.notice_link(verdict, flag)}".rstrip()
        )
    yield from ("", "Three questions", *_three_questions(verdict))
    yield from ("", "What was queried", *_sources(verdict))
    yield from ("", "Works compared with the reference", *_works(verdict))
    yield from ("", "What the rules say", *_rules(verdict, case))
    yield from ("", "What would change the verdict", *_changes(verdict, trials))
    if case:
        yield from ("", "If this verdict is wrong", _wrapped(_HOW_TO_REPORT, 2))


def _three_questions(verdict: Verdict) -> Iterator[str]:
    """Yield lines that say whether the work exists, whether it is described correctly, and whether
    it is probably invented.
    """
    if not verdict.chance:
        yield _wrapped("The reference was not checked, or not under the default policy.", 2)
        return
    work = next(
        fact.code for fact in verdict.chance.facts if fact.code.startswith("work.")
    ).removeprefix("work.")
    differing = f"No; {quantity(len(verdict.counted), 'difference')} found"
    described = {Status.VALID: "Yes", Status.UNVERIFIED: "Not known"}.get(verdict.status, differing)
    yield _wrapped(
        f"Does the work exist? {_EXISTS.get(work, 'A work that agrees in part exists')}.", 2, 4
    )
    yield _wrapped(f"Is it described correctly? {described}.", 2, 4)
    yield _wrapped(f"Is it probably invented? {wording.chance_line(verdict.chance)}", 2, 4)
    for fact in verdict.chance.facts:
        if fact.is_telling:
            yield _wrapped(f"{fact.effect}.", 4, 6)


def _sources(verdict: Verdict) -> Iterator[str]:
    if not verdict.evidence:
        yield _wrapped("No source was queried.", 2)
    for inquiry in verdict.evidence:
        yield _wrapped(f"{inquiry.source}: {_answer(inquiry)}.", 2, 4)
    if said := wording.found_otherwise(verdict):
        yield _wrapped(f"works found in other ways: {said}.", 2, 4)
    if verdict.searched:
        yield _wrapped(verdict.searched, 2)


def _answer(inquiry: Inquiry) -> str:
    if not inquiry.answered:
        said = "did not answer" if inquiry.outcome is Outcome.FAILED else "was not queried"
        return f"{said}: {inquiry.detail.rstrip('.')}" if inquiry.detail else said
    parts = [wording.records_line(inquiry)]
    if inquiry.candidates_examined:
        parts.append(f"{quantity(inquiry.candidates_examined, 'title')} compared")
    if inquiry.complete:
        parts.append("it is proved that the source has no better record")
    elif inquiry.method:
        parts.append("the source may have a better record")
    if inquiry.from_cache:
        parts.append("from an earlier answer")
    return "; ".join([*parts, *filter(None, [inquiry.detail.rstrip(".")])])


def _works(verdict: Verdict) -> Iterator[str]:
    """Yield lines that compare the most similar works with the reference, field by field.

    For a VALID reference, describe the matching record.
    """
    if verdict.best_match and not verdict.meant:
        record = verdict.best_match.record
        yield _wrapped(
            f"{record.title}, {wording.facts(record)} (source: {record.source or 'not stated'}).",
            2,
            4,
        )
        yield from _link(record)
    elif not verdict.meant:
        yield _wrapped("None: no known work is similar to the reference.", 2)
    for work in verdict.meant:
        record = work.record
        yield _wrapped(f"{wording.relation(work)}: {record.title}, {wording.facts(record)}", 2, 4)
        found = " and ".join(wording.FOUND_BY.get(kind, f"by {kind}") for kind in work.found_by)
        yield _wrapped(f"stated by {record.source or 'a source'} ({record.key}), found {found}", 4)
        yield from _link(record)
        for field in work.fields:
            if field.cited or field.recorded:
                yield from _field(field)


def _link(record: Record) -> Iterator[str]:
    if link := wording.record_link(record):
        yield f"    {link}"


def _field(field: FieldComparison) -> Iterator[str]:
    yield f"    {FIELD_NAMES.get(field.field, field.field)}: {_AGREEMENTS[field.agreement]}"
    same = field.cited == field.recorded
    for label, text in (
        [("both", field.cited)] if same else [("cited", field.cited), ("recorded", field.recorded)]
    ):
        shown = _printable(text) or "(nothing)"
        yield wording.wrapped(shown, f"      {label:<11}", most=4)


def _rules(verdict: Verdict, case: Case | None) -> Iterator[str]:
    """Yield lines about each difference that a rule found, and its effect.

    The last line names the rules that found nothing.
    """
    spoke = {_origin(issue.code) for issue in verdict.issues}
    for issue in verdict.issues:
        weight = case.policy.weights.get(issue.code) if case else None
        unweighed = (
            _WEIGHTS[Weight.NOTE] if not issue.counts else "says why it could not be checked"
        )
        follows = unweighed if weight is None else _WEIGHTS[weight]
        yield _wrapped(
            f"{_origin(issue.code)} ({issue.code}, {follows}): {issue.explanation}.", 2, 4
        )
        if issue.code in CODES:
            yield _wrapped(CODES[issue.code].meaning, 4)
    if not verdict.issues:
        yield _wrapped("No rule found a difference.", 2)
    if case:
        said = {(issue.cited, issue.recorded) for issue in verdict.issues}
        for name, rule in RULES.items():
            for item in rule(case):
                spoke.add(name)
                if (item.cited, item.recorded) not in said:
                    yield _wrapped(
                        f"{name} ({item.code}, not used for the verdict): {item.explanation}.", 2, 4
                    )
        silent = [name for name in RULES if name not in spoke]
        yield _wrapped(f"Rules that found nothing: {', '.join(silent)}.", 2, 4)


def _origin(code: str) -> str:
    """Return the name of the rule that reports ``code``.

    If there is no rule, return the first word of ``code``.
    """
    return (CODES[code].rule if code in CODES else "") or code.partition(".")[0]


def _changes(verdict: Verdict, trials: Sequence[Trial]) -> Iterator[str]:
    for trial in trials:
        names = " and ".join(FIELD_NAMES.get(name, name) for name in trial.fields)
        what = f"With the recorded {names}"
        if len(trial.fields) == 1:
            tried = trial.work.compared(trial.fields[0])
            value = (
                textwrap.shorten(tried.recorded if tried else "", 200, placeholder=" ...")
                or "(nothing)"
            )
            what = f"With the {names} {value}"
        still = "still " if trial.status is verdict.status else ""
        yield _wrapped(f"{what}, the reference would {still}be {trial.status.value}.", 2, 4)
    if not trials:
        yield _wrapped(_WOULD_CHANGE[verdict.status], 2)


def _wrapped(text: str, first: int = 0, rest: int | None = None) -> str:
    """Wrap ``text``.

    The first line is indented by ``first`` columns, further lines by ``rest`` columns.
    """
    text = f"{text[:-2]}." if text.endswith("..") and not text.endswith("...") else text
    return wording.wrapped(_printable(text), " " * first, " " * (first if rest is None else rest))


def _printable(text: str) -> str:
    """Replace control characters in ``text`` with spaces.

    They could move the cursor or change colours.
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)
