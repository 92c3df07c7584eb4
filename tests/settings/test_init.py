"""Settings files, their relative paths, and unknown names."""

from pathlib import Path

import pytest

from citeproof.model.errors import ConfigurationError
from citeproof.settings import (
    OWN,
    SETTINGS,
    Settings,
    ignored_settings,
    load,
    load_own,
    own_file,
    unknown_variables,
)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository; the working folder is two levels below its root."""
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (root / "paper" / "tex").mkdir(parents=True)
    monkeypatch.chdir(root / "paper" / "tex")
    return root


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the user's own settings file, in an existing folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own_file().parent.mkdir(parents=True)
    return own_file()


def stated(name: str) -> str:
    """Return a line of TOML with a valid value of the setting ``name``."""
    if name == "source_urls":
        return 'source_urls = {crossref = "https://attacker.example"}'
    default = getattr(Settings(), name)
    value = (
        str(not default).lower()
        if isinstance(default, bool)
        else "2"
        if isinstance(default, int | float)
        else '"x"'
    )
    return f"{name} = {'2' if name == 'retain_days' else value}"


@pytest.mark.parametrize("name", sorted(OWN))
def test_load_ignores_an_own_setting_of_a_project_and_takes_it_from_the_user(
    name: str, repository: Path, own: Path
) -> None:
    unset = getattr(load(), name)
    (repository / "citeproof.toml").write_text(stated(name))
    assert getattr(load(), name) == unset
    assert ignored_settings() == [
        f"{repository / 'citeproof.toml'}: {name} counts only in {own}, in the environment or as an"
        " option"
    ]
    own.write_text(stated(name))
    assert getattr(load(), name) != unset


def test_load_lets_no_project_open_connections_name_hosts_carry_keys_or_name_files_to_write() -> (
    None
):
    named = {
        name
        for name in SETTINGS
        if name.endswith(("_key", "_url", "_urls", "_hosts", "_dir", "_store"))
    }
    assert (
        named | {"enable_online", "offline", "sources", "contact", "cache", "host", "port", "token"}
        <= OWN
    )


def test_load_takes_what_to_check_from_a_project_before_the_users_own(
    repository: Path, own: Path
) -> None:
    own.write_text('policy = "lenient"\nconcurrent = 3\n')
    (repository / "pyproject.toml").write_text(
        '[tool.citeproof]\npolicy = "strict"\ncache = "/x.db"\n'
    )
    settings = load()
    assert (settings.policy, settings.concurrent, settings.cache) == ("strict", 3, None)


def test_load_own_ignores_the_database_of_a_project(repository: Path, own: Path) -> None:
    (repository / "citeproof.toml").write_text('bib_db = "data/dblp.db"\n')
    assert (load().bib_db, load_own().bib_db) == (repository / "data" / "dblp.db", None)
    own.write_text('bib_db = "own.db"\n')
    assert load_own().bib_db == own.parent / "own.db"


def test_ignored_settings_names_all_of_a_file_in_one_line(repository: Path, own: Path) -> None:
    (repository / "citeproof.toml").write_text(
        'enable_online = true\nllm_url = "http://x"\nbib_db = "//host/a.db"\n'
    )
    (line,) = ignored_settings()
    assert "citeproof.toml: bib_db, enable_online, llm_url count only in " in line
    assert load().bib_db is None


def test_load_refuses_a_file_that_is_nested_too_deeply(repository: Path) -> None:
    (repository / "citeproof.toml").write_text("x = " + "[" * 5000)
    with pytest.raises(
        ConfigurationError, match=r"citeproof\.toml: cannot be read: it is nested too deeply"
    ):
        load()


def test_load_refuses_a_variable_that_is_nested_too_deeply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPROOF_SOURCE_URLS", "[" * 100_000)
    with pytest.raises(ConfigurationError, match="setting source_urls: should be a JSON object"):
        load()


@pytest.mark.parametrize("address", ["mysql://x/y", "http://x/y", "sqlite:/x"])
@pytest.mark.parametrize("name", ["cache", "runtime_store"])
def test_load_refuses_an_address_of_an_unknown_scheme(name: str, address: str) -> None:
    with pytest.raises(
        ConfigurationError, match=f"^setting {name}: [a-z]+ is not supported; name a file"
    ):
        load(**{name: address})


def test_load_finds_a_settings_file_up_to_the_root_of_the_repository(
    repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "citeproof.toml").write_text("concurrent = 1\n")
    assert load().concurrent == 10, "what lies outside the repository is somebody else's"
    (repository / "citeproof.toml").write_text("concurrent = 2\n")
    assert load().concurrent == 2
    (repository / "paper" / "citeproof.toml").write_text("concurrent = 3\n")
    assert load().concurrent == 3, "the nearest wins"


def test_load_outside_a_repository_looks_in_the_working_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "citeproof.toml").write_text("concurrent = 1\n")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert load().concurrent == 10


def test_load_reads_a_path_of_a_settings_file_relative_to_that_file(
    repository: Path, own: Path
) -> None:
    (repository / "citeproof.toml").write_text('bib_db = "data/dblp.db"\n')
    (repository / "pyproject.toml").write_text('[tool.citeproof]\nbib_db = "other.db"\n')
    own.write_text('cache = "/srv/cache.db"\nruntime_store = "runtime.db"\n')
    settings = load()
    assert settings.bib_db == repository / "data" / "dblp.db"
    assert (settings.cache, settings.runtime_store) == (
        Path("/srv/cache.db"),
        own.parent / "runtime.db",
    )


def test_load_ignores_a_pyproject_of_another_tool(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tool.citeproof]\nconcurrent = 4\n")
    Path("pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load().concurrent == 4


def test_load_names_the_file_of_an_unknown_setting_and_a_similar_one(repository: Path) -> None:
    (repository / "citeproof.toml").write_text("concurent = 4\n")
    with pytest.raises(
        ConfigurationError,
        match=r"citeproof\.toml: unknown setting 'concurent'; perhaps 'concurrent'",
    ):
        load()


def test_load_suggests_no_setting_for_a_name_unlike_all(repository: Path) -> None:
    (repository / "citeproof.toml").write_text('name = "Thesis"\n')
    with pytest.raises(ConfigurationError, match=r"unknown setting 'name'$"):
        load()


def test_load_names_an_unknown_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [line for line in unknown_variables() if "BIBDB" in line] == []
    monkeypatch.setenv("CITEPROOF_BIBDB", "dblp.db")
    monkeypatch.setenv("CITEPROOF_BIB_DB", "dblp.db")
    (line,) = (line for line in unknown_variables() if "BIB" in line)
    assert line == "variable CITEPROOF_BIBDB is not a setting; perhaps 'bib_db' was meant"


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("format", "csv", "csv"),
        ("fail_on", "never", "never"),
        ("no_cache", "1", True),
        ("statistics", "1", True),
        ("host", "0.0.0.0", "0.0.0.0"),
        ("port", "8000", 8000),
        ("workers", "2", 2),
        ("no_title_log", "1", True),
        ("retain_days", "30", 30.0),
        ("rate_limit", "60", 60),
        ("runtime_store", "r.db", Path("r.db")),
    ],
)
def test_settings_have_a_variable_for_every_option(
    name: str, value: str, read: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"CITEPROOF_{name.upper()}", value)
    assert getattr(load(), name) == read


def test_load_reads_a_huge_limit_as_no_limit() -> None:
    assert load(bib_max_candidates=2**63).bib_max_candidates == 2**31 - 1


def test_load_refuses_a_key_that_is_none_without_showing_it(own: Path) -> None:
    own.write_text("token = 12345\n")
    with pytest.raises(ConfigurationError, match=r"^setting token: should be text$"):
        load()


def test_load_refuses_a_value_in_place_of_the_table(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tool]\nciteproof = 3\n")
    with pytest.raises(
        ConfigurationError, match=r"pyproject\.toml: tool\.citeproof should be a table"
    ):
        load()


def test_load_reads_no_file_of_a_project_that_the_user_excludes(
    repository: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "citeproof.toml").write_text("disable_bib = true\nno_project_settings = false\n")
    assert load().disable_bib
    assert not load(no_project_settings=True).disable_bib
    monkeypatch.setenv("CITEPROOF_NO_PROJECT_SETTINGS", "1")
    (repository / "citeproof.toml").write_text("broken")
    assert not load().disable_bib
    assert ignored_settings() == []
    monkeypatch.delenv("CITEPROOF_NO_PROJECT_SETTINGS")
    own.write_text("no_project_settings = true\n")
    assert not load().disable_bib


def test_project_notes_name_what_decides_and_is_not_overruled(
    repository: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = repository / "citeproof.toml"
    path.write_text('bib_db = "x.db"\npolicy = "lenient"\nfail_on = "never"\nformat = "csv"\n')
    own.write_text('sample = "landmarks"\n')
    assert load().deciding == dict.fromkeys(("bib_db", "policy", "fail_on"), str(path))
    assert load().searches_database_of_project
    monkeypatch.setenv("CITEPROOF_FAIL_ON", "invalid")
    (note,) = load(bib_db="mine.db").project_notes
    assert f"{path} sets policy. " in note
    assert not load(bib_db="mine.db").searches_database_of_project
    assert load(no_project_settings=True).project_notes == ()
