"""What settings make of the chain, which database is taken, and what is said about it."""

import json
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from citeproof.database import matches as comparison
from citeproof.database.building.builder import build
from citeproof.database.choice import SAMPLE_NOTE, choose_database, open_database
from citeproof.database.lookup import Database
from citeproof.model.errors import ConfigurationError, DatabaseError
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.settings import Settings, default_cache, default_database, load
from citeproof.settings.values import UnsupportedError
from citeproof.store.sql import ServerAddress
from citeproof.verification import startup
from citeproof.verification.session import Session
from citeproof.verification.startup import json_settings, open_session

DUMP = Path(__file__).parents[1] / "data" / "bibdb" / "small.xml"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live in a home of one's own, with the sample of a file that is quickly built."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    sample = tmp_path / "sample.db"
    build([DUMP], sample)
    monkeypatch.setattr(
        "citeproof.database.building.sample.sample_database", lambda *, works: sample
    )


def test_open_session_the_default_chain_is_the_database_other_readings_and_the_cache() -> None:
    with open_session(load()) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings", "cache")
    with open_session(load(disable_bib=True)) as opened:
        assert opened.pipeline.strategies == ("cache",)
        assert opened.describe_database() == {}


def test_open_session_the_sample_answers_with_a_note_only_where_there_is_no_other(
    tmp_path: Path,
) -> None:
    assert choose_database(load()) == (tmp_path / "sample.db", (SAMPLE_NOTE,))
    default_database().parent.mkdir(parents=True)
    build([DUMP], default_database())
    assert choose_database(load()) == (default_database(), ())
    assert choose_database(load(bib_db=tmp_path / "named.db")) == (tmp_path / "named.db", ())


def test_open_session_a_named_database_that_is_missing_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"named\.db"):
        open_session(load(bib_db=tmp_path / "named.db"))


def test_open_session_only_a_cache_that_was_named_must_work(tmp_path: Path) -> None:
    default_cache().mkdir(parents=True)
    with open_session(load()) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings")
        assert any("cache is not used" in note for note in opened.notes)
    with pytest.raises(DatabaseError):
        open_session(load(cache=tmp_path))


def test_open_session_what_cannot_go_online_says_so_once_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise ImportError("no module named httpx2")

    monkeypatch.setattr("citeproof.verification.online_chain.build_online", refuse)
    with open_session(load(enable_online=True)) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings", "cache")
        assert len(opened.warnings) == 1
        assert "httpx2" in opened.warnings[0]
    with open_session(load(enable_online=True, offline=True)) as opened:
        assert opened.warnings == (startup.OFFLINE_NOTE,)


@pytest.mark.parametrize("name", ["bib_db", "bib_index_dir"])
def test_load_a_database_server_in_place_of_a_file_is_refused_without_its_password(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"CITEPROOF_{name.upper()}", "postgresql://me:secret@host/db")
    with pytest.raises(
        UnsupportedError, match=f"^setting {name}: is a file and cannot be on a"
    ) as caught:
        load()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["cache", "runtime_store"])
def test_load_a_store_may_be_on_a_server(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"CITEPROOF_{name.upper()}", "postgresql://me:secret@host/db")
    settings = load()
    assert getattr(settings, name) == ServerAddress("postgresql://me:secret@host/db")
    assert "secret" not in repr(settings)


def test_open_session_a_source_that_does_not_exist_is_bad_usage() -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        open_session(load(enable_online=True, sources="nowhere"))


@pytest.mark.parametrize(
    "fault", [AttributeError("no transport"), RuntimeError("a\nb"), ValueError("bad port")]
)
def test_open_session_whatever_fails_inside_a_library_degrades_to_the_local_chain(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def refuse(*_: object) -> None:
        raise fault

    monkeypatch.setattr("citeproof.verification.online_chain.build_online", refuse)
    with open_session(load(enable_online=True)) as opened:
        assert opened.pipeline.strategies == ("bibliographic_database", "readings", "cache")
        (warning,) = opened.warnings
        assert type(fault).__name__ in warning
        assert "\n" not in warning


def test_open_session_a_run_on_the_command_line_keeps_no_titles_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "bare.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE publications (id INTEGER PRIMARY KEY, title TEXT)")
        connection.execute("INSERT INTO publications (title) VALUES ('Lamp Trees')")
    database, _ = open_database(load(bib_db=path))
    with database:
        assert database.look_up("Lamp Trees").found
    assert [in_memory for held, in_memory in comparison._ENTRIES if held == path.resolve()] == [
        False
    ]


def test_open_session_a_session_closes_what_it_opened_and_no_database_of_another(
    tmp_path: Path,
) -> None:
    with Database.open(choose_database(load())[0]) as database:
        with Session.over(database) as session:
            assert session.verify(Reference("x", "Nothing of the kind")).status is Status.UNVERIFIED
        assert database.describe()["records"] > 0, "it is still open"
    with open_session(load()) as opened:
        held = opened.database
    assert held
    with pytest.raises(DatabaseError, match="closed"):
        held.look_up("anything")


def test_json_settings_has_no_cache_where_none_is_used() -> None:
    settings = load(cache="postgresql://ada:s3cret@db.example/work", no_cache=True)
    assert "s3cret" not in json_settings(settings, None)


@pytest.mark.parametrize(
    ("concurrent", "processes", "in_processes"), [(1, 4, False), (2, 4, True), (10, 1, False)]
)
def test_open_session_has_no_more_processes_than_references_at_a_time(
    concurrent: int, processes: int, in_processes: bool
) -> None:
    with open_session(load(concurrent=concurrent, processes=processes, no_cache=True)) as session:
        assert bool(session.in_processes) is in_processes


@pytest.mark.parametrize(("threshold", "noted"), [(0.9, False), (0.95, True)])
def test_open_session_notes_a_threshold_that_does_not_count(threshold: float, noted: bool) -> None:
    with open_session(load(bib_threshold=threshold, no_cache=True)) as session:
        said = (
            "--bib-threshold 0.95 is reduced to 0.9: with a higher value, the search could miss the"
            " cited work."
        )
        assert (said in session.notes) is noted


def test_open_session_remembers_nothing_that_the_database_of_a_project_confirms(
    tmp_path: Path,
) -> None:
    build([DUMP], tmp_path / "own.db")
    with open_session(load(bib_db=tmp_path / "own.db")) as opened:
        assert opened.pipeline.memory
    (tmp_path / "citeproof.toml").write_text('bib_db = "own.db"\n')
    assert load().searches_database_of_project
    with open_session(load()) as opened:
        assert opened.pipeline.memory is None
    with open_session(load(no_project_settings=True)) as opened:
        assert opened.pipeline.memory


def test_open_session_remembers_only_under_the_default_policy(tmp_path: Path) -> None:
    build([DUMP], tmp_path / "own.db")
    chosen = load(bib_db=tmp_path / "own.db")
    with open_session(chosen, remembers=False) as opened:
        assert opened.pipeline.memory is None
        assert "cache" in opened.pipeline.strategies
    with open_session(load(bib_db=tmp_path / "own.db", policy="strict")) as opened:
        assert opened.pipeline.memory is None
    with open_session(load(bib_db=tmp_path / "own.db", no_cache=True)) as opened:
        assert opened.pipeline.memory is None
        assert "cache" not in opened.pipeline.strategies


def test_open_session_asks_every_database_in_the_order_given(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.db" for name in "abc"]
    for path in paths:
        build([DUMP], path)
    chosen = load(bib_db=paths[0], further_bib_dbs=paths[1:])
    with open_session(chosen) as opened:
        assert opened.database
        assert opened.database.path == paths[0]
        assert [database.path for database in opened.further_databases] == paths[1:]
        assert opened.pipeline.strategies.count("bibliographic_database") == 3
        described = opened.describe_database()
    assert described["path"] == str(paths[0])
    assert [one["path"] for one in described["further"]] == [str(path) for path in paths[1:]]


def test_json_settings_are_those_that_decide_and_no_others(tmp_path: Path) -> None:
    build([DUMP], tmp_path / "own.db")
    chosen = load(
        bib_db=tmp_path / "own.db",
        further_bib_dbs=[Path("other.db")],
        bib_threshold=0.8,
        enable_online=True,
        processes=4,
        cache=tmp_path / "kept.db",
        openalex_key="s3cret",
    )
    with Database.open(tmp_path / "own.db") as database:
        stated = json.loads(json_settings(chosen, database))
    assert stated["bib_db"] == str(tmp_path / "own.db")
    assert stated["further_bib_dbs"] == [str(tmp_path / "other.db")]
    assert stated["cache"] == str(tmp_path / "kept.db")
    assert (stated["bib_threshold"], stated["policy"], stated["no_cache"]) == (
        0.8,
        "default",
        False,
    )
    assert (stated["enable_online"], stated["processes"], stated["no_project_settings"]) == (
        False,
        1,
        True,
    )
    assert "s3cret" not in json.dumps(stated)
    assert load(**stated).bib_threshold == 0.8


def test_open_session_closes_its_cache_with_the_session(tmp_path: Path) -> None:
    build([DUMP], tmp_path / "own.db")
    with open_session(load(bib_db=tmp_path / "own.db", cache=tmp_path / "kept.db")) as opened:
        assert opened.cache
        with Database.open(tmp_path / "own.db") as database:
            record = database.records([1])[0]
        exact = Reference("a", record.title, record.authors, year=record.year, venue=record.venue)
        assert opened.verify(exact).status is Status.VALID
        assert (tmp_path / "kept.db-wal").exists()
    assert not (tmp_path / "kept.db-wal").exists()
    assert (tmp_path / "kept.db").stat().st_size


@pytest.mark.parametrize(
    ("files", "concurrent", "online", "workers"),
    [
        (1_024, 10, False, 10),
        (1_024, 1_000, False, 192),
        (1_024, 1_000, True, 106),
        (resource.RLIM_INFINITY, 1_000, False, 806),
        (1_000_000, 1_000, False, 806),
        (70, 1_000, False, 1),
        (20, 10, True, 1),
    ],
)
def test_workers_are_no_more_than_the_limit_of_open_files_allows(
    monkeypatch: pytest.MonkeyPatch, files: int, concurrent: int, online: bool, workers: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert startup._workers(Settings(concurrent=concurrent, enable_online=online)) == workers


def test_open_session_notes_the_settings_of_a_project_that_uses_no_database() -> None:
    project = {"disable_bib": Path("citeproof.toml")}
    settings = Settings(disable_bib=True, no_cache=True, from_project=project)
    with open_session(settings) as session:
        assert session.notes == settings.project_notes != ()
    with open_session(Settings(disable_bib=True, no_cache=True)) as session:
        assert session.notes == ()


def test_open_online_says_why_it_is_not_online() -> None:
    assert startup._open_online(Settings(offline=True), ()) == (None, ())
    offline = Settings(offline=True, enable_online=True)
    assert startup._open_online(offline, ()) == (None, (startup.OFFLINE_NOTE,))
    with pytest.raises(ConfigurationError):
        startup._open_online(Settings(sources="nowhere"), ())


def test_open_online_keeps_answers_in_the_cache_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []

    def counted(settings: Settings, cache: object, _local: object) -> None:
        given.append(cache)

    monkeypatch.setattr("citeproof.verification.online_chain.build_online", counted)
    named = tmp_path / "named.db"
    for settings in (
        Settings(enable_online=True, cache=named),
        Settings(enable_online=True),
        Settings(enable_online=True, cache=named, no_cache=True),
    ):
        startup._open_online(settings, ())
    assert given == [named, default_cache(), None]
