"""Entries of ``\\bibitem`` in the forms that styles print."""

import pytest

from citeproof.model.reference import Diagnostic, Reference
from citeproof.readers.lists.bibitems import read_bibitems


def read(body: str) -> Reference:
    """Return the only entry of a list with ``body``."""
    text = f"\\begin{{thebibliography}}{{1}}\n\\bibitem{{a}} {body}\n\\end{{thebibliography}}"
    (entry,) = read_bibitems(text, "paper.bbl")
    assert isinstance(entry, Reference)
    assert (entry.key, entry.line) == ("a", 2)
    return entry


@pytest.mark.parametrize(
    ("body", "title", "venue", "year", "authors"),
    [
        (
            "A. Lee and B. Ray, ``On sheep,'' \\emph{Wool}, vol. 3, 2001.",
            "On sheep",
            "Wool",
            2001,
            ("A. Lee", "B. Ray"),
        ),
        (
            "A. Lee, ``On sheep,'' in Proc. Wool, pp. 3--9, 2001.",
            "On sheep",
            "Wool",
            2001,
            ("A. Lee",),
        ),
        ("A. Lee (2001), ``On sheep,'' url{x}.", "On sheep", "", 2001, ("A. Lee",)),
        (
            "Lee, A.\\newblock On sheep.\\newblock \\emph{Wool}, 3:1--9, 2001.",
            "On sheep",
            "Wool",
            2001,
            ("Lee, A.",),
        ),
        (
            "Lee, A. (1999).\\newblock On sheep.\\newblock In {\\em Proc. Wool}.",
            "On sheep",
            "Proc. Wool",
            1999,
            ("Lee, A.",),
        ),
        (
            "Ann Lee.\\newblock {\\em Sheep, 2nd edition}.\\newblock Wool Press, 1998.",
            "Sheep, 2nd edition",
            "",
            1998,
            ("Ann Lee",),
        ),
        (
            "Lee, A., et al.\\newblock On sheep, 2003.\\newblock Wool.",
            "On sheep",
            "Wool",
            2003,
            ("Lee, A.",),
        ),
    ],
)
def test_read_bibitems_finds_the_parts_of_an_entry(
    body: str, title: str, venue: str, year: int, authors: tuple[str, ...]
) -> None:
    found = read(body)
    assert (found.title, found.venue, found.year, found.authors) == (title, venue, year, authors)


def test_read_bibitems_takes_the_inner_one_of_two_nested_fields() -> None:
    body = (
        r"\bibfield {author} {\bibinfo {author} {\bibnamefont {A. Lee}}, }"
        r"\bibfield {title} {\bibinfo {title} {On sheep}, }"
        r"\bibfield {journal} {\bibinfo {journal} {Wool}\ }(\bibinfo {year} {2001})"
    )
    found = read(body)
    assert (found.title, found.venue, found.year) == ("On sheep", "Wool", 2001)
    assert found.authors == ("A. Lee",)


@pytest.mark.parametrize(
    ("command", "field", "value"),
    [
        (r"\APACjournalVolNumPages{Wool}{7}{2}{3--9}", "venue", "Wool"),
        (r"\APACjournalVolNumPages{Wool}{7}{2}{3--9}", "volume", "7"),
        (r"\APACjournalVolNumPages{Wool}{7}{2}{3--9}", "number", "2"),
        (r"\APACjournalVolNumPages{Wool}{}{2}{3--9}", "pages", "3–9"),
        (r"\APACrefYear{2001}", "year", 2001),
        (r"\APACrefYearMonthDay{2001}{May}{1}", "year", 2001),
        (r"\APACaddressPublisher{Rome}{Wool Press}", "publisher", "Wool Press"),
        (r"\APACaddressInstitution{}{Wool Press}", "publisher", "Wool Press"),
        (r"\APACtypeAddressSchool{Thesis}{}{Wool Press}", "publisher", "Wool Press"),
    ],
)
def test_read_bibitems_takes_the_arguments_of_apacite(
    command: str, field: str, value: object
) -> None:
    found = read(rf"\APACrefatitle {{On sheep}} {{On sheep}}.\newblock {command}")
    assert (found.title, getattr(found, field)) == ("On sheep", value)


@pytest.mark.parametrize("item", ["\\bibitem no key", "\\bibitem{a}  ", "\\bibitem[x]"])
def test_read_bibitems_says_what_a_broken_item_lacks(item: str) -> None:
    text = f"\\begin{{thebibliography}}{{1}}\n{item}\n\\bibitem{{b}} A. Lee. On ice, 2001.\n"
    broken, good = read_bibitems(text + "\\end{thebibliography}", "p.bbl")
    assert isinstance(broken, Diagnostic)
    assert (broken.code, broken.raw) == ("document.broken_bibitem", item.rstrip())
    assert good.key == "b"
    (long,) = read_bibitems(f"\\begin{{thebibliography}}{{1}}\\bibitem {'x' * 3000}", "p.bbl")
    assert isinstance(long, Diagnostic)
    assert len(long.raw) == 2000


def test_read_bibitems_reads_the_notation_of_jurabib() -> None:
    text = (
        "\\begin{thebibliography}{1}\n\\bibitem[{Lee\\jbbibargs {\\bibnf {Lee} {Ann} {A.}}}]{a}\n"
        "\\jbbibargs {\\bibnf {Lee} {Ann} {A.}} {Lee} {au} {\\bibtfont {On ice}\\bibatsep\\ Snow"
        " 2001} \\jbdoitem\n\\end{thebibliography}"
    )
    (found,) = read_bibitems(text, "p.bbl")
    assert isinstance(found, Reference)
    assert (found.authors, found.title, found.year) == (("Lee, Ann",), "On ice", 2001)


def test_read_bibitems_a_thesis_in_place_of_a_venue_is_the_entry_type() -> None:
    before = r"A. Lee.\newblock On sheep.\newblock"
    assert read(f"{before} PhD thesis, Oil, 2001.").entry_type == "thesis"
    assert read(f"{before} Wool, 2001.").entry_type == ""
