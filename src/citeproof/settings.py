"""Settings: flags, then ``CITEPROOF_*`` variables, then ``citeproof.toml`` or ``[tool.citeproof]``, then defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from platformdirs import user_cache_path, user_data_path, user_state_path
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    PyprojectTomlConfigSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from citeproof.errors import ConfigurationError


class Settings(BaseSettings):
    """What a user can set without a flag; every field is a key of the files and, in upper case, a variable."""

    model_config = SettingsConfigDict(
        env_prefix="CITEPROOF_",
        toml_file="citeproof.toml",
        pyproject_toml_table_header=("tool", "citeproof"),
        extra="forbid",
        frozen=True,
    )

    bib_db: Path | None = None
    """The bibliographic database; none: ``dblp.db`` in the user's data folder, then the sample."""
    bib_threshold: float = Field(0.9, ge=0.5, le=1.0)
    """Similarity at which a title becomes a candidate."""
    bib_max_candidates: int = Field(100_000, ge=1)
    """The most titles that one look-up compares."""
    disable_bib: bool = False
    enable_online: bool = False
    concurrent: int = Field(10, ge=1)
    """How many references are at work at a time; there is no upper bound."""
    cache: Path | None = None
    """The verification cache; none: in the user's cache folder."""

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
        raise ConfigurationError(f"setting {name}: {first['msg']} (got {first['input']!r})") from error
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
