"""From settings to a service: the order of the chain, which database is taken, and what is said about it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from citeproof import session
from citeproof.bibdb import brute_force
from citeproof.bibdb.build import build
from citeproof.errors import ConfigurationError, DatabaseError
from citeproof.session import SAMPLE_NOTE, build_service, choose_database, open_database
from citeproof.settings import default_cache, default_database, load
from citeproof.unsupported import UnsupportedError

DUMP = Path(__file__).parent / "data" / "bibdb" / "small.xml"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live in a home of one's own, with the sample of a file that is quickly built."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    sample = tmp_path / "sample.db"
    build([DUMP], sample)
    monkeypatch.setattr(session, "sample_database", lambda: sample)


def test_the_default_chain_is_the_database_the_cache_and_for_misses_the_authors() -> None:
    with build_service(load()) as service:
        assert service.pipeline.strategies == ("bibliographic_database", "cache")
    with build_service(load(disable_bib=True)) as service:
        assert service.pipeline.strategies == ("cache",)
        assert service.describe_database() == {}


def test_the_sample_answers_with_a_note_only_where_there_is_no_other(tmp_path: Path) -> None:
    assert choose_database(load()) == (tmp_path / "sample.db", (SAMPLE_NOTE,))
    default_database().parent.mkdir(parents=True)
    build([DUMP], default_database())
    assert choose_database(load()) == (default_database(), ())
    assert choose_database(load(bib_db=tmp_path / "named.db")) == (tmp_path / "named.db", ())


def test_a_named_database_that_is_missing_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"named\.db"):
        build_service(load(bib_db=tmp_path / "named.db"))


def test_only_a_cache_that_was_named_must_work(tmp_path: Path) -> None:
    default_cache().mkdir(parents=True)
    with build_service(load()) as service:
        assert service.pipeline.strategies == ("bibliographic_database",)
        assert any("cache is not used" in note for note in service.notes)
    with pytest.raises(DatabaseError):
        build_service(load(cache=tmp_path))


def test_what_cannot_go_online_says_so_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ImportError("no such module", name="httpx2")

    monkeypatch.setattr("citeproof.online_chain.build_online", refuse)
    with build_service(load(enable_online=True)) as service:
        assert service.pipeline.strategies == ("bibliographic_database", "cache")
        assert len(service.warnings) == 1
        assert "httpx2" in service.warnings[0]
        assert "pip install '.[online]'" in service.warnings[0]
    with build_service(load(enable_online=True, offline=True)) as service:
        assert service.warnings == (session.OFFLINE_NOTE,)


@pytest.mark.parametrize("name", ["bib_db", "bib_index_dir", "cache"])
def test_a_database_server_in_the_settings_is_refused_without_its_password(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"CITEPROOF_{name.upper()}", "postgresql://me:secret@host/db")
    with pytest.raises(
        UnsupportedError, match=f"^setting {name}: this version does not use PostgreSQL; name a file"
    ) as caught:
        load()
    assert "secret" not in str(caught.value)


def test_a_source_that_does_not_exist_is_bad_usage() -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        build_service(load(enable_online=True, sources="nowhere"))


def test_a_run_on_the_command_line_keeps_no_titles_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "bare.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)")
        connection.execute("INSERT INTO publications (title) VALUES ('Lamp Trees')")
    database, _ = open_database(load(bib_db=path))
    with database:
        assert database.look_up("Lamp Trees").found
    assert [in_memory for held, in_memory in brute_force._ENTRIES if held == path.resolve()] == [False]
