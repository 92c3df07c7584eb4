"""The address of a PostgreSQL server where a file may be named too; as text it shows no password."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from citeproof.errors import ConfigurationError

SCHEMES = ("postgresql://", "postgres://")
_LIKE_ONE = ("postgresql:", "postgres:", "postgresql+")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """``postgresql://user:password@host:port/database?options``, as libpq takes it."""

    url: str = field(repr=False)
    """With the password; never for a message or a log."""

    def __str__(self) -> str:
        """Return the address without password and options."""
        parts = urlsplit(self.url)
        user, at, host = parts.netloc.rpartition("@")
        return f"postgresql://{user.partition(':')[0]}{at}{host}{parts.path}"


def file_or_server(subject: str, place: object) -> Path | ServerAddress:
    """Return ``place`` as the address of a server, or else as a path; ``subject`` is the option or setting.

    Raises :class:`ConfigurationError` for an address that would be misread. Example: of ``postgres://u:p@ss@host/db``
    a library may take ``ss`` for the host, and name it in a message. No message here has any part of the address.
    """
    if isinstance(place, ServerAddress):
        return place
    text = str(place)
    if not text.startswith(_LIKE_ONE):
        return Path(text)
    if not text.startswith(SCHEMES):
        raise ConfigurationError(f"{subject}: write the address as postgresql://user:password@host:port/database")
    before_options = text.partition("?")[0]
    if before_options.count("@") > urlsplit(text).netloc.count("@") or before_options.count("@") > 1 or "#" in text:
        raise ConfigurationError(
            f"{subject}: the address cannot be understood; write @ / : ? # of a password as %40 %2F %3A %3F %23"
        )
    return ServerAddress(text)
