"""JUnit XML, as build servers read it."""

import io
from xml.etree import ElementTree as ET

import pytest

from citeproof.model.reference import Place, Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.formats.junit import render
from citeproof.report.overview import USUAL, View

COUNTS = {"tests", "failures", "errors", "skipped"}
SHAPE: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": ({"name", "time", *COUNTS}, {"testsuite"}),
    "testsuite": ({"name", *COUNTS}, {"testcase"}),
    "testcase": ({"classname", "name"}, {"failure", "error", "skipped", "system-out"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
    "system-out": (set(), set()),
}
"""Of each element its attributes and what it may hold, as in Jenkins' ``junit-10.xsd``, as far as
citeproof uses it.
"""


def rendered(run: Run, view: View = USUAL) -> ET.Element:
    out = io.StringIO()
    render(run, out, view)
    root = ET.fromstring(out.getvalue().encode())
    for element in root.iter():
        attributes, children = SHAPE[element.tag]
        assert set(element.attrib) == attributes
        assert {child.tag for child in element} <= children
    return root


def test_each_entry_is_a_case_with_its_outcome(run: Run) -> None:
    cases = list(rendered(run).iter("testcase"))
    assert [case.get("name") for case in cases] == [
        "good refs.bib:1",
        "doubt refs.bib:9",
        "=cmd() refs.bib:17",
        "refs.bib:25",
        "down refs.bib:33",
    ]
    assert [[child.tag for child in case] for case in cases] == [
        ["system-out"],
        ["failure"],
        ["failure"],
        ["skipped"],
        ["error"],
    ]
    assert str(cases[1][0].get("message")).startswith(
        "Correct the title: the record has “is”, not “was”; the year"
    )


def test_render_the_counts_add_up(run: Run) -> None:
    root = rendered(run)
    assert {name: root.get(name) for name in COUNTS} == {
        "tests": "5",
        "failures": "2",
        "errors": "1",
        "skipped": "1",
    }
    assert {name: root[0].get(name) for name in COUNTS} == {name: root.get(name) for name in COUNTS}


@pytest.mark.parametrize(
    ("failing", "failures"), [((Status.INVALID,), 1), ((), 0), ((Status.UNVERIFIED,), 1)]
)
def test_render_what_fails_is_the_user_s_choice(
    run: Run, failing: tuple[Status, ...], failures: int
) -> None:
    root = rendered(run, View(failing=failing))
    assert len(list(root.iter("failure"))) == failures
    assert len(list(root.iter("testcase"))) == 5


def test_render_what_xml_cannot_hold_is_replaced() -> None:
    reference = Reference("a\x1b<&\"'", "\ud800 \x00", place=Place("b\udcff.bib", 1))
    verdict = Verdict(reference, Status.UNVERIFIED, "title_not_found", 0.5)
    (case,) = rendered(Run({}, (), (verdict,), Statistics.of((verdict,), 1.0))).iter("testcase")
    assert str(case.get("name")).startswith("a\ufffd<&\"' ")


def test_render_a_suite_is_a_paper(run: Run) -> None:
    assert [suite.get("name") for suite in rendered(run)] == ["refs.bib"]


def test_render_what_is_accepted_is_skipped_with_the_reason(accepted_run: Run) -> None:
    cases = list(rendered(accepted_run).iter("testcase"))
    assert [[child.tag for child in case] for case in cases[1:3]] == [["failure"], ["skipped"]]
    assert str(cases[2][0].get("message")).endswith(
        "Accepted: a [reprint] (2026-11-22, until 2027-11-22)."
    )


def test_render_what_could_not_be_checked_is_skipped_where_that_does_not_count(run: Run) -> None:
    root = rendered(run, View(failing=(Status.INVALID,)))
    assert (root.get("errors"), root.get("skipped")) == ("0", "2")
