"""Settings from options, ``CITEPROOF_*`` variables, settings files and defaults, in this order of
precedence.

The settings files of a project are the nearest ``citeproof.toml`` and the nearest
``pyproject.toml`` with a table ``[tool.citeproof]``, from the working folder up to the root of the
repository. The user's own settings file, with lower precedence, is ``citeproof.toml`` in the user's
configuration folder.

A project may belong to another person, so its files can only set what is checked and how it is
reported. Settings that open connections, name hosts, contain keys, or name files that are written
are *own* settings. In the files of a project they are ignored. :attr:`Settings.deciding` names the
settings of a project that decide verdicts, for the reports. With ``no_project_settings``, the files
of a project are not read.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_cache_path, user_config_path, user_data_path, user_state_path

from citeproof.model.chance import BASE_RATE
from citeproof.model.errors import ConfigurationError
from citeproof.settings import values as read
from citeproof.settings.values import ALIKE, Read, Secret, refuse_postgres, setting, toml_file
from citeproof.store.sql import ServerAddress, file_or_server

PREFIX = "CITEPROOF_"
MAX_CANDIDATES = 2**31 - 1
"""Maximum value of ``bib_max_candidates``. No database has so many titles."""


def _candidates(given: object) -> int:
    """Return a whole number from 1 to :data:`MAX_CANDIDATES`.

    Larger numbers are reduced to this maximum.
    """
    return int(min(read.whole(1)(given), MAX_CANDIDATES))


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """The settings of a run.

    To set ``port``, use ``port`` in a settings file or the variable ``CITEPROOF_PORT``.
    """

    bib_db: Path | None = setting(read.file)
    """The bibliographic database.

    None: ``dblp.db`` in the user's data folder or, if missing, the built-in sample.
    """
    further_bib_dbs: tuple[Path, ...] = setting(read.files, ())
    """Databases that are queried after ``bib_db``."""
    bib_index_dir: Path | None = setting(read.file, own=True)
    """Folder of the title index of the database. None: the folder of the database."""
    bib_threshold: float = setting(read.real(0.5, 1), 0.9)
    """Minimum similarity, from 0.5 to 1, of the cited title and the title of a record."""
    bib_max_candidates: int = setting(_candidates, 100_000)
    """Maximum number of titles that a look-up compares if there is a title index.

    Otherwise, it compares all titles.
    """
    sample: str = setting(read.one_of("works", "landmarks"), "works")
    """The built-in database to use if there is no other: ``works`` that papers often cite, or a few
    ``landmarks``.
    """
    require_database: bool = setting(read.truth, False)
    """Whether to exit with code 2 if there is no database except the built-in sample."""
    disable_bib: bool = setting(read.truth, False)
    enable_online: bool = setting(read.truth, False, own=True)
    concurrent: int = setting(read.whole(1), 10)
    """Maximum number of references that are verified at the same time."""
    processes: int | None = setting(read.whole(1))
    """Number of processes of an offline run.

    None: one per CPU core on the command line, one in Python.
    """
    cache: Path | ServerAddress | None = setting(read.store, own=True)
    """Cache of verified references: a file or PostgreSQL server.

    None: ``verified.db`` in the user's cache folder.
    """
    no_cache: bool = setting(read.truth, False)
    """Whether to neither read nor write the cache."""
    format: str = setting(read.text, "table")
    """Format of the report of ``citeproof verify``, such as ``table``."""
    statistics: bool = setting(read.truth, False)
    """Whether to end a ``jsonl`` report with a line of statistics."""
    policy: str = setting(read.text, "default")
    """Name or ``.toml`` file of a policy, which says how much each difference counts."""
    base_rate: float = setting(read.real(0.0001, 0.2), BASE_RATE)
    """Assumed share of invented references.

    The probability that a reference is invented is computed from it.
    """
    fail_on: str = setting(read.text, "suspicious")
    """Value of ``--fail-on``, such as ``invalid``: statuses for which ``citeproof verify`` does not
    exit with 0.
    """
    no_accepted: bool = setting(read.truth, False)
    """Whether to ignore ``citeproof.accepted.toml``, the list of entries that a person has
    accepted. :func:`load` sets it with :attr:`no_project_settings`, unless it is given.
    """
    offline: bool = setting(read.truth, False, own=True)
    """Whether to open no network connection, whatever the other settings are."""
    sources: str = setting(read.text, "", own=True)
    """Names of the online sources to query, separated by commas.

    Empty: all that need no key or have a key.
    """
    max_age: float = setting(read.real(0, 36_500), 30.0, own=True)
    """Maximum age, in days, of a cached response of a source.

    A cached "not found" is used for at most one day.
    """
    contact: str = setting(read.text, "", own=True)
    """E-mail address sent to the online sources.

    Crossref has a higher rate limit for requests with an address.
    """
    source_urls: dict[str, str] = setting(read.addresses, {}, own=True)
    """Map from the name of an online source to the URL of a mirror or local server to use
    instead.
    """
    key_hosts: str = setting(read.text, "", own=True)
    """Hosts in ``source_urls``, separated by commas, to which the API keys of the replaced services
    may be sent.
    """
    openalex_key: Secret | None = setting(read.secret, own=True)
    semantic_scholar_key: Secret | None = setting(read.secret, own=True)
    searxng_url: str = setting(read.text, "", own=True)
    """URL of a SearXNG server on which the output format JSON is enabled."""
    brave_key: Secret | None = setting(read.secret, own=True)
    serpapi_key: Secret | None = setting(read.secret, own=True)
    scrapingdog_key: Secret | None = setting(read.secret, own=True)
    llm_url: str = setting(read.text, "", own=True)
    """URL of an OpenAI-compatible API, such as ``http://localhost:11434/v1``."""
    llm_model: str = setting(read.text, "", own=True)
    llm_key: Secret | None = setting(read.secret, own=True)
    llm_budget: int = setting(read.whole(0), 50, own=True)
    """Maximum number of references per run that are sent to a language model for parsing."""
    host: str = setting(read.text, "127.0.0.1", own=True)
    """IP address or host name at which ``citeproof serve`` listens."""
    port: int = setting(read.whole(0, 65535), 8092, own=True)
    """Port that ``citeproof serve`` listens on; 0: any free port."""
    workers: int = setting(read.whole(1), 1, own=True)
    """Number of server processes of ``citeproof serve``."""
    runtime_store: Path | ServerAddress | None = setting(read.store, own=True)
    """Database of counters and events of the web service.

    None: ``runtime.db`` in the user's state folder.
    """
    no_title_log: bool = setting(read.truth, False, own=True)
    """Whether the web service logs a keyed hash of a title instead of the title."""
    retain_days: float | None = setting(read.real(0), own=True)
    """Days after which logged events are deleted. None: never. Counters are kept."""
    retain_hours: float = setting(read.real(0), 24.0, own=True)
    """Hours after which the results of a finished job are deleted."""
    token: Secret | None = setting(read.secret, own=True)
    """Bearer token that requests must have; None: no token is needed."""
    allowed_hosts: str = setting(read.text, "", own=True)
    """Host names, separated by commas, at which ``citeproof serve`` may be called in addition to
    ``localhost``.
    """
    rate_limit: int = setting(read.whole(0), 0, own=True)
    """Maximum number of searches per client and minute; 0: no limit."""
    no_project_settings: bool = setting(read.truth, False, own=True)
    """Whether to ignore the settings files of projects."""
    from_project: Mapping[str, Path] = field(default_factory=dict, repr=False)
    """Map from each setting that the file of a project set to this file. Not itself a setting."""

    @property
    def deciding(self) -> dict[str, str]:
        """The part of :attr:`from_project` that decides what is found or flagged, with paths as
        text.
        """
        return {name: str(path) for name, path in self.from_project.items() if name not in HARMLESS}

    @property
    def project_notes(self) -> tuple[str, ...]:
        """A sentence that names the settings in :attr:`deciding`, for reports.

        Empty if there are none.
        """
        return project_notes(self.deciding)

    @property
    def searches_database_of_project(self) -> bool:
        """Whether the file of a project named a bibliographic database of this run."""
        return not self.from_project.keys().isdisjoint({"bib_db", "further_bib_dbs"})


PROJECT_NOTE = "This project's own settings decide: {}. --no-project-settings ignores them."
"""Template of the sentence on the settings of a project."""
HARMLESS = frozenset({"concurrent", "processes", "no_cache", "format", "statistics", "base_rate"})
"""Names of settings of a project with which no reference can pass that would not pass without."""
_READABLE = [one for one in fields(Settings) if "read" in one.metadata]
SETTINGS: Mapping[str, Read] = {one.name: one.metadata["read"] for one in _READABLE}
"""Map from the name of a setting to the function that converts and checks values of the setting."""
OWN = frozenset(one.name for one in _READABLE if one.metadata["own"])
"""Names of the settings that only the user's own settings file can set, and not the file of a
project.
"""


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
        """Sorted names of settings in the file that are ignored, because a project must not set
        them.
        """
        return (
            []
            if self.own
            else sorted(name for name, value in self.content.items() if _is_own(name, value))
        )


def project_notes(deciding: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence on settings of a project, which ``deciding`` maps to a settings file.

    Empty if there are none.
    """
    names: dict[str, list[str]] = {}
    for name, path in deciding.items():
        names.setdefault(path, []).append(name)
    said = "; ".join(f"{path} sets {', '.join(own)}" for path, own in names.items())
    return (PROJECT_NOTE.format(said),) if said else ()


def load(**options: Any) -> Settings:
    """Return settings from options, environment variables, settings files and defaults.

    An option of None is ignored.

    Raises :class:`ConfigurationError`, whose message names the setting, if a setting is unknown or
    invalid.
    """
    return _load(_settings_files(options), options)


def load_own() -> Settings:
    """Return the settings, but ignore the settings files of projects.

    The user's own settings file is read.
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
    # a file of accepted entries comes with the project, as its settings do
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
    r"""Return whether a project's file must not set ``name`` to this ``value``, for example to
    ``\\host\share``.
    """
    paths = value if isinstance(value, list) else [value]
    may_name_files = name in {"bib_db", "further_bib_dbs", "policy"}
    return name in OWN or (
        may_name_files and any(str(path).startswith(("\\\\", "//")) for path in paths)
    )


def ignored_settings() -> list[str]:
    """Return a message on each project's file with ignored settings, or no messages if a file
    cannot be read.
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
    """Return pairs of environment variable and setting: ``CITEPROOF_BIB_DB`` and ``bib_db``."""
    return [
        (name, name[len(PREFIX) :].lower())
        for name in os.environ
        if name.upper().startswith(PREFIX)
    ]


def own_file() -> Path:
    """Return the path of the user's own settings file."""
    return user_config_path("citeproof") / "citeproof.toml"


def _own_files() -> list[SettingsFile]:
    """Return the user's own settings file, or no file if there is none."""
    own = own_file()
    return [SettingsFile(own, _content(own, ()), own=True)] if own.is_file() else []


def _settings_files(options: dict[str, Any]) -> list[SettingsFile]:
    """Return the settings files, highest precedence first.

    Raises :class:`ConfigurationError` if reading fails. ``options`` may exclude the files of
    projects.
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
    """Return the settings in a table of a TOML file.

    Paths are converted to be relative to the working folder.
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
    """Return the value of a setting, with paths in ``folder`` relative to the working folder."""
    if "://" in str(value):
        return value
    if name == "further_bib_dbs" and isinstance(value, list):
        return [folder / str(one) for one in value]
    if name == "policy" and str(value).endswith(".toml"):
        return str(folder / value)
    names_file = SETTINGS.get(name) in {read.file, read.store} and isinstance(value, str)
    return folder / value if names_file else value


def unknown_variables() -> list[str]:
    """Return a message on each ``CITEPROOF_*`` variable that is not a setting."""
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
