"""The accuracy gate of reading: reference strings and papers, compared with their labels."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.verification.session import Session
from tests.accuracy import end_to_end, papers, reference_strings, shapes, typeset
from tests.accuracy.reading_weights import HELD_OUT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.accuracy.conftest import Bench

pytestmark = [pytest.mark.accuracy, pytest.mark.shared, pytest.mark.timeout(3600)]


def test_reference_strings(shared: Path, baseline: dict[str, Any]) -> None:
    counts = reference_strings.counted(reference_strings.rows(shared))
    reference_strings.show(counts)
    overall, floors = reference_strings.total(counts), baseline["reference_strings"]
    missed = {
        fact: reference_strings.share(overall, fact)
        for fact, floor in floors["all"].items()
        if reference_strings.share(overall, fact) < floor
    }
    by_style = {
        style: reference_strings.share(counts[style], "title")
        for style, floor in floors["titles"].items()
        if reference_strings.share(counts[style], "title") < floor
    }
    assert (missed, by_style) == ({}, {})


def test_titles_of_works_that_no_database_holds(
    shared: Path, bench: Bench, baseline: dict[str, Any]
) -> None:
    strings = shapes.labelled(shared) + list(
        shapes.printed(shapes.works(bench.database, HELD_OUT), each=4)
    )
    counts, floors = shapes.counted(strings), baseline["shapes"]
    shapes.show(counts)
    overall = reference_strings.total(counts)
    missed = {
        fact for fact, floor in floors["all"].items() if overall[fact] / overall["works"] < floor
    }
    few = {
        shape: count["title"] / count["works"]
        for shape, count in counts.items()
        if count["title"] / count["works"]
        < floors["titles"]["everyday" if "_" in shape.split()[0] else "others"]
    }
    assert (missed, few) == (set(), {})


def test_papers(shared: Path, baseline: dict[str, Any]) -> None:
    read = list(papers.papers(shared))
    known, titles = sum(paper.known for paper in read), sum(paper.titles_known for paper in read)
    parted, right = (
        sum(paper.parted for paper in read) / known,
        sum(paper.titles for paper in read) / titles,
    )
    print(
        f"\npapers: {len(read)}, references parted right {parted:.4f} of {known}, titles"
        f" {right:.4f} of {titles}"
    )
    assert parted >= baseline["papers"]["parted"]
    assert right >= baseline["papers"]["titles"]


def test_true_works_printed_in_twelve_styles_and_what_is_damaged(
    bench: Bench, baseline: dict[str, Any]
) -> None:
    session, floors = Session.over(bench.database), baseline["printed"]
    records = end_to_end.drawn(bench.database, 80)
    records, others = records[:40], records[40:]
    works = end_to_end.works_of(records, end_to_end.proceedings(bench.database))
    counts = {style: end_to_end.printed(session, style, works) for style in typeset.STYLES}
    for style, count in counts.items():
        end_to_end.show(style, count)
    overall = reference_strings.total(counts)
    assert overall["works"] == len(typeset.STYLES) * len(works)
    assert overall["flagged"] / overall["works"] <= floors["flagged"]
    assert overall["valid"] / overall["works"] >= floors["valid"]
    assert end_to_end.seen_of_damage(session, records, others) >= floors["damage_seen"]


@pytest.mark.browser
@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium prints the papers")
def test_true_works_printed_as_papers_in_seven_layouts(
    bench: Bench, baseline: dict[str, Any]
) -> None:
    session, works = (
        Session.over(bench.database),
        end_to_end.works_of(end_to_end.drawn(bench.database, 30), {}),
    )
    styles = list(typeset.STYLES)
    counts = {}
    for place, layout in enumerate(typeset.LAYOUTS):
        for style in (styles[place], styles[(place + len(styles) // 2) % len(styles)]):
            references = end_to_end.pages(style, layout, works)
            assert len(references) == len(works), (style, layout)
            name = f"{style}, {layout}"
            counts[name] = end_to_end.tally(
                works, references, end_to_end.check(session, references)
            )
            end_to_end.show(name, counts[name])
    overall = reference_strings.total(counts)
    assert overall["works"] == 2 * len(typeset.LAYOUTS) * len(works)
    assert overall["flagged"] / overall["works"] <= baseline["printed"]["flagged"]
    assert overall["valid"] / overall["works"] >= baseline["printed"]["valid"]
