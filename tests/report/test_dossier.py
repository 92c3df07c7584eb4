"""The evidence on one paper as a file, and whether a file is still what the evidence gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citeproof.model.errors import InputError
from citeproof.model.reference import Diagnostic, Place
from citeproof.model.verdict import Status
from citeproof.report.dossier import Dossier, faults, rendered
from citeproof.verification.evidence.line import Evidence

EXAMPLES = Path(__file__).parents[1] / "data" / "evidence" / "examples" / "references.jsonl"


@pytest.fixture(scope="module")
def dossier() -> Dossier:
    kept = [Evidence.unpacked(line) for line in EXAMPLES.read_bytes().splitlines()]
    broken = Diagnostic(Place("refs.bib", 9), "bibtex.unclosed", "is never closed", key="open")
    return Dossier(
        paper="a <paper>.pdf",
        database={},
        notes=("a note",),
        base_rate=0.01,
        entries=(*kept, broken),
    )


def test_run_has_a_verdict_on_each_entry(dossier: Dossier) -> None:
    run = dossier.run()
    assert len(run.verdicts) == run.statistics.entries == len(dossier.entries)
    assert run.verdicts[-1].status is Status.ERROR
    assert any(verdict.is_flagged for verdict in run.verdicts)
    assert list(dossier.differences()) == []


@pytest.mark.parametrize("form", ["html", "json"])
def test_rendered_dossier_is_found_and_made_again(dossier: Dossier, form: str) -> None:
    text = rendered(dossier, form)
    assert Dossier.found_in(text) == dossier
    assert list(faults(text) or ("none",)) == []
    changed = text.replace("a note", "another note", 1)
    assert changed != text
    (said,) = list(faults(changed) or ["none"])
    assert said.startswith("line ")
    assert "was changed" in said


def test_rendered_html_cannot_be_ended_by_its_evidence(dossier: Dossier) -> None:
    named = dossier.model_copy(update={"paper": "</script>\u2028.pdf"})
    text = rendered(named, "html")
    assert text.count("</script>.pdf") == text.count("</script>\u2028") == 0
    found = Dossier.found_in(text)
    assert found is not None
    assert found.paper == "</script>\u2028.pdf"


def test_rendered_json_counts_what_was_found(dossier: Dossier) -> None:
    whole = json.loads(rendered(dossier, "json"))
    assert len(whole["results"]) == len(dossier.entries)
    laws = {row["code"]: row for row in whole["laws"]}
    assert laws["bibtex.unclosed"] == {
        "code": "bibtex.unclosed",
        "meaning": "The entry could not be read.",
        "effect": "says why it could not be checked",
        "count": 1,
    }
    assert laws["year.off"]["effect"] == "SUSPICIOUS"
    assert sum(row["count"] for row in whole["reliability"]) == len(dossier.entries)
    assert whole["chance"]["base_rate"] == 0.01
    assert whole["chance"]["expected"] > 0


def test_found_in_is_none_without_evidence_and_fails_on_a_broken_one(dossier: Dossier) -> None:
    assert Dossier.found_in("<!doctype html>\n<p>a page") is None
    assert faults("<!doctype html>\n<p>a page") is None
    for text in ('{\n  "dossier": 1}', '{\n  "dossier"', '{\n  "dossier": 1, "kept": [1]}'):
        with pytest.raises(InputError, match="its evidence cannot be read: "):
            Dossier.found_in(text)


def test_differences_name_each_verdict_that_the_evidence_does_not_give(dossier: Dossier) -> None:
    first = next(one for one in dossier.entries if isinstance(one, Evidence))
    said = first.verdict.model_copy(update={"flags": ("retracted",)})
    changed = first.model_copy(update={"verdict": said})
    (line,) = dossier.model_copy(update={"entries": (changed,)}).differences()
    assert line.startswith(f"{first.reference.key}: flags: was retracted, is none")
