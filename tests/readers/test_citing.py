"""Citations of a paper, and the entries that it cites."""

import pytest

from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers.citing import Citations, CitingPaper
from citeproof.readers.document import Document

AT = Place("paper.tex", 7)
FOUND = Bibliography(
    (
        Reference("a", "One", place=Place("refs.bib", 1)),
        Reference("B", "Two", place=Place("refs.bib", 2)),
        Reference("c", "Three", place=Place("refs.bib", 3)),
        Diagnostic(Place("refs.bib", 4), "bibtex.broken", "is broken"),
    ),
    (Diagnostic(Place("refs.bib"), "bibtex.note", "a note", severity=Severity.NOTE),),
)


def paper_citing(*keys: str) -> CitingPaper:
    paper = CitingPaper(Document.of_text("", "paper.tex"), "latex")
    for key in keys:
        paper.citations.add(key, AT)
    return paper


def test_add_keeps_the_first_place_of_each_key_and_no_macro() -> None:
    citations = Citations()
    citations.add(" lee  20 ,kim21,, #1, \\key", AT)
    citations.add("kim21", Place("paper.tex", 9))
    assert citations.keys == {"lee 20": AT, "kim21": AT}
    assert not citations.everything
    citations.add("*", AT)
    assert citations.everything
    assert "*" not in citations.keys


def test_cited_keeps_cited_entries_and_those_without_a_key() -> None:
    cited = paper_citing("a", "b").cited([FOUND])
    assert [(entry.key, entry.place.line) for entry in cited.entries] == [
        ("a", 1),
        ("B", 2),
        ("", 4),
    ]
    assert [note.code for note in cited.diagnostics] == ["bibtex.note", "document.never_cited"]
    assert (
        cited.diagnostics[1].message == "'c' is not cited; `citeproof verify --all` checks it too"
    )


@pytest.mark.parametrize("keys", [(), ("*",), ("*", "a")])
def test_cited_keeps_everything_if_the_paper_cites_nothing_or_all(keys: tuple[str, ...]) -> None:
    cited = paper_citing(*keys).cited([FOUND])
    assert cited.entries == FOUND.entries
    assert cited.diagnostics == FOUND.diagnostics


def test_cited_names_keys_without_an_entry() -> None:
    cited = paper_citing("a", "nobody").cited([FOUND])
    (missing,) = [entry for entry in cited.entries if entry.key == "nobody"]
    assert isinstance(missing, Diagnostic)
    assert (missing.code, missing.place) == ("document.no_such_entry", AT)
    unread = Bibliography((Diagnostic(Place("more.bib"), "document.empty", "is empty"),))
    unsure = paper_citing("a", "nobody").cited([FOUND, unread])
    assert [entry.key for entry in unsure.entries] == ["a", "", ""]


def test_cited_says_only_that_a_bibliography_is_missing() -> None:
    paper = paper_citing("a", "nobody")
    paper.lacks_bibliography("other.bib", AT)
    paper.lacks_part("part.tex", AT)
    cited = paper.cited([FOUND])
    assert [getattr(entry, "code", entry.key) for entry in cited.entries] == [
        "latex.missing_bibliography",
        "a",
        "bibtex.broken",
    ]
    assert cited.diagnostics[0].code == "latex.missing_part"
    assert cited.diagnostics[0].severity is Severity.NOTE


def test_cited_names_at_most_eight_uncited_keys() -> None:
    entries = tuple(Reference(f"k{number}", "T") for number in range(10))
    cited = paper_citing("k0").cited([Bibliography(entries)])
    (note,) = cited.diagnostics
    assert note.message.startswith("'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8' and 1 more are")
