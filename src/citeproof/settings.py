"""Settings: flags, then ``CITEPROOF_*`` variables, then ``citeproof.toml`` or ``[tool.citeproof]``, then defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from platformdirs import user_cache_path, user_data_path, user_state_path
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    PyprojectTomlConfigSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from citeproof.errors import ConfigurationError
from citeproof.unsupported import refuse_postgres


class Settings(BaseSettings):
    """What a user can set without a flag; every field is a key of the files and, in upper case, a variable."""

    model_config = SettingsConfigDict(
        env_prefix="CITEPROOF_",
        env_ignore_empty=True,
        toml_file="citeproof.toml",
        pyproject_toml_table_header=("tool", "citeproof"),
        extra="forbid",
        frozen=True,
    )

    bib_db: Path | None = None
    """The bibliographic database; none: ``dblp.db`` in the user's data folder, then the sample."""
    bib_index_dir: Path | None = None
    """Where the title index of the database is; none: beside it."""
    bib_threshold: float = Field(0.9, ge=0.5, le=1.0)
    """Similarity at which a title becomes a candidate."""
    bib_max_candidates: int = Field(100_000, ge=1)
    """The most titles that an index may compare for one look-up; brute force compares all."""
    disable_bib: bool = False
    enable_online: bool = False
    concurrent: int = Field(10, ge=1)
    """How many references are at work at a time; there is no upper bound."""
    cache: Path | None = None
    """The verification cache; none: in the user's cache folder."""

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

    @field_validator("bib_db", "bib_index_dir", "cache", mode="before")
    @classmethod
    def _is_no_server(cls, value: object, info: ValidationInfo) -> object:
        refuse_postgres(f"setting {info.field_name}", value)
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
            TomlConfigSettingsSource(settings_cls),
            PyprojectTomlConfigSettingsSource(settings_cls),
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
            raise ConfigurationError(f"citeproof.toml or pyproject.toml: unknown setting {name!r}") from None
        got = "" if "key" in name else f" (got {first['input']!r})"
        # The error itself holds the input, which may be a key, so it is not chained.
        raise ConfigurationError(f"setting {name}: {first['msg']}{got}") from None
    except SettingsError:
        example = '{"crossref": "https://mirror.example"}'
        raise ConfigurationError(f"variable CITEPROOF_SOURCE_URLS: not a JSON object such as {example}") from None
    except ValueError as error:
        raise ConfigurationError(f"citeproof.toml or pyproject.toml cannot be read: {error}") from error


def default_database() -> Path:
    """Where ``citeproof`` looks for a database when none is named."""
    return user_data_path("citeproof") / "dblp.db"


def default_cache() -> Path:
    """Where verdicts are remembered when no file is named."""
    return user_cache_path("citeproof") / "verified.db"


def default_runtime_store() -> Path:
    """Where the web service keeps its counters and events when no file is named."""
    return user_state_path("citeproof") / "runtime.db"
