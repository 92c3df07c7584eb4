"""Settings: flags, then ``CITEPROOF_*`` variables, then ``citeproof.toml`` or ``[tool.citeproof]``, then defaults.

Each of the two files is the nearest one, from the working folder up to the root of the repository that it is in.
"""

from __future__ import annotations

import os
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path, user_data_path, user_state_path
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from citeproof.errors import ConfigurationError
from citeproof.server_address import ServerAddress, file_or_server
from citeproof.unsupported import refuse_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "CITEPROOF_"
FILES = ("bib_db", "bib_index_dir", "cache", "runtime_store")
"""Settings that name a file or folder; in a settings file, relative to the folder of that file."""
STORES = ("cache", "runtime_store")
"""Those of them for which the address of a PostgreSQL server will do."""
MOST_CANDIDATES = 2**31 - 1
"""More than any database has titles, and few enough for SQLite to count."""


class Settings(BaseSettings):
    """What a user can set without a flag; every field is a key of the files and, in upper case, a variable."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
    )

    bib_db: Path | None = None
    """The bibliographic database; none: ``dblp.db`` in the user's data folder, then the sample."""
    further_bib_dbs: tuple[Path, ...] = ()
    """Databases that are asked too, after ``bib_db``: a lab's own beside DBLP."""
    bib_index_dir: Path | None = None
    """Where the title index of the database is; none: beside it."""
    bib_threshold: float = Field(0.9, ge=0.5, le=1.0)
    """Similarity at which a title becomes a candidate."""
    bib_max_candidates: int = Field(100_000, ge=1)
    """The most titles that an index may compare for one look-up; brute force compares all."""
    require_database: bool = False
    """End with exit 2 where only the built-in sample would answer."""
    disable_bib: bool = False
    enable_online: bool = False
    concurrent: int = Field(10, ge=1)
    """How many references are at work at a time; there is no upper bound."""
    processes: int | None = Field(None, ge=1)
    """Processes that check offline; none: as many as there are cores on the command line, one from Python."""
    cache: Path | ServerAddress | None = None
    """The verification cache, a file or a PostgreSQL server; none: in the user's cache folder."""
    no_cache: bool = False
    """Neither ask nor write the cache."""
    format: str = "table"
    """The report of ``citeproof verify``."""
    statistics: bool = False
    """End a ``jsonl`` report with a line of statistics."""
    policy: str = "default"
    """What differences weigh: the name of a policy, or a file that ends in ``.toml``."""
    fail_on: str = "suspicious"
    """The status from which on ``citeproof verify`` exits with 1, and whether what could not be checked makes it 3."""
    no_accepted: bool = False
    """Leave out what ``citeproof accept`` keeps beside the bibliographies."""

    offline: bool = False
    """Open no connection, whatever else is set."""
    sources: str = ""
    """Names of the online sources to ask, parted by commas; empty: all that need no key, and those with one."""
    max_age: float = Field(30.0, ge=0.0, le=36_500.0)
    """Days for which an online source's answer is believed; "not found" is believed for one day at most."""
    contact: str = ""
    """An e-mail address for the sources' operators; Crossref answers faster to those who give one."""
    source_urls: dict[str, str] = {}
    """Other addresses for sources, by name: a mirror, or a server of one's own."""
    openalex_key: SecretStr | None = None
    semantic_scholar_key: SecretStr | None = None
    searxng_url: str = ""
    """A SearXNG of one's own, with its JSON format switched on."""
    brave_key: SecretStr | None = None
    serpapi_key: SecretStr | None = None
    scrapingdog_key: SecretStr | None = None
    llm_url: str = ""
    """Address of an OpenAI-compatible service, such as ``http://localhost:11434/v1``."""
    llm_model: str = ""
    llm_key: SecretStr | None = None
    llm_budget: int = Field(50, ge=0)
    """The most references that one run may have read again by a language model."""

    host: str = "127.0.0.1"
    """The address that ``citeproof serve`` listens at."""
    port: int = Field(8092, ge=0, le=65535)
    """Its port; 0 takes any."""
    workers: int = Field(1, ge=1)
    """Its server processes."""
    runtime_store: Path | ServerAddress | None = None
    """Where its counters and events are kept, a file or a PostgreSQL server; none: in the user's state folder."""
    no_title_log: bool = False
    """Record a keyed hash instead of each title."""
    retain_days: float | None = Field(None, ge=0.0)
    """Delete events older than this; counters stay. None: keep them."""
    retain_hours: float = Field(24.0, ge=0.0)
    """Delete the results of a verification job so long after its end."""
    token: SecretStr | None = None
    """Ask searches for this bearer token."""
    rate_limit: int = Field(0, ge=0)
    """Searches a minute and client; 0: no limit."""

    @field_validator("bib_max_candidates")
    @classmethod
    def _countable(cls, value: int) -> int:
        return min(value, MOST_CANDIDATES)

    @field_validator(*FILES, mode="before")
    @classmethod
    def _is_no_server(cls, value: object, info: ValidationInfo) -> object:
        subject = f"setting {info.field_name}"
        if info.field_name in STORES:
            return None if value is None else file_or_server(subject, value)
        refuse_postgres(subject, value)
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources: flags, variables, ``citeproof.toml``, ``pyproject.toml``."""
        return (
            init_settings,
            env_settings,
            *(InitSettingsSource(settings_cls, content) for _, content in settings_files()),
        )


def load(**flags: Any) -> Settings:
    """Return the settings with ``flags`` on top; a flag that is None was not given.

    Raises :class:`ConfigurationError`, which names the setting and what is wrong with it.
    """
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(map(str, first["loc"])) or "settings"
        if first["type"] == "extra_forbidden":
            where = next((f"{path}: " for path, content in settings_files() if name in content), "")
            raise ConfigurationError(f"{where}unknown setting {name!r}{_perhaps(name)}") from None
        got = "" if "key" in name else f" (got {first['input']!r})"
        # The error itself holds the input, which may be a key, so it is not chained.
        raise ConfigurationError(f"setting {name}: {first['msg']}{got}") from None
    except SettingsError:
        example = '{"crossref": "https://mirror.example"}'
        raise ConfigurationError(f"variable CITEPROOF_SOURCE_URLS: not a JSON object such as {example}") from None


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
    if path.parent == Path.cwd():
        return dict(content)
    named: dict[str, Any] = {name: path.parent / content[name] for name in FILES if isinstance(content.get(name), str)}
    if str(content.get("policy", "")).endswith(".toml"):
        named["policy"] = str(path.parent / content["policy"])
    if isinstance(further := content.get("further_bib_dbs"), list):
        named["further_bib_dbs"] = [path.parent / str(own) for own in further]
    return {**content, **{name: value for name, value in named.items() if "://" not in str(content[name])}}


def unknown_variables() -> list[str]:
    """Return what to say of ``CITEPROOF_*`` variables that are no setting, one line each."""
    names = [name for name in os.environ if name.upper().startswith(PREFIX)]
    unknown = [name for name in names if name.upper().removeprefix(PREFIX).lower() not in Settings.model_fields]
    return [f"variable {name} is no setting{_perhaps(name.upper().removeprefix(PREFIX).lower())}" for name in unknown]


def _perhaps(name: str) -> str:
    """Return what to say of a setting that was perhaps meant by ``name``."""
    close = get_close_matches(name, Settings.model_fields, 1)
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
