"""Settings: flags, then ``CITEPROOF_*`` variables, then ``citeproof.toml`` or ``[tool.citeproof]``, then defaults.

Each of the two files is the nearest one, from the working folder up to the root of the repository that it is in.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path, user_data_path, user_state_path

from citeproof.errors import ConfigurationError
from citeproof.server_address import ServerAddress, file_or_server
from citeproof.setting_values import Secret, addresses, file, files, real, secret, setting, store, text, truth, whole
from citeproof.unsupported import refuse_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citeproof.setting_values import Read

PREFIX = "CITEPROOF_"
FILES = ("bib_db", "bib_index_dir", "cache", "runtime_store")
"""Settings that name a file or folder; in a settings file, relative to the folder of that file."""
STORES = ("cache", "runtime_store")
"""Those of them for which the address of a PostgreSQL server will do."""
MOST_CANDIDATES = 2**31 - 1
"""More than any database has titles, and few enough for SQLite to count."""
_UNSHOWN = (secret, addresses)
"""What these read may hold a password, and stands in no message."""


def _countable(given: object) -> int:
    return int(min(whole(1)(given), MOST_CANDIDATES))


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a user can set without a flag; every field is a key of the files and, in upper case, a variable."""

    bib_db: Path | None = setting(file)
    """The bibliographic database; none: ``dblp.db`` in the user's data folder, then the sample."""
    further_bib_dbs: tuple[Path, ...] = setting(files, ())
    """Databases that are asked too, after ``bib_db``: a lab's own beside DBLP."""
    bib_index_dir: Path | None = setting(file)
    """Where the title index of the database is; none: beside it."""
    bib_threshold: float = setting(real(0.5, 1), 0.9)
    """Similarity at which a title becomes a candidate."""
    bib_max_candidates: int = setting(_countable, 100_000)
    """The most titles that an index may compare for one look-up; brute force compares all."""
    require_database: bool = setting(truth, False)
    """End with exit 2 where only the built-in sample would answer."""
    disable_bib: bool = setting(truth, False)
    enable_online: bool = setting(truth, False)
    concurrent: int = setting(whole(1), 10)
    """How many references are at work at a time; there is no upper bound."""
    processes: int | None = setting(whole(1))
    """Processes that check offline; none: as many as there are cores on the command line, one from Python."""
    cache: Path | ServerAddress | None = setting(store)
    """The verification cache, a file or a PostgreSQL server; none: in the user's cache folder."""
    no_cache: bool = setting(truth, False)
    """Neither ask nor write the cache."""
    format: str = setting(text, "table")
    """The report of ``citeproof verify``."""
    statistics: bool = setting(truth, False)
    """End a ``jsonl`` report with a line of statistics."""
    policy: str = setting(text, "default")
    """What differences weigh: the name of a policy, or a file that ends in ``.toml``."""
    fail_on: str = setting(text, "suspicious")
    """The status from which on ``citeproof verify`` exits with 1, and whether what could not be checked makes it 3."""
    no_accepted: bool = setting(truth, False)
    """Leave out what ``citeproof accept`` keeps beside the bibliographies."""

    offline: bool = setting(truth, False)
    """Open no connection, whatever else is set."""
    sources: str = setting(text, "")
    """Names of the online sources to ask, parted by commas; empty: all that need no key, and those with one."""
    max_age: float = setting(real(0, 36_500), 30.0)
    """Days for which an online source's answer is believed; "not found" is believed for one day at most."""
    contact: str = setting(text, "")
    """An e-mail address for the sources' operators; Crossref answers faster to those who give one."""
    source_urls: dict[str, str] = setting(addresses, {})
    """Other addresses for sources, by name: a mirror, or a server of one's own."""
    openalex_key: Secret | None = setting(secret)
    semantic_scholar_key: Secret | None = setting(secret)
    searxng_url: str = setting(text, "")
    """A SearXNG of one's own, with its JSON format switched on."""
    brave_key: Secret | None = setting(secret)
    serpapi_key: Secret | None = setting(secret)
    scrapingdog_key: Secret | None = setting(secret)
    llm_url: str = setting(text, "")
    """Address of an OpenAI-compatible service, such as ``http://localhost:11434/v1``."""
    llm_model: str = setting(text, "")
    llm_key: Secret | None = setting(secret)
    llm_budget: int = setting(whole(0), 50)
    """The most references that one run may have read again by a language model."""

    host: str = setting(text, "127.0.0.1")
    """The address that ``citeproof serve`` listens at."""
    port: int = setting(whole(0, 65535), 8092)
    """Its port; 0 takes any."""
    workers: int = setting(whole(1), 1)
    """Its server processes."""
    runtime_store: Path | ServerAddress | None = setting(store)
    """Where its counters and events are kept, a file or a PostgreSQL server; none: in the user's state folder."""
    no_title_log: bool = setting(truth, False)
    """Record a keyed hash instead of each title."""
    retain_days: float | None = setting(real(0))
    """Delete events older than this; counters stay. None: keep them."""
    retain_hours: float = setting(real(0), 24.0)
    """Delete the results of a verification job so long after its end."""
    token: Secret | None = setting(secret)
    """Ask searches for this bearer token."""
    rate_limit: int = setting(whole(0), 0)
    """Searches a minute and client; 0: no limit."""


SETTINGS: Mapping[str, Read] = {one.name: one.metadata["read"] for one in fields(Settings)}
"""The name of each setting, with what reads its values."""


def load(**flags: Any) -> Settings:
    """Return the settings with ``flags`` on top; a flag that is None was not given.

    Raises :class:`ConfigurationError`, which names the setting and what is wrong with it.
    """
    found = list(settings_files())
    given: dict[str, Any] = {}
    for _, content in reversed(found):
        given |= content
    given |= variables() | {name: value for name, value in flags.items() if value is not None}
    for name in given:
        if name not in SETTINGS:
            where = next((f"{path}: " for path, content in found if name in content), "")
            raise ConfigurationError(f"{where}unknown setting {name!r}{_perhaps(name)}")
    return Settings(**{name: _value(name, value) for name, value in given.items()})


def _value(name: str, given: object) -> Any:
    """Return the value of the setting ``name`` of what was given for it."""
    subject = f"setting {name}"
    if name in FILES and name not in STORES:
        refuse_postgres(subject, given)
    try:
        value = SETTINGS[name](given)
    except ValueError as error:
        got = "" if SETTINGS[name] in _UNSHOWN else f" (got {given!r})"
        raise ConfigurationError(f"{subject}: {error}{got}") from None
    return file_or_server(subject, given) if name in STORES else value


def variables() -> dict[str, str]:
    """Return the settings that ``CITEPROOF_*`` variables name, as text; an empty variable names none."""
    named = {name.upper().removeprefix(PREFIX).lower(): value for name, value in _environment().items() if value}
    return {name: value for name, value in named.items() if name in SETTINGS}


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.upper().startswith(PREFIX)}


def settings_files() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the settings files that apply, those that win first, each with its settings.

    Raises :class:`ConfigurationError` for a file that cannot be read.
    """
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    folders = [folder for folder in (here, *here.parents) if folder.is_relative_to(root)]
    for name, table in (("citeproof.toml", ()), ("pyproject.toml", ("tool", "citeproof"))):
        for folder in folders:
            if (folder / name).is_file():
                content = _content(folder / name, table)
                if content or not table:
                    yield folder / name, content
                    break


def _content(path: Path, table: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings in ``path``, with files named from the working folder."""
    try:
        content: Any = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:  # broken TOML and text that is not UTF-8 are ValueErrors
        raise ConfigurationError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    for part in table:
        content = content.get(part, {}) if isinstance(content, dict) else {}
    if not isinstance(content, dict):
        raise ConfigurationError(f"{path}: {'.'.join(table)} should be a table of settings")
    if path.parent == Path.cwd():
        return content
    named: dict[str, Any] = {name: path.parent / content[name] for name in FILES if isinstance(content.get(name), str)}
    if str(content.get("policy", "")).endswith(".toml"):
        named["policy"] = str(path.parent / content["policy"])
    if isinstance(further := content.get("further_bib_dbs"), list):
        named["further_bib_dbs"] = [path.parent / str(own) for own in further]
    return {**content, **{name: value for name, value in named.items() if "://" not in str(content[name])}}


def unknown_variables() -> list[str]:
    """Return what to say of ``CITEPROOF_*`` variables that are no setting, one line each."""
    unknown = [name for name in _environment() if name.upper().removeprefix(PREFIX).lower() not in SETTINGS]
    return [f"variable {name} is no setting{_perhaps(name.upper().removeprefix(PREFIX).lower())}" for name in unknown]


def _perhaps(name: str) -> str:
    """Return what to say of a setting that was perhaps meant by ``name``."""
    close = get_close_matches(name, SETTINGS, 1)
    return f"; perhaps {close[0]!r} was meant" if close else ""


def default_database() -> Path:
    """Where ``citeproof`` looks for a database when none is named."""
    return user_data_path("citeproof") / "dblp.db"


def default_cache() -> Path:
    """Where verdicts are remembered when no file is named."""
    return user_cache_path("citeproof") / "verified.db"


def default_runtime_store() -> Path:
    """Where the web service keeps its counters and events when no file is named."""
    return user_state_path("citeproof") / "runtime.db"
