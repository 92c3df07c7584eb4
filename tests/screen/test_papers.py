"""What is read: files of folders by name, and pieces of long files, at ends of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.errors import InputError
from citeproof.screen import papers
from citeproof.screen.papers import units

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_gives_its_papers_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.bib", "a/z.PDF", "a/notes.md", ".git/x.bib", "a/.hidden.bib", "c.ris"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = [unit.path.removeprefix(f"{tmp_path}/") for unit in units([str(tmp_path)])]
    assert found == ["b.bib", "c.ris", "a/z.PDF"]


def test_a_folder_with_a_paper_in_latex_is_read_in_one_go_and_again_when_a_file_in_it_changes(tmp_path: Path) -> None:
    for name in ("one.bib", "two/main.tex", "two/refs.bib", "two/parts/more.tex", "three/refs.bib"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("x")
    found = {unit.path.removeprefix(f"{tmp_path}/"): unit for unit in units([str(tmp_path)])}
    assert list(found) == ["one.bib", "three/refs.bib", "two"]
    assert list(units([str(tmp_path / "two")])) == [found["two"]]
    (tmp_path / "two/parts/more.tex").write_text("xy")
    assert [unit.path for unit in units([str(tmp_path)]) if unit not in found.values()] == [str(tmp_path / "two")]


@pytest.mark.parametrize(("text", "papers"), [("\\includegraphics{fig1} {fig2} {fig3.pdf}", 1), ("a note", 5)])
def test_pdfs_that_no_source_names_are_papers_of_their_own(tmp_path: Path, text: str, papers: int) -> None:
    for name in ("fig1.pdf", "fig2.pdf", "fig3.pdf", "main.pdf", "submitted.pdf", "main.tex"):
        (tmp_path / name).write_text(text)
    assert len(list(units([str(tmp_path)]))) == papers


def test_pieces_of_lines_are_all_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "PIECE", 30)
    path = tmp_path / "refs.jsonl"
    lines = [b'{"title": "%d"}\n' % number for number in range(40)]
    path.write_bytes(b"".join(lines))
    found = list(units([str(path)]))
    data = [path.read_bytes()[unit.start : unit.start + unit.size] for unit in found]
    assert b"".join(data) == path.read_bytes()
    assert len(found) > 10
    assert [unit.line for unit in found] == [
        sum(map(len, map(bytes.splitlines, data[:place]))) for place in range(len(data))
    ]
    assert len({unit.name for unit in found}) == len(found)


def test_an_input_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere.*No such file"):
        list(units(["nowhere"]))
