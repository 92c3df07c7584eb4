"""Markdown: what a paper cites from the bibliographies of its header, else its list."""

from pathlib import Path

import pytest

from citeproof.model.reference import Bibliography, Diagnostic
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.opening import open_documents

BIB = "@book{lee, title={On winter}}\n@book{fox:20, title={Foxes}}\n@book{ray, title={Rays}}\n"


def paper(folder: Path, text: str) -> Bibliography:
    (folder / "refs.bib").write_text(BIB)
    (folder / "paper.md").write_text(text)
    (document,) = open_documents([str(folder / "paper.md")])
    assert isinstance(document, Document)
    return formats.read(document)


@pytest.mark.parametrize(
    ("cites", "keys"),
    [
        ("As [@lee; see @fox:20, p. 3].", ["lee", "fox:20"]),
        ("@lee says, but -@{fox:20} does not.", ["lee", "fox:20"]),
        ("See [@lee] and @fig-snow; write to a@ray, not `@ray`.\n```r\n@ray\n```\n", ["lee"]),
        ("Nothing is cited.", ["lee", "fox:20", "ray"]),
    ],
)
@pytest.mark.parametrize("value", ["refs.bib", "[refs.bib]", '\n  - "refs.bib"'])
def test_read_what_is_cited_is_read_from_the_bibliography_of_the_header(
    tmp_path: Path, cites: str, keys: list[str], value: str
) -> None:
    found = paper(tmp_path, f"---\ntitle: T\nbibliography: {value}\nlang: en\n---\n\n{cites}\n")
    assert [entry.key for entry in found.entries] == keys
    assert [one.endswith("refs.bib") for one in found.parts] == [True]


def test_read_nocite_cites(tmp_path: Path) -> None:
    header = "---\nbibliography: refs.bib\nnocite: |\n  @lee, @ray\n---\n"
    assert [entry.key for entry in paper(tmp_path, header + "Text [@lee].").entries] == [
        "lee",
        "ray",
    ]
    _, entry = paper(tmp_path, header.replace("@lee", "@nobody") + "Text [@ray].").entries
    assert (entry.key, entry.line) == ("nobody", 1)
    header = header.replace("@lee, @ray", "@*")
    assert len(paper(tmp_path, header + "Text [@lee].").entries) == 3


def test_read_a_key_without_an_entry_is_named_with_its_line(tmp_path: Path) -> None:
    _, entry = paper(tmp_path, "---\nbibliography: refs.bib\n---\n\n[@lee; @nobody]\n").entries
    assert isinstance(entry, Diagnostic)
    assert (entry.code, entry.key, entry.line) == ("document.no_such_entry", "nobody", 5)


@pytest.mark.parametrize(
    ("header", "code", "line"),
    [
        ("bibliography: no.bib", "markdown.missing_bibliography", 2),
        ("bibliography: ../refs.bib", "markdown.missing_bibliography", 2),
        ("bibliography: refs.yaml", "markdown.missing_bibliography", 2),
        ("bibliography: /etc/hostname", "markdown.missing_bibliography", 2),
        ("title: T\nreferences:\n- id: lee\n  title: T: U", "csl-yaml.malformed", 4),
    ],
)
def test_read_what_is_not_read_is_said(tmp_path: Path, header: str, code: str, line: int) -> None:
    (entry,) = paper(tmp_path, f"---\n{header}\n---\n\nText [@lee].\n").entries
    assert isinstance(entry, Diagnostic)
    assert (entry.code, entry.line) == (code, line)


HEADER = """---
title: T
references:
  - id: lea
    title: "On [DNA]{.nocase}: *Felis catus*"
    author: [{family: Lee, given: Ann}]
    issued: 2019-05
  - {id: fox, type: book, title: Foxes}
bibliography: refs.bib
---

As [@lea; @ray] say.
"""


def test_references_of_the_header_are_read_beside_its_bibliography(tmp_path: Path) -> None:
    found = paper(tmp_path, HEADER)
    assert [(one.key, one.title, one.line) for one in found.references] == [
        ("lea", "On DNA: Felis catus", 4),
        ("ray", "Rays", 3),
    ]
    assert (found.references[0].authors, found.references[0].year) == (("Lee, Ann",), 2019)
    assert [note.message for note in found.diagnostics if note.code == "document.never_cited"] == [
        "'fox', 'lee', 'fox:20' are not cited; `citeproof verify --all` checks them too"
    ]
    assert [Path(part).name for part in found.parts] == ["refs.bib"]


def test_read_a_bibliography_in_yaml_is_read(tmp_path: Path) -> None:
    (tmp_path / "refs.yaml").write_text("references:\n- id: lee\n  title: On winter\n")
    found = paper(tmp_path, "---\nbibliography: refs.yaml\n---\n\n[@lee]\n")
    assert [(one.key, one.title) for one in found.references] == [("lee", "On winter")]


@pytest.mark.parametrize(
    "text",
    [
        (
            "# Paper\nText\n\n## References\n\nA. Lee. On winter. 2019.\n\nC. Fox. On"
            " foxes.\n2020.\n\n# Next\n\nText."
        ),
        "References\n----------\n\n- A. Lee. **On winter**. 2019.\n- C. Fox. On foxes. 2020.\n",
        "**References**\n\n[1] A. Lee. On winter. 2019.\n[2] C. Fox. On foxes. 2020.\n",
        "1. A. Lee. On winter. 2019.\n1. C. Fox. On foxes.\n   2020.\n",
        "A. Lee. On winter. 2019.\nC. Fox. On foxes. 2020.\n",
    ],
)
def test_read_without_a_bibliography_the_list_is_read(text: str) -> None:
    found = formats.read(Document.of_text(text, "list.md"), "markdown").references
    assert [(one.authors, one.title, one.year) for one in found] == [
        (("A. Lee",), "On winter", 2019),
        (("C. Fox",), "On foxes", 2020),
    ]


def test_read_a_text_without_a_list_says_so() -> None:
    (entry,) = formats.read(Document.of_text("# Title\n\nText.", "README.md")).entries
    assert isinstance(entry, Diagnostic)
    assert entry.code == "markdown.without_list"


def test_read_a_list_behind_a_header_keeps_its_lines(tmp_path: Path) -> None:
    text = (
        "---\ntitle: T\n---\n\n# References\n\n- A. Lee. On winter. Snow, 2019.\n"
        "- C. Fox. Foxes. FoxConf, 2020.\n"
    )
    found = paper(tmp_path, text)
    assert [(one.title, one.line) for one in found.references] == [("On winter", 7), ("Foxes", 8)]
    without = paper(tmp_path, text.replace("# References", "# Introduction"))
    assert {one.title for one in without.references} == {"On winter", "Foxes"}


def test_read_a_header_may_list_its_references(tmp_path: Path) -> None:
    header = "---\nreferences:\n- id: lee\n  title: On ice\n  type: book\n---\n"
    found = paper(tmp_path, f"{header}\nAs said [@lee].\n")
    assert [one.title for one in found.references] == ["On ice"]
    assert found.parts == ()


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("---\nbibliography: refs.bib\n---\nText", 2),
        ("---\nbibliography: refs.bib\n---\n", 1),
        ("---\ntitle: T\n---\nText", 0),
        ("# 3. References\n", 1),
        ("References\n", 0),
    ],
)
def test_accepts_a_header_or_a_heading(text: str, sure: int) -> None:
    assert formats.load("markdown").accepts(Document.of_text(text)) == sure
