"""Facts of a verdict that change the chance that its reference is invented.

Each reference has at most one fact of each group, so that dependent findings count once. The group ``place`` applies
only to references whose work was not found, and its ratios were counted among these. ``python -m tests.accuracy.chance
--write`` counts the facts among invented references and among others, and writes ``chance.json``.
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
from citeproof.model.verdict import Status, Verdict
from citeproof.text.identifiers import doi_says_nothing

NEARLY_COMPLETE = 0.9
"""Minimum completeness of a volume that counts as nearly complete."""
ALIKE = 0.9
"""Minimum similarity of titles that count as nearly equal."""
FACTS: Mapping[str, Mapping[str, str]] = {
    "work": {
        "confirmed": "a record agrees with it",
        "detail": "a work agrees in title and authors, and a detail differs",
        "title": "a work agrees in authors, and its title differs",
        "people": "a work has its title, and its authors agree in part",
        "stranger": "a work has its title, and a cited author is on no record of it",
        "others": "a work has its title, and none of its authors",
        "open": "a work agrees, and a claim can be neither confirmed nor refuted",
        "absent": "a volume or source that the database has nearly completely lacks it",
        "outside": "it is a kind of work that the sources need not have",
        "unread": "it was read from running text, perhaps wrongly",
        "its_people": "the nearest work is by its authors, under another title",
        "near_title": "the nearest work has nearly its title and other authors",
        "nothing": "no known work has its title or all of its authors",
        "unasked": "nothing was asked, or nothing could be read",
    },
    "identifier": {
        "impossible": "an identifier in it cannot exist",
        "others": "an identifier in it belongs to another work",
        "nothing": "no identifier speaks for or against it",
    },
    "place": {
        "stated": "it states pages, a volume, a number or a DOI",
        "unstated": "it states neither pages nor a volume, a number or a DOI",
        "held": "it states none of these, and the database has nearly all of the cited volume, without it",
    },
}
"""Map from group to its facts, each with a description for reports."""
_IMPOSSIBLE = frozenset(
    {"doi.unassigned", "doi.unknown", "arxiv.malformed", "arxiv.unknown", "arxiv.after_year", "rfc.unknown"}
)
"""Codes of impossible identifiers. A malformed DOI is not among them: it is mostly a copying error."""
_OF_OTHERS = frozenset({"doi.other_work", "doi.other_volume", "arxiv.other_work", "rfc.other_work"})
_NOT_FOUND = frozenset({"its_people", "near_title", "nothing"})  # facts about references whose work was not found
_BY_REASON = {
    "not_asked": "unasked",
    "no_title": "unasked",
    "out_of_scope": "outside",
    "parse_suspect": "unread",
    "not_confirmed": "open",
}
"""Map from the reason of an UNVERIFIED verdict to its fact. For other reasons, the nearest works decide on the fact."""
_BY_ISSUE = (
    ("absent", ("volume.absent", "identifier.absent", "preprint.absent", "volume.not_found", "volume.without_it")),
    ("others", ("authors.other_people", "authors.another_work")),
    ("title", ("title.",)),
    ("stranger", ("authors.not_on_record", "authors.placeholder")),
    ("people", ("authors.",)),
)
"""Facts about the work, each with the prefixes of issue codes that show it. The first matching fact applies."""
_NUMBERS = re.compile(
    r"\d\s?(?:\(\d+\)|(?:[-\u2010-\u2014]{1,3}|:)\s?\w?\d)|\b(?:vol|volume|no|pp?|pages?)\b[.~\s]*\d", re.IGNORECASE
)
"""Regex of pages, volume or number in running text: ``12--19``, ``5(3)``, ``12:345``, ``vol. 7``."""


def chance_on(verdict: Verdict, volumes: Sequence[Volume], base_rate: float) -> Chance | None:
    """Return the chance that the reference of ``verdict`` is invented; None if nothing could be read or decided."""
    if verdict.status is Status.ERROR or verdict.reason == "not_a_reference":
        return None
    found = [(f"{group}.{name}", FACTS[group][name]) for group, name in facts_of(verdict, volumes).items()]
    facts = [Fact(code, meaning, table()[code]) for code, meaning in found]
    return Chance(tuple(sorted(facts, key=lambda fact: -max(fact.ratio, 1 / fact.ratio))), base_rate)


def facts_of(verdict: Verdict, volumes: Iterable[Volume] = ()) -> dict[str, str]:
    """Return a map from group of :data:`FACTS` to the fact that applies."""
    codes = {issue.code for issue in verdict.issues}
    work = _work(verdict, {issue.code for issue in verdict.issues if issue.severity is Severity.ISSUE})
    identifier = "impossible" if codes & _IMPOSSIBLE else "others" if codes & _OF_OTHERS else "nothing"
    found = {"work": work, "identifier": identifier}
    if work in _NOT_FOUND:
        found["place"] = _place(verdict.reference, volumes)
    return found


@cache
def counted() -> Mapping[str, Mapping[str, float]]:
    """Return, by the code of each counted fact, its counts ``invented`` and ``others``, and its ``ratio``."""
    text = files(__package__).joinpath("chance.json").read_text("utf-8")
    stored: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(text)
    return stored["facts"]


@cache
def table() -> Mapping[str, float]:
    """Return the ratio of each fact, by its code; 1 for a fact that was not counted."""
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
    """Return the fact about what a reference that was not found has in common with the nearest works."""
    authors = {field.agreement for work in works for field in work.fields if field.field == "authors"}
    if Agreement.SAME in authors:
        return "its_people"
    near = any(work.candidate.similarity >= ALIKE or "title" in work.fields_that(Agreement.SAME) for work in works)
    return "near_title" if near and Agreement.PARTLY not in authors else "nothing"


def _place(reference: Reference, volumes: Iterable[Volume]) -> str:
    """Return the fact on volume, pages and DOI of a reference that was not found. Running text is searched for it."""
    doi = reference.doi and not doi_says_nothing(reference.doi)
    text = reference.raw or reference.string if reference.from_text else ""
    if reference.pages or reference.volume or reference.number or doi or _NUMBERS.search(text):
        return "stated"
    article = reference.entry_type == "article"  # no claim of a conference: "Machine Learning" is ICML too
    complete = (one.completeness for one in volumes if not (article and one.venue.startswith("conf/")))
    return "held" if max(complete, default=0.0) >= NEARLY_COMPLETE else "unstated"
