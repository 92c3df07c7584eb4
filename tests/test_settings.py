"""Settings: which files apply, what their paths mean, and what is said of names that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeproof.errors import ConfigurationError
from citeproof.settings import load, unknown_variables


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository; the test works in a folder two floors below its root."""
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (root / "paper" / "tex").mkdir(parents=True)
    monkeypatch.chdir(root / "paper" / "tex")
    return root


def test_a_settings_file_is_found_up_to_the_root_of_the_repository(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "citeproof.toml").write_text("concurrent = 1\n")
    assert load().concurrent == 10, "what lies outside the repository is somebody else's"
    (repository / "citeproof.toml").write_text("concurrent = 2\n")
    assert load().concurrent == 2
    (repository / "paper" / "citeproof.toml").write_text("concurrent = 3\n")
    assert load().concurrent == 3, "the nearest wins"


def test_outside_a_repository_only_the_working_folder_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "citeproof.toml").write_text("concurrent = 1\n")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert load().concurrent == 10


def test_a_file_of_a_settings_file_is_relative_to_it(repository: Path) -> None:
    (repository / "citeproof.toml").write_text('bib_db = "data/dblp.db"\n')
    (repository / "pyproject.toml").write_text('[tool.citeproof]\ncache = "/srv/cache.db"\nbib_db = "other.db"\n')
    settings = load()
    assert settings.bib_db == repository / "data" / "dblp.db"
    assert settings.cache == Path("/srv/cache.db")


def test_a_pyproject_of_another_tool_hides_none_above_it(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tool.citeproof]\nconcurrent = 4\n")
    Path("pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load().concurrent == 4


def test_an_unknown_setting_names_its_file_and_what_was_perhaps_meant(repository: Path) -> None:
    (repository / "citeproof.toml").write_text("concurent = 4\n")
    with pytest.raises(ConfigurationError, match=r"citeproof\.toml: unknown setting 'concurent'; perhaps 'concurrent'"):
        load()


def test_an_unknown_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [line for line in unknown_variables() if "BIBDB" in line] == []
    monkeypatch.setenv("CITEPROOF_BIBDB", "dblp.db")
    monkeypatch.setenv("CITEPROOF_BIB_DB", "dblp.db")
    (line,) = (line for line in unknown_variables() if "BIB" in line)
    assert line == "variable CITEPROOF_BIBDB is no setting; perhaps 'bib_db' was meant"


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("format", "csv", "csv"), ("fail_on", "never", "never"), ("no_cache", "1", True), ("statistics", "1", True),
        ("host", "0.0.0.0", "0.0.0.0"), ("port", "8000", 8000), ("workers", "2", 2), ("no_title_log", "1", True),
        ("retain_days", "30", 30.0), ("rate_limit", "60", 60), ("runtime_store", "r.db", Path("r.db")),
    ],
)  # fmt: skip
def test_every_lasting_option_is_a_variable(
    name: str, value: str, read: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"CITEPROOF_{name.upper()}", value)
    assert getattr(load(), name) == read


def test_a_bound_beyond_what_can_be_counted_is_no_bound() -> None:
    assert load(bib_max_candidates=2**63).bib_max_candidates == 2**31 - 1


def test_a_key_that_is_none_is_refused_without_being_shown(repository: Path) -> None:
    (repository / "citeproof.toml").write_text("token = 12345\n")
    with pytest.raises(ConfigurationError, match=r"^setting token: should be a text$"):
        load()


def test_a_table_of_settings_that_is_none_is_refused(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tool]\nciteproof = 3\n")
    with pytest.raises(ConfigurationError, match=r"pyproject\.toml: tool\.citeproof should be a table"):
        load()
