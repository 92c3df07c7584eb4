"""Where a report goes: what a file keeps, what a link means, and what a report may not replace."""

import io
import os
import sys
from pathlib import Path

import pytest

from citeproof.cli.main import _speak_utf8
from citeproof.cli.output import once_a_day, opened, refuse_in_use
from citeproof.database.choice import AGE_NOTE
from citeproof.model.errors import InputError


def write(path: Path, text: str = "new") -> None:
    with opened(path) as out:
        out.write(text)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_opened_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    report = tmp_path / "report"
    report.write_text("old")
    report.chmod(mode)
    write(report)
    assert (report.read_text(), report.stat().st_mode & 0o777) == ("new", mode)


def test_opened_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    write(tmp_path / "report")
    (tmp_path / "other").write_text("")
    assert (tmp_path / "report").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_opened_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "report"
    target.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert [path.name for path in target.parent.iterdir()] == ["report"]


def test_opened_a_loop_of_links_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(
        InputError, match=r"a: cannot be written: Too many levels of symbolic links"
    ):
        write(tmp_path / "a")


def test_refuse_in_use_a_file_in_use_is_known_by_any_of_its_names(tmp_path: Path) -> None:
    database = tmp_path / "dblp.db"
    database.write_text("x")
    (tmp_path / "link.db").symlink_to(database)
    os.link(database, tmp_path / "hard.db")
    for name in ("dblp.db", "link.db", "hard.db"):
        with pytest.raises(
            InputError, match=f"{name}: is the database; --output takes another file"
        ):
            refuse_in_use(tmp_path / name, [(database, "the database")])
    with pytest.raises(InputError, match=r"new\.db: is the cache"):
        refuse_in_use(tmp_path / "new.db", [(tmp_path / "sub" / ".." / "new.db", "the cache")])
    refuse_in_use(tmp_path / "report", [(database, "the database")])
    refuse_in_use(None, [(database, "the database")])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_opened_what_cannot_be_written_is_named_and_nothing_else_is(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"^/dev/full: cannot be written: No space left on device$"
    ):
        write(Path("/dev/full"))
    with pytest.raises(OSError, match="another stream"), opened(tmp_path / "report"):
        raise OSError(28, "another stream")
    assert list(tmp_path.iterdir()) == []


def test_opened_a_file_that_another_program_has_open_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Access is denied")

    (tmp_path / "report").write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(InputError, match=r"report: cannot be replaced: Access is denied$"):
        write(tmp_path / "report")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("report", "old")]


@pytest.mark.parametrize(
    ("terminal", "written"), [(True, b"? INVALID ?\n"), (False, "✗ INVALID 文\n".encode())]
)
def test_a_console_without_utf8_shows_what_it_can(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, written: bytes
) -> None:
    class Console(io.BytesIO):
        def isatty(self) -> bool:
            return terminal

    console = Console()
    out = io.TextIOWrapper(console, encoding="cp437", newline="\n")
    monkeypatch.setattr(sys, "stdout", out)
    _speak_utf8()
    print("✗ INVALID 文")
    out.flush()
    assert console.getvalue() == written


def test_once_a_day_leaves_out_a_note_on_the_age_of_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.cli.output.user_state_path", lambda _: tmp_path / "state")
    one, other = f"{AGE_NOTE}a.db is old", f"{AGE_NOTE}b.db is old"
    assert once_a_day([one, "another note"]) == (one, "another note")
    assert once_a_day([one, "another note", other]) == ("another note", other)
    assert once_a_day([one, other]) == ()
    (tmp_path / "state" / "said").write_text(f"2020-01-01\n{one}\n")
    assert once_a_day([one]) == (one,)
    (tmp_path / "state" / "said").unlink()
    (tmp_path / "state").rmdir()
    (tmp_path / "state").write_text("a file in the way")
    assert once_a_day([one]) == (one,)
