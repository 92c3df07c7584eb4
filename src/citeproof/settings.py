"""Settings: flags, then ``CITEPROOF_*`` variables, then ``citeproof.toml`` or ``[tool.citeproof]``, then defaults."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_cache_path, user_data_path
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    PyprojectTomlConfigSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)


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


def default_database() -> Path:
    """Where ``citeproof`` looks for a database when none is named."""
    return user_data_path("citeproof") / "dblp.db"


def default_cache() -> Path:
    """Where verdicts are remembered when no file is named."""
    return user_cache_path("citeproof") / "verified.db"
