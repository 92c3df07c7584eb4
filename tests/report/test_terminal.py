"""Lines of a terminal: wrapped, in columns, without control characters."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.text import Text

from citeproof.database.venues.table import TakenFor
from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Record
from citeproof.model.reference import Extraction, Place, Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.terminal import (
    Screen,
    bibtex_entries,
    description_lines,
    identified,
    marked,
    print_lookups,
    print_papers,
    venue_lines,
)

WORK = Record("k", "On Tables", ("Ada Almgren",), 2001, "J. ACM", doi="10.1/x", source="dblp")
BEST = Candidate(WORK, 1.0)
LOOKUP = Lookup("On Tables", 0.9, (BEST,), None, Method.INDEXED, "title_index", 7, True, 1.25)


@pytest.fixture
def out(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    monkeypatch.setenv("COLUMNS", "40")
    return io.StringIO()


def test_screen_indents_and_hangs_further_lines(out: io.StringIO) -> None:
    screen = Screen(out)
    screen.indent("word " * 9)
    screen.hang("head: ", "word " * 8)
    screen.hang("    ", "https://x.example/" + "a" * 40)
    assert out.getvalue().splitlines() == [
        "    word word word word word word word",
        "      word word",
        "head: word word word word word word word",
        "      word",
        "    https://x.example/" + "a" * 40,
    ]


def test_screen_shortens_and_removes_marks_of_direction(out: io.StringIO) -> None:
    screen = Screen(out)
    screen.shortened(Text("x" * 60))
    screen.whole("a\u202eb")
    assert out.getvalue().splitlines() == ["x" * 39 + "…", "ab"]
    with pytest.raises(BrokenPipeError):
        screen.on_broken_pipe()


def test_screen_is_never_narrower_than_20_columns(
    out: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "5")
    assert Screen(out).width == 20


def test_marked_puts_what_differs_in_brackets() -> None:
    assert marked((("On", False), (" ", False), ("Trees", True))).plain == "On [Trees]"
    assert marked(()).plain == "(none)"


def _printed(lookup: Lookup, *, near: bool = False) -> list[str]:
    out = io.StringIO()
    print_lookups([lookup], [near], out)
    return out.getvalue().splitlines()


def test_print_lookups_says_found_near_missed_or_not_proved() -> None:
    missed = replace(LOOKUP, candidates=(), nearest=replace(BEST, similarity=0.7))
    firsts = [
        _printed(LOOKUP)[0],
        _printed(LOOKUP, near=True)[0],
        _printed(missed)[0],
        _printed(replace(missed, complete=False, cut=True))[0],
    ]
    assert [line.split("On")[0].strip() for line in firsts] == [
        "✓ found",
        "≈ near",
        "✗ not found",
        "? not proved",
    ]
    assert "  the nearest title:" in _printed(missed)
    assert "  0.700  On Tables" in _printed(missed)
    assert _printed(missed)[-1] == "  title_index, 7 compared, complete, 1.2 ms"
    cut = replace(missed, complete=False, cut=True, index="")
    assert _printed(cut)[-1] == (
        "  indexed, 7 compared, not complete: stopped at --bib-max-candidates, 1.2 ms"
    )


def test_print_lookups_of_an_identifier_show_no_similarity() -> None:
    by_doi = replace(
        LOOKUP,
        candidates=(),
        related=(replace(BEST, match=MatchKind.DOI, similarity=0.0),),
        nearest=BEST,
    )
    lines = _printed(by_doi)
    assert lines[0].startswith("✓ found")
    assert lines[1:3] == ["  has this DOI:", "         On Tables"]
    assert "  the nearest title:" not in lines
    assert identified(by_doi) == list(by_doi.related)
    assert bibtex_entries(by_doi).startswith("@")
    assert bibtex_entries(replace(by_doi, related=())) == "% not found: On Tables"


def test_print_lookups_counts_records_beyond_ten() -> None:
    lines = _printed(replace(LOOKUP, candidates=(BEST,) * 12, more=5))
    assert sum("On Tables" in line for line in lines) == 11
    assert "         and 7 more" in lines


def _run(count: int) -> Run:
    verdicts = tuple(
        Verdict(
            Reference(str(n), place=Place(f"{n:02}.bib", 1)),
            Status.SUSPICIOUS if n == 3 else Status.VALID,
            "",
            1.0,
        )
        for n in range(count)
    )
    return Run({}, (), verdicts, Statistics.of(verdicts, 0))


def test_print_papers_lists_papers_with_problems_if_there_are_many() -> None:
    for count, everything, listed in (
        (2, False, 2),
        (20, False, 20),
        (21, False, 1),
        (21, True, 21),
    ):
        out = io.StringIO()
        print_papers(Screen(out), _run(count), everything=everything)
        lines = out.getvalue().splitlines()
        assert lines[0] == f"{count} papers"
        assert sum(".bib" in line for line in lines) == listed
        assert ("  and 20 more; --all lists them" in lines) == (listed == 1)
    out = io.StringIO()
    print_papers(Screen(out), _run(1), everything=True)
    assert out.getvalue() == ""


def test_print_papers_warns_of_a_list_that_was_read_wrongly() -> None:
    run = replace(
        _run(1), extractions=(Extraction("a.pdf", 3, 9, 0, None, fault="numbers are missing"),)
    )
    out = io.StringIO()
    print_papers(Screen(out), run, everything=False)
    assert out.getvalue().splitlines() == [
        "a.pdf: 3 entries found, 9 expected, 0 doubtful",
        "  THE LIST LOOKS WRONGLY READ: numbers are missing",
        "",
    ]


def test_description_lines_leave_out_what_is_unknown() -> None:
    info = {
        "path": "my.db",
        "layout": "citeproof",
        "bytes": 2_500_000,
        "records": 1_200,
        "indexes": [],
        "types": {"article": 1_000, "": 200},
        "years": {"2001": 700, "": 500},
        "sources": [
            {
                "name": "dblp",
                "records": 1_200,
                "file": "dblp.xml",
                "notices": 3,
                "dump_date": "2026-11-01",
                "days_old": 20,
                "url": "https://x.example",
                "fetched": "2026-11-02",
                "licence": "CC0",
            }
        ],
    }
    assert list(description_lines(info)) == [
        "my.db",
        "  layout    citeproof, 2.5 MB",
        "  records   1,200",
        "  source    dblp: 1,200 and 3 notices from dblp.xml; newest of 2026-11-01, 20\n"
        "            days ago; fetched 2026-11-02 from https://x.example; CC0",
        "  indexes   none: every look-up compares all titles",
        "  types     1,000 article, 200 (none)",
        "  years     2001:     700  (none):     500",
    ]


def test_venue_lines_say_which_years_are_held() -> None:
    taken = TakenFor(
        "ACL", "an acronym", (("conf/acl", ("ACL",), (2001, 2003)), ("conf/x", (), ()))
    )
    lines = list(venue_lines(taken))
    assert lines[0] == "ACL: an acronym"
    assert [line for line in lines if line.startswith("  years")] == [
        "  years     2001 to 2003, 2 held",
        "  years     none held",
    ]
