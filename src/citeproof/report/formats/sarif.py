"""SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), for code reviews: a result for
each issue that affects a verdict.

INVALID is an error, SUSPICIOUS a warning, a retraction a note. An UNVERIFIED reference is a result,
of the kind ``review``, only if ``--fail-on`` names this status. A failed source is a notification
of the run. Accepted references are suppressed.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import TextIO
from urllib.parse import quote

from citeproof.model.reference import Reference
from citeproof.model.run import Ending, Run
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.model.version import __version__
from citeproof.report.advice import FOR_REASONS, part, region, sentence
from citeproof.report.overview import USUAL, View, is_problem
from citeproof.report.serialization import statistics_object
from citeproof.report.wording import NOTICES, is_unreadable, message, sentence_on
from citeproof.verification.decision import FLAGS
from citeproof.verification.validation.codes import CODES, REASONS

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {Status.INVALID: "error", Status.SUSPICIOUS: "warning", Status.ERROR: "warning"}
_SAFE = "/-._~!$'()*+,;=@"
"""Characters of a path that are not escaped in a URI.

A colon is escaped, because a parser could take the part before it for a URI scheme.
"""


def render(run: Run, out: TextIO, view: View = USUAL) -> None:
    """Write the report on ``run`` to ``out``."""
    suppresses = any(verdict.is_accepted for verdict in run.verdicts)
    results = [
        result | (_suppressions(verdict) if suppresses else {})
        for verdict in run.verdicts
        for result in _results(verdict, view)
    ]
    rules = [_rule(code) for code in dict.fromkeys(result["ruleId"] for result in results)]
    whole = {
        "tool": {"driver": {"name": "citeproof", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(run, view)],
        "results": results,
        "properties": {
            "statistics": statistics_object(run.statistics),
            "settings": dict(run.settings),
            "notes": list(run.notes),
        },
    }
    json.dump(
        {"$schema": SCHEMA, "version": "2.1.0", "runs": [whole]}, out, ensure_ascii=False, indent=2
    )
    out.write("\n")


def _rule(code: str) -> JsonObject:
    """Return the SARIF rule for an issue code, with the meaning of the code and advice."""
    known = CODES.get(code) or REASONS.get(code)
    meaning = known.meaning if known else FLAGS.get(code, "")
    advice = FOR_REASONS.get(code) or NOTICES.get(code, "")
    text = (
        " ".join(filter(None, (meaning, advice)))
        or "The entry could not be read; docs/formats.md lists the codes."
    )
    name = "".join(word.capitalize() for word in code.replace(".", "_").split("_"))
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": meaning or text},
        "help": {"text": text},
    }


def _results(verdict: Verdict, view: View) -> Iterator[JsonObject]:
    if is_unreadable(verdict) or (is_problem(verdict) and verdict.status in _LEVELS):
        for issue in verdict.counted:
            said = part(issue, verdict)
            yield _result(
                verdict, issue.code, f"{said[0].upper()}{said[1:]}.", _LEVELS[verdict.status], issue
            )
        if not verdict.counted:
            yield _result(verdict, verdict.reason, sentence(verdict), _LEVELS[verdict.status])
    elif verdict.status is Status.UNVERIFIED and verdict.status in view.failing:
        yield _result(verdict, verdict.reason, sentence(verdict), "none") | {"kind": "review"}
    for flag in verdict.flags:
        if flag in NOTICES:
            yield _result(verdict, flag, message(verdict), "note")


def _result(
    verdict: Verdict, rule: str, said: str, level: str, issue: Issue | None = None
) -> JsonObject:
    reference = verdict.reference
    print_of_entry = hashlib.sha256(
        f"{rule}\n{' '.join(reference.raw.split())}".encode(errors="replace")
    ).hexdigest()
    about = f"{reference.key}: {said}" if reference.key else said
    properties = {
        "status": verdict.status.value,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
    }
    found = {
        "ruleId": rule,
        "level": level,
        "message": {"text": about},
        "locations": _locations(reference, issue),
    }
    return found | {
        "partialFingerprints": {"entryAndRule/v1": print_of_entry},
        "properties": properties,
    }


def _suppressions(verdict: Verdict) -> JsonObject:
    """Return the property ``suppressions`` of a SARIF result.

    The list is empty if the reference is not accepted.
    """
    accepted = {"kind": "external", "status": "accepted", "justification": sentence_on(verdict)}
    return {"suppressions": [accepted] if verdict.is_accepted else []}


def _locations(reference: Reference, issue: Issue | None) -> list[JsonObject]:
    if not reference.file:
        return []
    path = quote(reference.file.replace("\\", "/"), safe=_SAFE, errors="replace")
    # a relative path becomes a relative URI
    uri = f"file://{path}" if path.startswith("/") else path
    physical: JsonObject = {"artifactLocation": {"uri": uri}}
    if where := region(reference, issue):
        physical["region"] = dict(
            zip(("startLine", "startColumn", "endLine", "endColumn"), where, strict=True)
        )
    return [{"physicalLocation": physical}]


def _invocation(run: Run, view: View) -> JsonObject:
    failed = [
        verdict
        for verdict in run.verdicts
        if verdict.status is Status.ERROR and not is_unreadable(verdict)
    ]
    return {
        "executionSuccessful": run.ending is Ending.COMPLETE and not failed,
        "exitCode": int(run.exit_code(view.failing)),
        "toolExecutionNotifications": [
            {
                "level": "error",
                "message": {"text": sentence(one)},
                "locations": _locations(one.reference, None),
            }
            for one in failed
        ],
    }
