"""The parts of archives of papers."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

from citeproof.model.reference import Diagnostic
from citeproof.readers.document import Collection, Document
from citeproof.screen.papers import part, parts

if TYPE_CHECKING:
    from pathlib import Path


def zipped(path: Path, **members: str) -> str:
    """Write a zip with these members; in their names ``__`` means a slash and ``_`` a dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), text)
    return str(path)


def test_parts_are_files_and_folders_of_sources(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "papers.zip",
        a_bib="1",
        b_pdf="2",
        notes_md="3",
        in_zip="4",
        two__main_tex="5",
        two__refs_bib="6",
        two__below__x_tex="7",
    )
    names = [name.removeprefix(f"{path}/") for name in parts(path, "")]
    assert names == ["a.bib", "b.pdf", "in.zip", "notes.md", "two"]
    document = part(path, "", f"{path}/a.bib")
    assert isinstance(document, Document)
    assert (document.name, document.data) == (f"{path}/a.bib", b"1")
    folder = part(path, "", f"{path}/two")
    assert isinstance(folder, Collection)
    assert [member.name.removeprefix(f"{path}/two/") for member in folder.members] == [
        "below/x.tex",
        "main.tex",
        "refs.bib",
    ]


def test_parts_of_one_paper_or_one_packed_file_are_empty(tmp_path: Path) -> None:
    single = tmp_path / "refs.bib.gz"
    single.write_bytes(gzip.compress(b"@article{a, title={x}}"))
    assert parts(zipped(tmp_path / "paper.zip", main_tex="1", refs_bib="2"), "") == {}
    assert parts(str(single), "") == {}
    assert parts(str(tmp_path / "nowhere.zip"), "") == {}


def test_parts_keep_papers_beside_a_stray_source(tmp_path: Path) -> None:
    stray = zipped(
        tmp_path / "papers.zip", template_tex="a form", one_pdf="1", two_pdf="2", three_pdf="3"
    )
    assert [name.removeprefix(f"{stray}/") for name in parts(stray, "")] == [
        "one.pdf",
        "template.tex",
        "three.pdf",
        "two.pdf",
    ]
    named = zipped(
        tmp_path / "paper.zip",
        main_tex="{one} {two}",
        below__more_tex="{three}",
        one_pdf="1",
        two_pdf="2",
        three_pdf="3",
    )
    assert parts(named, "") == {}


def test_parts_include_unreadable_members(tmp_path: Path) -> None:
    path = tmp_path / "papers.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("good.bib", "../evil.bib"):
            info = tarfile.TarInfo(name)
            info.size = 1
            archive.addfile(info, io.BytesIO(b"x"))
    names = list(parts(str(path), ""))
    assert names == [f"{path}/../evil.bib", f"{path}/good.bib"]
    found = part(str(path), "", names[0])
    assert isinstance(found, Diagnostic)
    assert "leads out of its archive" in found.message
    gone = part(str(path), "", f"{path}/gone.bib")
    assert isinstance(gone, Diagnostic)
    assert gone.message == "is no longer in the archive"


def test_part_opens_a_replaced_archive_again(tmp_path: Path) -> None:
    path = zipped(tmp_path / "papers.zip", a_bib="1")
    first = part(path, "1", f"{path}/a.bib")
    zipped(tmp_path / "papers.zip", a_bib="changed")
    second = part(path, "2", f"{path}/a.bib")
    assert [each.data for each in (first, second) if isinstance(each, Document)] == [
        b"1",
        b"changed",
    ]
