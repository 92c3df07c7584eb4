"""The database on disk is replaced, broken or removed while it is being read."""

from __future__ import annotations

import os
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.web.reloading_database import DatabaseMissingError, ReloadingDatabase

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.model.record import Lookup


class Fake:
    """A database that holds only the content of its file."""

    opened: list[Fake]

    def __init__(self, path: Path) -> None:
        self.text = path.read_text()
        if self.text == "broken":
            raise DatabaseError("broken")
        self.closed = False
        self.opened.append(self)

    def look_up_text(
        self,
        text: str,
        threshold: float = 0.9,
        max_candidates: int = 100_000,
        *,
        every: bool = False,
    ) -> Lookup:
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        self.closed = True


FAKE: Any = Fake


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Fake.opened = []
    path = tmp_path / "x.db"
    path.write_text("one")
    return path


def replace(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)  # noqa: PTH105 - the call that a build makes


def lent(reloading: ReloadingDatabase) -> str:
    with reloading.borrow() as fake:
        assert isinstance(fake, Fake)
        assert not fake.closed
        return fake.text


def test_borrow_opens_the_file_once(path: Path) -> None:
    reloading = ReloadingDatabase(path, FAKE)
    assert [lent(reloading), lent(reloading)] == ["one", "one"]
    assert len(Fake.opened) == 1


def test_borrow_yields_a_replaced_file_and_closes_the_old_one_after_its_last_reader(
    path: Path,
) -> None:
    reloading = ReloadingDatabase(path, FAKE)
    with reloading.borrow() as old:
        replace(path, "two")
        assert lent(reloading) == "two"
        assert isinstance(old, Fake)
        assert not old.closed
    assert old.closed
    assert not Fake.opened[1].closed


def test_borrow_opens_the_file_again_after_a_companion_changed(path: Path) -> None:
    index = path.with_name("x.db.titles")
    reloading = ReloadingDatabase(path, FAKE, (index,))
    lent(reloading)
    index.write_text("built")
    lent(reloading)
    assert [fake.closed for fake in Fake.opened] == [True, False]


def test_borrow_yields_the_old_file_if_the_new_one_cannot_be_opened(path: Path) -> None:
    reloading = ReloadingDatabase(path, FAKE)
    lent(reloading)
    replace(path, "broken")
    assert [lent(reloading), lent(reloading)] == ["one", "one"]
    replace(path, "three")
    assert lent(reloading) == "three"


def test_borrow_yields_the_old_file_while_another_thread_opens_the_new_one(path: Path) -> None:
    opening, go_on = Event(), Event()
    go_on.set()

    def slowly(path: Path) -> Any:
        opening.set()
        assert go_on.wait(60)
        return FAKE(path)

    reloading = ReloadingDatabase(path, slowly)
    assert lent(reloading) == "one"
    opening.clear()
    go_on.clear()
    replace(path, "two")
    first = Thread(target=lent, args=(reloading,))
    first.start()
    assert opening.wait(60)
    assert lent(reloading) == "one"
    go_on.set()
    first.join()
    assert lent(reloading) == "two"


def test_borrow_yields_the_old_file_after_any_error_of_the_new_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reloading = ReloadingDatabase(path, FAKE)
    lent(reloading)
    replace(path, "")

    def fail(*_: object) -> None:
        raise IndexError("an empty file has no first byte")

    monkeypatch.setattr(Fake, "__init__", fail)
    assert [lent(reloading), lent(reloading)] == ["one", "one"]


def test_borrow_fails_while_the_file_is_missing(path: Path) -> None:
    reloading = ReloadingDatabase(path, FAKE)
    lent(reloading)
    path.unlink()
    with pytest.raises(DatabaseMissingError), reloading.borrow():
        pass
    path.write_text("back")
    assert lent(reloading) == "back"


def test_borrow_fails_if_no_file_was_ever_opened(path: Path) -> None:
    path.write_text("broken")
    reloading = ReloadingDatabase(path, FAKE)
    with pytest.raises(DatabaseError, match="broken"), reloading.borrow():
        pass


def test_borrow_in_many_threads_while_the_file_is_replaced(path: Path) -> None:
    reloading = ReloadingDatabase(path, FAKE)
    faults: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(300):
                lent(reloading)
        except BaseException as error:  # noqa: BLE001 - reported below
            faults.append(error)

    readers = [Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for number in range(50):
        replace(path, str(number))
    for reader in readers:
        reader.join()
    assert faults == []
    assert lent(reloading) == "49"
    reloading.close()
    assert all(fake.closed for fake in Fake.opened)
