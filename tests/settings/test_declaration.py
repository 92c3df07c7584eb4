"""What the settings of a project may decide."""

from pathlib import Path

from citeproof.settings import Settings
from citeproof.settings.declaration import (
    HARMLESS,
    MAX_CANDIDATES,
    OWN,
    PROJECT_NOTE,
    SETTINGS,
    project_notes,
)

OURS, THEIRS = Path("citeproof.toml"), Path("sub/citeproof.toml")


def test_settings_reads_every_field_but_where_it_came_from() -> None:
    names = set(Settings.__dataclass_fields__)
    assert names - set(SETTINGS) == {"from_project"}
    assert set(SETTINGS) > OWN
    assert set(SETTINGS) > HARMLESS


def test_own_settings_open_connections_name_files_or_hold_secrets() -> None:
    assert {name for name in SETTINGS if name.endswith(("_key", "_url", "token"))} <= OWN
    assert {"enable_online", "cache", "offline", "source_urls", "no_project_settings"} <= OWN
    assert not OWN & {"bib_db", "policy", "fail_on", "no_accepted"}


def test_deciding_leaves_out_what_is_harmless() -> None:
    settings = Settings(from_project={"policy": OURS, "format": OURS, "bib_db": THEIRS})
    assert settings.deciding == {"policy": str(OURS), "bib_db": str(THEIRS)}
    assert settings.searches_database_of_project
    assert not Settings(from_project={"policy": OURS}).searches_database_of_project
    assert Settings(from_project={"further_bib_dbs": OURS}).searches_database_of_project


def test_project_notes_group_settings_by_file() -> None:
    deciding = {"policy": "a.toml", "bib_db": "b.toml", "fail_on": "a.toml"}
    assert project_notes(deciding) == (
        PROJECT_NOTE.format("a.toml sets policy, fail_on; b.toml sets bib_db"),
    )
    assert project_notes({}) == ()
    assert Settings(from_project={"format": OURS}).project_notes == ()


def test_candidates_are_reduced_to_the_most() -> None:
    read = SETTINGS["bib_max_candidates"]
    assert (read("7"), read(MAX_CANDIDATES + 1)) == (7, MAX_CANDIDATES)
