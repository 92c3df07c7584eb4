"""The units of folders and of long files."""

import os
import sys
from pathlib import Path

import pytest

from citeproof.model.errors import InputError
from citeproof.readers.document import Collection
from citeproof.readers.opening import open_path
from citeproof.screen import papers
from citeproof.screen.papers import units


def test_units_of_a_folder_are_sorted_by_name(tmp_path: Path) -> None:
    for name in (
        "b.bib",
        "a/z.PDF",
        "a/notes.md",
        "a/photo.png",
        "a/citeproof.toml",
        ".git/x.bib",
        "a/.hidden.bib",
        "c.ris",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = [
        (unit.path.removeprefix(f"{tmp_path}/"), unit.left_out) for unit in units([str(tmp_path)])
    ]
    assert found == [
        ("b.bib", False),
        ("c.ris", False),
        ("a/notes.md", False),
        ("a/photo.png", True),
        ("a/z.PDF", False),
    ]


def test_units_are_no_results_of_a_screening(tmp_path: Path) -> None:
    for name in (
        "b.bib",
        "results/screening.db",
        "results/references.csv",
        "results/reports/a.html",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("x")
    assert [unit.path for unit in units([str(tmp_path)])] == [str(tmp_path / "b.bib")]


def test_units_treat_a_latex_folder_as_one_unit_with_the_stamp_of_its_files(tmp_path: Path) -> None:
    for name in ("one.bib", "two/main.tex", "two/refs.bib", "two/parts/more.tex", "three/refs.bib"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("x")
    found = {unit.path.removeprefix(f"{tmp_path}/"): unit for unit in units([str(tmp_path)])}
    assert list(found) == ["one.bib", "three/refs.bib", "two"]
    assert list(units([str(tmp_path / "two")])) == [found["two"]]
    (tmp_path / "two/parts/more.tex").write_text("xy")
    assert [unit.path for unit in units([str(tmp_path)]) if unit not in found.values()] == [
        str(tmp_path / "two")
    ]


@pytest.mark.parametrize(
    ("text", "papers"), [("\\includegraphics{fig1} {fig2} {fig3.pdf}", 1), ("a note", 6)]
)
def test_units_separate_pdfs_that_no_source_names(tmp_path: Path, text: str, papers: int) -> None:
    for name in ("fig1.pdf", "fig2.pdf", "fig3.pdf", "main.pdf", "submitted.pdf", "main.tex"):
        (tmp_path / name).write_text(text)
    assert len(list(units([str(tmp_path)]))) == papers


def test_units_of_json_lines_cover_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(papers, "_PIECE", 30)
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


def test_units_name_a_missing_input() -> None:
    with pytest.raises(InputError, match=r"nowhere.*No such file"):
        list(units(["nowhere"]))


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes")
def test_units_of_a_folder_follow_the_rule_of_verify_for_links_and_pipes(tmp_path: Path) -> None:
    inside, outside = tmp_path / "papers", tmp_path / "outside.bib"
    inside.mkdir()
    outside.write_text("x")
    (inside / "one.bib").write_text("x")
    for name, target in {
        "again.bib": "one.bib",
        "gone.bib": "nowhere.bib",
        "out.txt": str(outside),
        "loop.bib": "loop.bib",
        "up": "..",
    }.items():
        (inside / name).symlink_to(target)
    os.mkfifo(inside / "pipe.jsonl")
    os.mkfifo(inside / "pipe.zip")
    found = {Path(unit.path).name: unit.trouble for unit in units([str(inside)])}
    opened = open_path(str(inside))
    assert isinstance(opened, Collection)
    assert [name for name in found if not found[name]] == ["one.bib"]
    assert [Path(member.name).name for member in opened.members] == ["one.bib"]
    assert {name: trouble for name, trouble in found.items() if trouble} == {
        Path(each.place.file).name: each.message for each in opened.diagnostics
    }
    assert sorted(found) == ["gone.bib", "loop.bib", "one.bib", "out.txt", "up"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes")
def test_units_refuse_a_pipe_that_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(InputError, match="neither a file nor a folder"):
        list(units([str(tmp_path / "pipe.jsonl")]))
