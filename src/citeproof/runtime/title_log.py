"""What is remembered of a title: the title itself, or a keyed hash where titles are confidential."""

from __future__ import annotations

import hmac
import os
import secrets
from typing import TYPE_CHECKING, Protocol

from citeproof.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES = 32


class TitleLog(Protocol):
    """How titles, and texts that may quote one, are written down."""

    def title(self, title: str) -> str:
        """Return what stands for ``title``."""

    def matched_key(self, key: str) -> str:
        """Return what stands for the key of the record that was found."""

    def failure(self, error: BaseException) -> str:
        """Return what is kept of an error that a title led to."""


class PlainTitles:
    """Titles are kept as they are."""

    def title(self, title: str) -> str:
        """Return ``title``."""
        return title

    def matched_key(self, key: str) -> str:
        """Return ``key``."""
        return key

    def failure(self, error: BaseException) -> str:
        """Return the error's name and message."""
        return f"{type(error).__name__}: {error}"


class HashedTitles:
    """Titles are kept as HMAC-SHA-256 under a key that is not in the store, and nothing else that tells them."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def title(self, title: str) -> str:
        """Return the hash of ``title``, case aside, so that repeated searches can still be counted."""
        return "hmac-sha256:" + hmac.digest(self._key, title.casefold().encode(), "sha256").hex()

    def matched_key(self, key: str) -> str:
        """Return nothing: the key of a found work tells its title."""
        return ""

    def failure(self, error: BaseException) -> str:
        """Return the error's name alone: its message may quote the title."""
        return type(error).__name__


def hashed_titles(store: Path) -> HashedTitles:
    """Return the hashing for the store at ``store``, with the key of the file beside it, made at first use.

    Deleting that file makes all hashes so far impossible to test against a guess.
    Raises :class:`ConfigurationError` when the key cannot be read or made.
    """
    path = store.with_name(store.name + ".key")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Linked into place whole, so that no other process ever reads half a key.
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        key = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path}: the key for hashed titles cannot be used: {error}") from error
    if len(key) != KEY_BYTES:
        raise ConfigurationError(f"{path}: holds {len(key)} bytes instead of a key of {KEY_BYTES}; move it away")
    return HashedTitles(key)
