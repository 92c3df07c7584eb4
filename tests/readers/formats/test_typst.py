"""Papers in Typst, with the files that they name."""

from pathlib import Path

from citeproof.readers.document import Document
from citeproof.readers.formats import typst
from tests.readers.formats.paper import codes, keys, read

BIB = "@misc{a, title={A}}\n@misc{b, title={B}}\n@misc{c, title={C}}\n"


def test_read_a_paper_of_several_files(tmp_path: Path) -> None:
    main = '#include "part.typ"\n@a\n#bibliography(("x.bib", "y.yml"), title: [Works (all)])\n'
    part = 'See #cite(label("b")), @fig:map, @d. // @c\n#figure([]) <fig:map>\n`@c`\n'
    found = read(
        tmp_path,
        main__typ=main,
        part__typ=part,
        x__bib=BIB,
        y__yml="d:\n  type: book\n  title: D\n",
    )
    assert keys(found) == ["a", "b", "d"]
    assert [Path(name).name for name in found.parts] == ["part.typ", "x.bib", "y.yml"]


def test_read_all_entries_count_if_all_are_printed(tmp_path: Path) -> None:
    found = read(tmp_path, main__typ='@a #bibliography("x.bib", full: true)', x__bib=BIB)
    assert keys(found) == ["a", "b", "c"]


def test_read_what_is_missing_is_said(tmp_path: Path) -> None:
    main = '#include "gone.typ"\n@a @z #bibliography("x.bib") #bibliography("../y.bib")'
    found = read(tmp_path, main__typ=main, x__bib=BIB)
    assert codes(found) == ["typst.missing_bibliography", ""]
    assert [note.code for note in found.diagnostics] == [
        "typst.missing_part",
        "document.never_cited",
    ]


def test_read_a_cited_key_without_an_entry_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, main__typ='@a @z #bibliography("x.bib")', x__bib=BIB)
    assert codes(found) == ["", "document.no_such_entry"]


def test_read_a_paper_without_a_bibliography_is_said() -> None:
    (entry,) = typst.read(Document.of_text("= Lamps\n", "main.typ")).entries
    assert getattr(entry, "code", "") == "typst.no_bibliography"


def test_read_a_bibliography_that_is_no_text_is_missing(tmp_path: Path) -> None:
    (tmp_path / "y.bib").write_bytes(b"PK\x03\x04" + bytes(range(256)))
    found = read(tmp_path, main__typ='@a #bibliography(("/x.bib", "y.bib"))', x__bib=BIB)
    assert codes(found) == ["typst.missing_bibliography", ""]
    assert [Path(name).name for name in found.parts] == ["x.bib"]
