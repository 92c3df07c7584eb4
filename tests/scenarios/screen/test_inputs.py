"""Inputs of ``citeproof screen``: archives, lists of files, compressed lines, and broken ones."""

from __future__ import annotations

import gzip
import io
import json
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from tests.word import paragraph, word_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.scenarios.screen.conftest import Screen

ENTRY = "@article{a, author={Ada Almgren}, year=2001, title={%s of Sheep and Goats}}"
LATEX = r"\documentclass{article}\begin{document}\cite{a}\bibliography{refs}\end{document}"


def troubles(screen: Screen, root: Path) -> dict[str, str]:
    """Return the trouble of each paper, by its name below ``root``."""
    return {
        paper["name"].removeprefix(f"{root}/"): paper["trouble"] for paper in screen.table("papers")
    }


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return a zip with two papers, one in LaTeX, lines of two more, an archive, a bomb, and a path
    out of it.
    """
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w:gz") as packed:
        info = tarfile.TarInfo("c.bib")
        info.size = len(ENTRY)
        packed.addfile(info, io.BytesIO(ENTRY.encode()))
    lines = "".join(
        json.dumps({"paper": f"p{n // 2}", "title": f"Goats of Harbour {n}"}) + "\n"
        for n in range(4)
    )
    members: dict[str, str | bytes] = {
        "a.bib": ENTRY % "Matters",
        "below/b.bib": ENTRY % "Dealings",
        "tex/main.tex": LATEX,
        "readme.md": "Hello",
        "tex/refs.bib": ENTRY % "Affairs",
        "in.tar.gz": inner.getvalue(),
        "lines.jsonl": lines,
        "bomb.bib": " " * 3_000_000,
        "../evil.bib": "x",
    }
    with zipfile.ZipFile(tmp_path / "papers.zip", "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            target.writestr(name, data)
    return tmp_path / "papers.zip"


def test_screen_reads_each_member_of_an_archive_as_a_paper(screen: Screen, archive: Path) -> None:
    results = screen(archive)
    said = troubles(screen, archive)
    assert {name for name, trouble in said.items() if not trouble} == {
        "a.bib",
        "below/b.bib",
        "tex/main.tex",
        "in.tar.gz/c.bib",
        "p0",
        "p1",
    }
    assert "100 times its size" in said["bomb.bib"]
    assert "leads out of its archive" in said["../evil.bib"]
    assert (len(results.unread), results.distinct) == (2, 8)
    assert {place["file"].removeprefix(f"{archive}/") for place in screen.table("places")} >= {
        "a.bib",
        "tex/refs.bib",
    }


def test_screen_reads_only_a_changed_archive_again(screen: Screen, archive: Path) -> None:
    screen.paper("one.bib", "A Matter of Meadows")
    screen(archive, screen.papers)
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("new.bib", ENTRY % "Ledgers")
    screen(archive, screen.papers)
    assert set(troubles(screen, archive)) == {"new.bib", str(screen.papers / "one.bib")}


def test_screen_reads_a_latex_project_as_one_paper(screen: Screen) -> None:
    project = screen.paper("project/refs.bib", "A Matter of Meadows").parent
    bbl = r"\begin{thebibliography}{1}\bibitem{k0} Ada Almgren. Of Goats.\end{thebibliography}"
    (project / "main.bbl").write_text(bbl)
    screen()
    assert set(troubles(screen, project)) == {"main.bbl", "refs.bib"}
    (project / "main.tex").write_text(LATEX.replace("{a}", "{k0}"))
    screen()
    assert troubles(screen, project) == {"main.tex": ""}
    assert [place["file"] for place in screen.table("places")] == [str(project / "refs.bib")]


def test_screen_lists_a_missing_input_of_a_list(
    screen: Screen, archive: Path, run: Callable[..., Any], tmp_path: Path
) -> None:
    screen.paper("one.bib", "A Matter of Meadows")
    packed = tmp_path / "refs.jsonl.gz"
    packed.write_bytes(
        gzip.compress(json.dumps({"paper": "far", "title": "A Matter of Bridges"}).encode())
    )
    listing = tmp_path / "list.txt"
    listing.write_text(
        f"{archive}\n{screen.papers}\nnowhere.bib\n{packed}\n{screen.papers / 'one.bib'}\n"
    )
    done = run("--files-from", listing, "-o", screen.folder, "--processes", "1")
    assert done.exception is None or done.exit_code == 3, done.exception
    said = troubles(screen, tmp_path)
    assert {"papers/one.bib", "papers.zip/a.bib", "far", "nowhere.bib"} <= set(said)
    assert "No such file" in said["nowhere.bib"]
    assert [
        paper["entries"] for paper in screen.table("papers") if paper["name"].endswith("one.bib")
    ] == [1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("-o", "results"), "Missing argument 'INPUT...'"),
        (("--files-from", "none.txt", "-o", "results"), "none.txt: cannot be read"),
        (("--files-from", "empty.txt", "-o", "results"), "empty.txt: names no file"),
    ],
)
def test_screen_names_a_wrong_list_in_one_line(
    screen: Screen, run: Callable[..., Any], words: tuple[str, ...], says: str
) -> None:
    screen.papers.parent.joinpath("empty.txt").write_text("\n\n")
    done = run(*words)
    assert says in str(done.exception) + done.output
    assert not screen.folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_screen_reads_a_paper_whose_name_is_not_utf8(screen: Screen, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in ("\udcff.bib", "good.bib"):
        (papers / name).write_text(ENTRY % "Matters")
    assert len(screen(papers).papers) == 2
    assert troubles(screen, papers) == {"\\udcff.bib": "", "good.bib": ""}
    screen(papers)
    assert len(troubles(screen, papers)) == 2


def test_screen_reads_what_verify_reads_and_names_what_it_leaves_out(
    screen: Screen, run: Callable[..., Any], tmp_path: Path
) -> None:
    word = word_document(paragraph("References") + paragraph("[1] A. Lee. On a, 2001."))
    files: dict[str, str | bytes] = {
        "a.docx": word,
        "b.csv": "title,year\nOn b,2001\n",
        "c.nbib": "PMID- 1\nTI  - On c\n",
        "d.enw": "%0 Book\n%T On d\n",
        "e.html": "<h1>References</h1><p>A. Lee. On e, 2001.</p>",
        "README.md": "Hello",
        "photo.png": "x",
        "titles.txt": "On f\n",
    }
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as packed:
        for name, data in files.items():
            path = screen.papers / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
            packed.writestr(name, data)
    done = run(screen.papers, tmp_path / "more.zip", "-o", screen.folder, "--processes", "1")
    assert done.output.startswith("10 papers, 10 references")
    assert (
        f"Note: 6 files not checked (without references, or a part of another paper):"
        f" {tmp_path}/more.zip/README.md, {tmp_path}/more.zip/photo.png, "
    ) in done.output
