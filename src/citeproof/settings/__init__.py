"""Settings from options, ``CITEPROOF_*`` variables, settings files and defaults, in this order of
precedence.

The settings files of a project are ``citeproof.toml``, and ``pyproject.toml`` with a table
``[tool.citeproof]``. They are searched for in the working folder and the folders above, up to the
root of the repository. The nearest file of each name is used. The user's own settings file, with
lower precedence, is ``citeproof.toml`` in the user's configuration folder.

A project may belong to another person, so its files can only set what is checked and how it is
reported. Settings that open connections, name hosts, contain keys, or name files to be written are
*own* settings. They are ignored in the files of a project. :attr:`Settings.deciding` names the
settings from a project's files that affect verdicts, for the reports. With ``no_project_settings``,
the files of a project are not read.
"""

import os
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_cache_path, user_config_path, user_data_path, user_state_path

from citeproof.model.errors import ConfigurationError
from citeproof.settings import values as read
from citeproof.settings.declaration import OWN, SETTINGS, Settings, project_notes
from citeproof.settings.values import ALIKE, refuse_postgres, toml_file
from citeproof.store.sql import file_or_server

__all__ = ["OWN", "SETTINGS", "Settings", "load", "load_own", "project_notes"]
PREFIX = "CITEPROOF_"


class SettingsFile(NamedTuple):
    """A settings file and its content.

    Paths in the content are relative to the working folder, not to the file.
    """

    path: Path
    content: dict[str, Any]
    own: bool
    """Whether the file is the user's own settings file, and not the file of a project."""

    @property
    def ignored(self) -> list[str]:
        """Sorted names of the settings in this file that are ignored, because the file of a project
        must not set them.
        """
        return (
            []
            if self.own
            else sorted(name for name, value in self.content.items() if _is_own(name, value))
        )


def load(**options: Any) -> Settings:
    """Return settings from options, environment variables, settings files and defaults.

    An option whose value is None is ignored.

    Raises :class:`ConfigurationError`, whose message names the setting, if a setting is unknown or
    invalid.
    """
    return _load(_settings_files(options), options)


def load_own() -> Settings:
    """Return the settings without the settings files of projects. The user's own settings file is
    read.
    """
    return _load(_own_files(), {})


def _load(found: list[SettingsFile], options: dict[str, Any]) -> Settings:
    given: dict[str, Any] = {}
    from_project: dict[str, Path] = {}
    for path, content, _ in found:
        for name in content:
            _require_known(name, f"{path}: ")
    for one in reversed(found):
        counting = {name: value for name, value in one.content.items() if name not in one.ignored}
        given |= counting
        from_project |= {} if one.own else dict.fromkeys(counting, one.path)
    chosen = {
        name: os.environ[key]
        for key, name in _variable_names()
        if name in SETTINGS and os.environ[key]
    }
    chosen |= {name: value for name, value in options.items() if value is not None}
    given |= chosen
    # whoever ignores a project's settings also ignores its file of accepted entries
    given.setdefault("no_accepted", given.get("no_project_settings", False))
    for name in given:
        _require_known(name)
    return Settings(
        **{name: _value(name, value) for name, value in given.items()},
        from_project={name: path for name, path in from_project.items() if name not in chosen},
    )


def _require_known(name: str, where: str = "") -> None:
    if name not in SETTINGS:
        raise ConfigurationError(f"{where}unknown setting {name!r}{_suggestion(name)}")


def _is_own(name: str, value: object) -> bool:
    r"""Return whether a project's file must not set the setting ``name`` to ``value``, because it
    is an own setting or names a file on another host, such as ``\\host\share``.
    """
    paths = value if isinstance(value, list) else [value]
    may_name_files = name in {"bib_db", "further_bib_dbs", "policy"}
    return name in OWN or (
        may_name_files and any(str(path).startswith(("\\\\", "//")) for path in paths)
    )


def ignored_settings() -> list[str]:
    """Return one message for each settings file of a project that contains ignored settings.

    If a settings file cannot be read, return no messages.
    """
    try:
        found = [(one.path, one.ignored) for one in _settings_files({}) if one.ignored]
    except ConfigurationError:
        return []
    where = f"only in {own_file()}, in the environment or as an option"
    return [
        f"{path}: {', '.join(names)} {'counts' if len(names) == 1 else 'count'} {where}"
        for path, names in found
    ]


def _value(name: str, given: object) -> Any:
    """Convert ``given``, a text or TOML value, to the type of the setting ``name``."""
    subject, reader = f"setting {name}", SETTINGS[name]
    if reader is read.file:
        refuse_postgres(subject, given)
    try:
        value = reader(given)
    except ValueError as error:
        may_have_password = reader in {read.secret, read.addresses}
        got = "" if may_have_password else f" (got {given!r})"
        raise ConfigurationError(f"{subject}: {error}{got}") from None
    return file_or_server(subject, given) if reader is read.store else value


def _variable_names() -> list[tuple[str, str]]:
    """Return a pair of environment variable and setting, such as ``CITEPROOF_BIB_DB`` and
    ``bib_db``, for each variable that begins with ``CITEPROOF_``.
    """
    return [
        (name, name[len(PREFIX) :].lower())
        for name in os.environ
        if name.upper().startswith(PREFIX)
    ]


def own_file() -> Path:
    """Return the path of the user's own settings file."""
    return user_config_path("citeproof") / "citeproof.toml"


def _own_files() -> list[SettingsFile]:
    """Return a list of the user's own settings file, or an empty list if the file does not
    exist.
    """
    own = own_file()
    return [SettingsFile(own, _content(own, ()), own=True)] if own.is_file() else []


def _settings_files(options: dict[str, Any]) -> list[SettingsFile]:
    """Return the settings files, highest precedence first. The files of projects are left out if
    ``options`` or the user's own file say so.

    Raises :class:`ConfigurationError` if a file cannot be read.
    """
    own = _own_files()
    return own if _load(own, options).no_project_settings else [*_project_files(), *own]


def _project_files() -> Iterator[SettingsFile]:
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    folders = [folder for folder in (here, *here.parents) if folder.is_relative_to(root)]
    own = own_file()
    for name, table in (("citeproof.toml", ()), ("pyproject.toml", ("tool", "citeproof"))):
        for folder in folders:
            path = folder / name
            if path.is_file() and not (own.is_file() and path.samefile(own)):
                content = _content(path, table)
                if content or not table:
                    yield SettingsFile(path, content, own=False)
                    break


def _content(path: Path, table: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings in the table ``table`` of the TOML file at ``path``. An empty ``table``
    is the whole file.

    Paths among the settings are converted to be relative to the working folder.
    """
    content: Any = toml_file(path)
    for part in table:
        content = content.get(part, {}) if isinstance(content, dict) else {}
    if not isinstance(content, dict):
        raise ConfigurationError(f"{path}: {'.'.join(table)} should be a table of settings")
    if path.parent == Path.cwd():
        return content
    return {name: _moved(name, value, path.parent) for name, value in content.items()}


def _moved(name: str, value: Any, folder: Path) -> Any:
    """Return ``value`` of the setting ``name``. If the value is a path relative to ``folder``, it
    is converted to be relative to the working folder.
    """
    if "://" in str(value):
        return value
    if name == "further_bib_dbs" and isinstance(value, list):
        return [folder / str(one) for one in value]
    if name == "policy" and str(value).endswith(".toml"):
        return str(folder / value)
    names_file = SETTINGS.get(name) in {read.file, read.store} and isinstance(value, str)
    return folder / value if names_file else value


def unknown_variables() -> list[str]:
    """Return one message for each ``CITEPROOF_*`` variable that does not name a setting."""
    unknown = [(variable, name) for variable, name in _variable_names() if name not in SETTINGS]
    return [
        f"variable {variable} is not a setting{_suggestion(name)}" for variable, name in unknown
    ]


def _suggestion(name: str) -> str:
    close = get_close_matches(name, SETTINGS, 1, ALIKE)
    return f"; perhaps {close[0]!r} was meant" if close else ""


def default_database() -> Path:
    """Return the default path of the bibliographic database."""
    return user_data_path("citeproof") / "dblp.db"


def default_cache() -> Path:
    """Return the default path of the cache of verified references."""
    return user_cache_path("citeproof") / "verified.db"


def default_runtime_store() -> Path:
    """Return the default path of the web service's database of counters and events."""
    return user_state_path("citeproof") / "runtime.db"
