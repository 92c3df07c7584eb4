"""Write and check dossiers. A dossier is an HTML or JSON file with the verdicts on one paper and
the evidence, so that anybody can check the verdicts.

Everything else in the file is computed from the evidence. A dossier is checked by rendering its
evidence again:

    dossier = Dossier.found_in(text)         # the evidence in the file
    rendered(dossier, "html") == text        # False: another version of citeproof, or somebody
    changed the file
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from io import StringIO
from itertools import chain, islice, zip_longest
from typing import Literal, Self

from pydantic import BaseModel, ValidationError

from citeproof.model.chance import PaperChance, carried_by
from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, name_of
from citeproof.model.run import Run, Statistics
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Verdict
from citeproof.report.formats import html
from citeproof.report.overview import View
from citeproof.report.serialization import invented_object, result_object, statistics_object
from citeproof.report.wording import chance_line
from citeproof.verification.certainty import AGREEING, WILD, counted, deciding
from citeproof.verification.evidence.line import Evidence
from citeproof.verification.evidence.replay import replay, verdict_of
from citeproof.verification.pipeline import unreadable
from citeproof.verification.validation.codes import CODES, REASONS
from citeproof.verification.validation.policy import DEFAULT, Weight

FORMATS = ("html", "json")
BEGINNINGS = (b"<!doctype html>", b'{\n  "dossier"')
"""First bytes of a dossier in HTML, and of a dossier in JSON."""
_EFFECTS = {
    Weight.NOTE: "a note: changes nothing",
    Weight.OPEN: "UNVERIFIED",
    Weight.ISSUE: "SUSPICIOUS",
    Weight.CONFLICT: "INVALID; SUSPICIOUS if only one record says so",
}
"""Map from the weight of a difference to a phrase that states the effect on the verdict."""
OBJECTION = (
    (
        "Show that the work exists: with a DOI that resolves, a page of the publisher, or a scan of"
        " the first page. One of these is enough."
    ),
    (
        "If the work exists and is cited correctly, the finding is wrong: the record or the rule"
        " that the finding names has an error. Send this file and the link to the person from whom"
        " you have the file, and to the authors of citeproof."
    ),
    "If a detail is wrong, such as the year, correct it. A wrong detail is not an invention.",
    "UNVERIFIED accuses nobody: the queried sources may lack the work.",
    (
        "A finding does not say who made a mistake, or why. A person must check each finding before"
        " drawing a conclusion."
    ),
)
"""Sentences that tell authors how to object to a verdict on their reference."""
_KEPT = re.compile(r'<script type="application/json" id="evidence">(.*?)</script>', re.DOTALL)


class Dossier(BaseModel):
    """The stored evidence on the references of one paper. The HTML or JSON file of a dossier is
    made from it.
    """

    dossier: Literal[1] = 1
    paper: str
    database: JsonObject
    """Description of the database, without the path."""
    notes: tuple[str, ...]
    base_rate: float
    """Assumed share of invented references among all references. The estimated probabilities are
    based on this share.
    """
    entries: tuple[Evidence | Diagnostic, ...]
    """Evidence of each entry, in the order of the paper.

    For an entry that could not be checked, a diagnostic.
    """

    def differences(self) -> Iterator[str]:
        """Check each stored verdict with the current rules.

        Yield a message for each verdict that the current rules decide differently.
        """
        for one in self.entries:
            if isinstance(one, Evidence) and not (again := replay(one)).equal:
                yield (
                    f"{one.reference.key or one.reference.place}: {'; '.join(again.differences())};"
                    f" {again.why}"
                )

    @classmethod
    def found_in(cls, text: str) -> Self | None:
        """Return the dossier in the text of a file, or None.

        Raises :class:`InputError` if the dossier is malformed.
        """
        kept = text if text.startswith(BEGINNINGS[1].decode()) else "".join(_KEPT.findall(text))
        if not kept:
            return None
        try:
            values = json.loads(kept)
            return cls.model_validate(values.get("kept", values))
        except (ValueError, ValidationError, AttributeError) as error:
            raise InputError(
                f"its evidence cannot be read: {str(error).splitlines()[0]}"
            ) from error

    def packed(self) -> str:
        """Return the dossier as JSON in one line. Equal dossiers give equal text."""
        return self.model_dump_json(exclude_defaults=True)[:-1] + ',"dossier":1}'

    def run(self) -> Run:
        """Return a run with the stored references. The verdicts are decided by the current
        rules.
        """
        verdicts = tuple(
            verdict_of(one, self.base_rate) if isinstance(one, Evidence) else unreadable(one)
            for one in self.entries
        )
        return Run(self.database, self.notes, verdicts, Statistics.of(verdicts, 0))


def rendered(dossier: Dossier, form: str) -> str:
    """Return ``dossier`` in the format ``html`` or ``json``."""
    run = dossier.run()
    about = _about(dossier, run)
    if form == "json":
        results = [result_object(verdict) for verdict in run.verdicts]
        whole = {"dossier": 1, **about, "results": results, "kept": json.loads(dossier.packed())}
        return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
    out = StringIO()
    kept = (
        dossier.packed()
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
    html.render(run, out, View(exits=False), template="dossier.html", about=about, kept=kept)
    return out.getvalue()


def faults(text: str) -> Iterator[str] | None:
    """Check the dossier ``text``.

    Yield messages about the verdicts that the current rules decide differently, and about the first
    line of the file that differs from a new rendering.

    Return None if ``text`` is not a dossier. Raises :class:`InputError` if the evidence is
    malformed.
    """
    if not (dossier := Dossier.found_in(text)):
        return None
    again = rendered(dossier, "html" if text.startswith("<") else "json")
    pairs = zip_longest(text.split("\n"), again.split("\n"))
    changed = (number for number, (ours, theirs) in enumerate(pairs, 1) if ours != theirs)
    why = (
        "is not what this version of citeproof writes from the evidence: the file was changed, or"
        " another version wrote the file"
    )
    return chain(dossier.differences(), (f"line {line} {why}" for line in islice(changed, 1)))


def _about(dossier: Dossier, run: Run) -> JsonObject:
    kept = [one for one in dossier.entries if isinstance(one, Evidence)]
    return {
        "paper": dossier.paper,
        "sha256": sha256(dossier.packed().encode()).hexdigest(),
        "programs": sorted(
            {f"{one.program}, rules {one.rules}, policy {one.policy.name}" for one in kept}
        ),
        "days": sorted({one.day.isoformat() for one in kept}),
        "database": dossier.database,
        "notes": list(dossier.notes),
        "statistics": statistics_object(run.statistics),
        "laws": _issue_rows(run.verdicts),
        "reliability": _reliability(run.verdicts),
        "chance": _chance(run, dossier.base_rate),
        "objection": list(OBJECTION),
    }


def _chance(run: Run, base_rate: float) -> JsonObject:
    """Return a dictionary about invented references: the estimated number, the most suspicious
    references, and the facts on which the estimate is based. ``base_rate`` is the assumed share of
    invented references.
    """
    invented = PaperChance.of([one.chance.odds for one in run.verdicts if one.chance], base_rate)
    carrying = carried_by(
        (one.chance.odds, (name_of(one.reference), one.chance))
        for one in run.verdicts
        if one.chance
    )
    facts = {fact.code: fact for _, chance in carrying for fact in chance.facts if fact.is_telling}
    return {
        "base_rate": base_rate,
        **invented_object(invented, ()),
        "carried_by": [
            {"key": key, "said": f"{chance_line(chance)} Evidence: {chance.facts[0].effect}."}
            for key, chance in carrying
        ],
        "facts": [
            {"code": code, "said": facts[code].said, **counted()[code]} for code in sorted(facts)
        ],
    }


def _issue_rows(verdicts: tuple[Verdict, ...]) -> list[JsonObject]:
    """Return a row for each issue code in ``verdicts``: code, meaning, effect on the verdict,
    number of occurrences.
    """
    rows = []
    for code, count in Counter(
        issue.code for one in verdicts for issue in one.issues
    ).most_common():
        meaning = CODES[code].meaning if code in CODES else "The entry could not be read."
        effect = (
            _EFFECTS[DEFAULT.weights[code]]
            if code in DEFAULT.weights
            else "says why it could not be checked"
        )
        rows.append({"code": code, "meaning": meaning, "effect": effect, "count": count})
    return rows


def _reliability(verdicts: tuple[Verdict, ...]) -> list[JsonObject]:
    """Return a row for each issue code or reason on which verdicts are based.

    The row states how often such verdicts are right.
    """
    rows = []
    decided = Counter(
        ((one.is_flagged and deciding(one.issues)) or one.reason, one.status) for one in verdicts
    )
    for (reason, status), count in decided.most_common():
        right, given = AGREEING if reason == "record_agrees" else WILD.get(reason, (0, 0))
        about = {"meaning": (CODES.get(reason) or REASONS[reason]).meaning, "count": count}
        rows.append(
            {"reason": reason, "status": status.value, **about, "right": right, "given": given}
        )
    return rows
