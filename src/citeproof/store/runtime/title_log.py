"""Convert titles for the web service's log: keep them, or replace them by keyed hashes if titles
are confidential.
"""

import hmac
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from citeproof.model.errors import ConfigurationError

_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class TitleLog:
    """Converts titles and error messages for the log. If ``key`` is not empty, titles become
    hashes.
    """

    key: bytes = field(default=b"", repr=False)

    def title(self, title: str) -> str:
        """Return ``title``. With a key, return a hash of the title in lower case, such as
        ``hmac-sha256:3c1e...``.
        """
        if not self.key:
            return title
        return "hmac-sha256:" + hmac.digest(self.key, title.casefold().encode(), "sha256").hex()

    def matched_key(self, key: str) -> str:
        """Return ``key``, the key of a record. With a key for hashes, return an empty text, because
        the key of a record reveals its title.
        """
        return "" if self.key else key

    def failure(self, error: BaseException) -> str:
        """Return type and message of an error. With a key, return only the type, because the
        message may contain a title.
        """
        return type(error).__name__ if self.key else f"{type(error).__name__}: {error}"


def hashed_titles(store: Path) -> TitleLog:
    """Return a :class:`TitleLog` that hashes titles with the key in the file ``<store>.key``.

    If this file is missing, it is created with a random key.
    """
    path = store.with_name(store.name + ".key")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # The complete file is linked to its final name, so that no other process reads a part of a
        # key.
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        try:
            with suppress(FileExistsError):
                os.link(draft, path)
        finally:
            draft.unlink()
        key = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"{path}: the key for hashed titles cannot be used: {error}"
        ) from error
    if len(key) != _KEY_BYTES:
        raise ConfigurationError(
            f"{path}: holds {len(key)} bytes instead of a key of {_KEY_BYTES}; move it away"
        )
    return TitleLog(key)
