"""The report as one HTML file."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from citeproof.model.record import Record
from citeproof.model.reference import Place, Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.formats import html
from citeproof.report.formats.html import render
from citeproof.report.overview import USUAL, Detail, View

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

VOID = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """What a test wants to know of a page: that its tags close, its text, what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.loads: list[str] = []
        self.links: list[str] = []
        self.articles: list[dict[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.loads += [
            value
            for name, value in given.items()
            if name == "src" or (tag == "link" and name == "href")
        ]
        self.links += [given["href"]] if tag == "a" else []
        self.articles += [given] if tag == "article" else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def rendered(run: Run, view: View = USUAL) -> str:
    out = io.StringIO()
    render(run, out, view)
    return out.getvalue()


def run_of(verdicts: Iterable[Verdict]) -> Run:
    every = tuple(verdicts)
    return Run({}, (), every, Statistics.of(every, 1.0))


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.partition("<main>")[2]).split())


def test_render_every_entry_is_there_the_worst_first(run: Run) -> None:
    page = Page(rendered(run))
    assert page.open == []
    assert [article["data-status"] for article in page.articles] == [
        "INVALID",
        "SUSPICIOUS",
        "VALID",
        "ERROR",
        "UNVERIFIED",
    ]
    assert len(set(page.ids)) == len(page.ids) == 6


def test_render_loads_nothing_and_runs_one_script_only(run: Run) -> None:
    text = rendered(run)
    assert Page(text).loads == ["data:,"]
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'" in text


def test_render_a_problem_says_what_to_do_what_differs_and_what_was_meant(run: Run) -> None:
    text = rendered(run)
    advice = (
        "Correct the title: the record has “is”, not “was”; the year is 2017, not 2011; the rest"
        " agrees."
    )
    assert advice in text_of(text)
    assert "<dd>Attention <mark>was</mark> all you need</dd>" in text
    assert "<dd>Attention <mark>is</mark> All you Need</dd>" in text
    assert "https://papers.nips.cc/paper/7181" in Page(text).links
    assert "https://doi.org/10.1/notice" in Page(text).links


def test_render_the_evidence_stands_with_each_entry(run: Run) -> None:
    text = text_of(rendered(run))
    assert "metadata_mismatch , confidence 0.90." in text
    assert "year.off : The record says 2017." in text
    assert (
        "bibliographic_database: no record of this title; the source has no better record" in text
    )
    assert "crossref: failed: timed out after 10 s" in text
    assert "venue not comparable Curran NIPS" in text


def test_render_nothing_out_of_a_bibliography_becomes_markup(run: Run) -> None:
    hostile = "</script><script>alert(1)</script><b onload='x'>\"&amp;"
    record = Record(hostile, hostile, (hostile,), url="javascript:alert(1)", source=hostile)
    doubt = run.verdicts[1]
    assert doubt.best_match
    reference = Reference(hostile, hostile, raw=hostile, place=Place(hostile, 1))
    verdict = replace(
        doubt, reference=reference, best_match=replace(doubt.best_match, record=record), meant=()
    )
    text = rendered(run_of([verdict]))
    assert text.count("<script>") == 1
    assert "<b onload" not in text
    assert [link for link in Page(text).links if not link.startswith("http")] == []


def test_problems_alone(run: Run) -> None:
    statuses = [
        article["data-status"] for article in Page(rendered(run, View(Detail.PROBLEMS))).articles
    ]
    assert statuses == ["INVALID", "SUSPICIOUS", "VALID", "ERROR"]


def test_render_several_papers_have_an_overview(run: Run) -> None:
    moved = replace(
        run.verdicts[0], reference=replace(run.verdicts[0].reference, place=Place("b.bib", 1))
    )
    text = rendered(run_of([*run.verdicts, moved]))
    assert "<title>References of 2 papers" in text
    assert "#paper-2" in Page(text).links
    assert {"paper-1", "paper-2"} <= set(Page(text).ids)
    assert 'class="overview"' not in rendered(run)
    assert re.search(r'#paper-1">[^<]+</a></th><td>[1-9]', text), "the number of entries"


def test_render_a_run_without_entries_is_a_page() -> None:
    assert Page(rendered(run_of([]))).articles == []


def test_render_an_entry_without_anything_is_shown() -> None:
    verdict = Verdict(Reference(""), Status.UNVERIFIED, "no_title", 0.5)
    assert "The entry has no title to look up; add a title." in text_of(rendered(run_of([verdict])))


def test_render_the_work_that_was_meant_can_be_pasted(run: Run) -> None:
    page = rendered(run)
    assert page.count("<summary>BibTeX</summary>") == 3, (
        "of both problems, and of the retracted work"
    )
    assert "@inproceedings{" in text_of(page)


def test_render_what_is_accepted_stands_last_with_the_reason(accepted_run: Run) -> None:
    page = rendered(accepted_run)
    assert page.rindex('data-key="=cmd()"') == page.rindex("<article") + page[
        page.rindex("<article") :
    ].index("data-key")
    assert '<p class="group">Accepted by a person.</p>' in page[: page.rindex('data-key="=cmd()"')]
    assert '<b>1</b> <span class="accepted">of them accepted</span>' in page
    assert "Accepted: a [reprint] (2026-11-22, until 2027-11-22)." in page
    assert "No longer accepted: seen (2026-01-02; the entry has changed since)." in page


def test_render_a_long_run_lists_what_must_be_looked_at_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(html, "MOST_ENTRIES", 3)
    statuses = (Status.VALID, Status.SUSPICIOUS, Status.UNVERIFIED, Status.ERROR)
    run = run_of(Verdict(Reference(status.value), status, "because", 1.0) for status in statuses)
    page = rendered(run)
    assert {one["data-status"] for one in Page(page).articles} == {"SUSPICIOUS", "ERROR"}
    assert "Of 4 entries" in page
    everything = rendered(run, View(everything=True))
    assert len(Page(everything).articles) == 4
    assert "Of 4 entries" not in everything


def test_render_says_once_what_entries_of_one_reason_share() -> None:
    missed = [
        Verdict(
            Reference(f"k{number}", f"Title {number}"), Status.UNVERIFIED, "title_not_found", 0.5
        )
        for number in range(3)
    ]
    out = io.StringIO()
    render(Run({}, (), tuple(missed), Statistics.of(missed, 1.0)), out)
    assert out.getvalue().count("Could not find the title") == 1
    assert out.getvalue().count("<article") == 3
