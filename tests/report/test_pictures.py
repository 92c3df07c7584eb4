"""The pictures are whole SVG elements whose parts add up, and say in words what they show."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from citeproof.model.quantity import quantity
from citeproof.report.pictures import chance_plot, share_bar, status_bar


def parts(svg: str) -> list[tuple[str, float, float]]:
    return [
        (one.get("class", ""), float(one.get("x", 0)), float(one.get("width", 0)))
        for one in ET.fromstring(svg).iter("rect")
    ]


def test_status_bar_has_a_part_for_each_status_worst_first() -> None:
    svg = status_bar({"VALID": 5, "INVALID": 1, "ERROR": 0})
    assert parts(svg) == [("INVALID", 0, 1), ("VALID", 1, 5)]
    root = ET.fromstring(svg)
    assert (root.get("viewBox"), root.get("aria-label")) == ("0 0 6 1", "1 invalid, 5 valid")


def test_status_bar_grows_while_a_job_runs() -> None:
    root = ET.fromstring(status_bar({"VALID": 2}, 10))
    assert (root.get("viewBox"), root.get("aria-label")) == ("0 0 10 1", "2 valid of 10 so far")


def test_status_bar_without_references_says_so() -> None:
    assert ET.fromstring(status_bar({})).get("aria-label") == "no references"


def test_share_bar_is_as_long_as_its_share() -> None:
    assert parts(share_bar(0.25)) == [("", 0, 25)]


@pytest.mark.parametrize(
    ("chances", "pays"), [([0.9, 0.5, 0.1, 0.0], 50), ([0.2], 0), ([0.8] * 5_000, 100)]
)
def test_chance_plot_marks_where_looking_pays(chances: list[float], pays: float) -> None:
    svg = chance_plot(chances)
    assert parts(svg) == [("pays", 0, pays)]
    assert f"{quantity(len(chances), 'paper')}, from {chances[0]:.0%}" in svg
    assert len(svg) < 15_000
