"""Estimate how often a verdict is right, and how likely a reference is invented. The estimates come
from labelled references.

*Confidence* is the probability that a verdict is right. It is the measured share of right verdicts
among all verdicts with the same most serious issue code. Verdicts without issues are grouped by
their reason instead. ``python -m tests.accuracy.calibrate`` computes ``COUNTED``, and the accuracy
test fails if the numbers have changed. A flag is a verdict SUSPICIOUS or INVALID. In six
bibliographies without invented references, a person judged each flag. This shows how often an issue
code names a real error. The data set HALLMARK has invented references. The flags on these
references show how many inventions a code finds. One reference in 100 is assumed to be invented.

Example: ``title.word_changed`` was right in 3 of 4 flags (smoothed: 2 of 3) on 1,438 honest
entries, and flagged 26 of 606 invented references. Of 10,000 references, 9,900 are honest and 100
are invented. The code then flags 28 honest references, 18 of them rightly, and 4 invented
references. So 22 of 32 flags are right.

*Facts* are findings that make an invention more or less likely, such as ``identifier.impossible``.
Facts that depend on each other are in the same group. A reference has at most one fact of each
group. Facts of the group ``place`` are used only for references whose work was not found. ``python
-m tests.accuracy.chance --write`` counts the facts among invented references and among honest
references, and writes ``chance.json``.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from citeproof.model.chance import Chance, Fact
from citeproof.model.findings import Agreement, NearestWork
from citeproof.model.record import Volume
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.text.identifiers import doi_says_nothing

COUNTED = {
    "arxiv.after_year": (0, 0, 16),
    "arxiv.malformed": (0, 0, 1),
    "authors.another_work": (0, 0, 4),
    "authors.dropped": (21, 21, 29),
    "authors.given_name": (8, 9, 9),
    "authors.not_on_record": (4, 4, 6),
    "authors.other_people": (0, 1, 94),
    "authors.placeholder": (0, 0, 3),
    "doi.differs": (1, 1, 0),
    "doi.malformed": (1, 1, 0),
    "doi.other_volume": (1, 1, 6),
    "doi.other_work": (7, 7, 3),
    "doi.unassigned": (0, 0, 26),
    "title.different": (3, 3, 13),
    "title.word_changed": (3, 4, 26),
    "venue.different": (0, 1, 66),
    "venue.no_such": (0, 0, 19),
    "venue.no_such_edition": (0, 0, 3),
    "venue.twice": (2, 2, 12),
    "volume.absent": (1, 1, 28),
    "volume.not_found": (2, 2, 54),
    "volume.without_it": (0, 0, 8),
    "year.future": (0, 0, 30),
    "year.off": (7, 7, 15),
    "year.other_edition": (2, 2, 1),
}
"""Map from an issue code to three numbers of issues with this code: correct issues in honest
references, all issues in honest references, and all issues in invented references.
"""
WILD = {code: (right, given) for code, (right, given, _) in COUNTED.items() if given}
INVENTED = {code: found for code, (_, _, found) in COUNTED.items() if found}
WILD_DECIDED = 1440
INVENTED_TOTAL = 606
AGREEING = (421, 423)
"""Two numbers of VALID verdicts that are based on a record, counted on the data set HALLMARK: the
correct verdicts, and all verdicts.
"""
UNMEASURED = 0.5
"""Confidence of verdicts whose accuracy was not measured, such as UNVERIFIED and ERROR."""
_INVENTED_SHARE = 0.01
# minimum number of issues with a code; for rarer codes, the share over all codes is used
_MIN_FLAGS = 3


@cache
def confidence(reason: str, code: str = "") -> float:
    """Return the probability, 0 to 1, that a verdict with this ``reason`` and most serious issue
    ``code`` is right.
    """
    if reason == "record_agrees":
        return _smoothed(*AGREEING)
    if not code:
        return UNMEASURED
    honest = (1 - _INVENTED_SHARE) * max(WILD.get(code, (0, 0))[1], 1) / WILD_DECIDED
    invented = _INVENTED_SHARE * INVENTED.get(code, 0) / INVENTED_TOTAL
    return round((honest * faults_among(code) + invented) / (honest + invented), 3)


@cache
def faults_among(code: str) -> float:
    """Return the share, 0 to 1, of issues with ``code`` in honest bibliographies that were real
    faults.

    For a code with fewer than three issues, return the share over all codes.
    """
    right, given = WILD.get(code, (0, 0))
    if given < _MIN_FLAGS:
        right, given = (sum(pair[place] for pair in WILD.values()) for place in (0, 1))
    return _smoothed(right, given)


def deciding(issues: Sequence[Issue]) -> str:
    """Return the code of the most serious issue. Empty if the reference has no issues except
    notes.
    """
    return next((issue.code for issue in issues if issue.severity is Severity.ISSUE), "")


def in_words(verdict: Verdict) -> str:
    """Return a text that says how often findings like the most serious issue of ``verdict`` were
    real errors: ``in bibliographies without invented references, 67 of 100 such findings were real
    errors``.

    Empty if this was not measured.
    """
    code = deciding(verdict.issues)
    if (
        not says_something(verdict)
        or verdict.status is Status.VALID
        or WILD.get(code, (0, 0))[1] < _MIN_FLAGS
    ):
        return ""
    faults = 100 * faults_among(code)
    return (
        f"in bibliographies without invented references, {faults:.0f} of 100 such findings were"
        " real errors"
    )


def says_something(verdict: Verdict) -> bool:
    """Return whether the status of ``verdict`` is VALID, SUSPICIOUS or INVALID, and its confidence
    was measured.
    """
    return (
        verdict.status not in {Status.UNVERIFIED, Status.ERROR} and verdict.confidence != UNMEASURED
    )


def _smoothed(right: int, given: int) -> float:
    """Return the share ``right / given``, smoothed by Laplace's rule of succession, so that it is
    never 0 or 1.
    """
    return round((right + 1) / (given + 2), 3)


FACTS: Mapping[str, Mapping[str, str]] = {
    "work": {
        "confirmed": "a record agrees with the reference",
        "detail": "a known work has the same title and authors, but a detail differs",
        "title": "a known work has the same authors, but the title differs",
        "people": "a known work has the same title, but not all authors agree",
        "stranger": "a known work has the same title, but a cited author is on no record of it",
        "others": "a known work has the same title, but none of the cited authors",
        "open": "a known work agrees, but a cited detail could be neither confirmed nor refuted",
        "absent": "the database has nearly all of the cited volume or source, but not this work",
        "outside": "the sources are not expected to have works of this kind",
        "unread": "the reference was read from running text, perhaps wrongly",
        "its_people": "the most similar work is by the cited authors, under another title",
        "near_title": "the most similar work has nearly the same title, but other authors",
        "nothing": "no known work has the cited title or all of the cited authors",
        "unasked": "no source was queried, or the entry could not be read",
    },
    "identifier": {
        "impossible": "a cited identifier cannot exist",
        "others": "a cited identifier belongs to another work",
        "nothing": "no identifier speaks for or against the reference",
    },
    "place": {
        "stated": "the reference states pages, a volume, an issue number or a DOI",
        "unstated": "the reference states no pages, no volume, no issue number and no DOI",
        "held": (
            "the reference states no pages, no volume, no issue number and no DOI, and the database"
            " has nearly all papers of the cited volume, but not this one"
        ),
    },
}
"""Facts that raise or lower the probability that a reference is invented: a map from a group to a
map from the name of a fact to its description.
"""
_IMPOSSIBLE = {
    "doi.unassigned",
    "doi.unknown",
    "arxiv.malformed",
    "arxiv.unknown",
    "arxiv.after_year",
    "rfc.unknown",
}
"""Issue codes of identifiers that cannot exist.

A malformed DOI is not included, because most malformed DOIs are copying errors.
"""
_OF_OTHERS = {"doi.other_work", "doi.other_volume", "arxiv.other_work", "rfc.other_work"}
_BY_REASON = {
    "not_asked": "unasked",
    "no_title": "unasked",
    "out_of_scope": "outside",
    "parse_suspect": "unread",
    "not_confirmed": "open",
}
"""Map from the reason of an UNVERIFIED verdict to the name of a fact in ``FACTS["work"]``.

For other reasons, see :func:`_nearest`.
"""
_BY_ISSUE = (
    (
        "absent",
        (
            "volume.absent",
            "identifier.absent",
            "preprint.absent",
            "volume.not_found",
            "volume.without_it",
        ),
    ),
    ("others", ("authors.other_people", "authors.another_work")),
    ("title", ("title.",)),
    ("stranger", ("authors.not_on_record", "authors.placeholder")),
    ("people", ("authors.",)),
)
"""Pairs: the name of a fact in ``FACTS["work"]``, and the prefixes of the issue codes that show
this fact.

The first match applies.
"""
_NUMBERS = re.compile(
    r"\d\s?(?:\(\d+\)|(?:[-\u2010-\u2014]{1,3}|:)\s?\w?\d)|\b(?:vol|volume|no|pp?|"
    r"pages?)\b[.~\s]*\d",
    re.IGNORECASE,
)
"""Regex for page numbers, volumes and numbers of journal issues in running text, such as
``12--19``, ``5(3)``, ``12:345``, ``vol. 7``.
"""


def chance_on(verdict: Verdict, volumes: Sequence[Volume], base_rate: float) -> Chance | None:
    """Return the probability that the reference is invented, with the facts behind it.

    Return None if the status is ERROR, or if the entry is not a reference. ``volumes`` are the
    volumes of the cited venue and year. ``base_rate`` is the share of invented references among all
    references.
    """
    if verdict.status is Status.ERROR or verdict.reason == "not_a_reference":
        return None
    found = {
        f"{group}.{name}": FACTS[group][name] for group, name in facts_of(verdict, volumes).items()
    }
    facts = [Fact(code, meaning, table()[code]) for code, meaning in found.items()]
    return Chance(
        tuple(sorted(facts, key=lambda fact: -max(fact.ratio, 1 / fact.ratio))), base_rate
    )


def facts_of(verdict: Verdict, volumes: Iterable[Volume] = ()) -> dict[str, str]:
    """Return the facts that a verdict shows: ``{"work": "detail", "identifier": "nothing"}``. The
    keys are groups of :data:`FACTS`, and the values are names of facts.

    ``volumes`` are the volumes of the cited venue and year.
    """
    codes = {issue.code for issue in verdict.issues}
    work = _work(verdict, {issue.code for issue in verdict.counted})
    identifier = (
        "impossible" if codes & _IMPOSSIBLE else "others" if codes & _OF_OTHERS else "nothing"
    )
    place = (
        {"place": _place(verdict.reference, volumes)}
        if work in {"its_people", "near_title", "nothing"}
        else {}
    )
    return {"work": work, "identifier": identifier, **place}


@cache
def counted() -> Mapping[str, Mapping[str, float]]:
    """Return a map from the code of a fact, such as ``work.title``, to three numbers: the weighted
    count of ``invented`` references with this fact, that of the ``others``, and the ``ratio`` of
    the two shares.
    """
    text = files(__package__).joinpath("chance.json").read_text("utf-8")
    stored: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(text)
    return stored["facts"]


@cache
def table() -> Mapping[str, float]:
    """Return a map from the code of a fact, such as ``work.title``, to its likelihood ratio. The
    ratio is 1 for a fact that was not measured.
    """
    codes = [f"{group}.{name}" for group, own in FACTS.items() for name in own]
    return {code: counted().get(code, {"ratio": 1.0})["ratio"] for code in codes}


def _work(verdict: Verdict, codes: set[str]) -> str:
    if verdict.status is Status.VALID:
        return "confirmed"
    for name, beginnings in _BY_ISSUE:
        if any(code.startswith(beginnings) for code in codes):
            return name
    if verdict.status is not Status.UNVERIFIED:
        return "detail" if verdict.best_match else "nothing"
    return _BY_REASON.get(verdict.reason) or _nearest(verdict.meant)


def _nearest(works: Sequence[NearestWork]) -> str:
    """Return the name of the fact in ``FACTS["work"]`` for a reference whose work was not found:
    ``its_people``, ``near_title`` or ``nothing``.

    ``works`` are the works that are most similar to the cited work.
    """
    authors = {
        field.agreement for work in works for field in work.fields if field.field == "authors"
    }
    if Agreement.SAME in authors:
        return "its_people"
    near = any(
        work.candidate.similarity >= 0.9 or "title" in work.fields_that(Agreement.SAME)
        for work in works
    )
    return "near_title" if near and Agreement.PARTLY not in authors else "nothing"


def _place(reference: Reference, volumes: Iterable[Volume]) -> str:
    """Return the name of the fact in ``FACTS["place"]`` for ``reference``, such as ``stated`` if
    the reference states pages, a volume or a DOI.

    ``volumes`` are the volumes of the cited venue and year.
    """
    doi = reference.doi and not doi_says_nothing(reference.doi)
    text = reference.raw or reference.string if reference.from_text else ""
    if reference.pages or reference.volume or reference.number or doi or _NUMBERS.search(text):
        return "stated"
    # the venue of an article is not a conference, although "Machine Learning" is also a name of
    # ICML
    article = reference.entry_type == "article"
    meant = (one for one in volumes if not (article and one.venue.startswith("conf/")))
    # without authors, the volume itself may be cited
    is_held = reference.authors and any(one.completeness >= 0.9 for one in meant)
    return "held" if is_held else "unstated"
