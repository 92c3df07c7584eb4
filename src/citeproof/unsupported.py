"""What people may expect and this version does not do. One line says so, and what to use instead."""

from __future__ import annotations

from citeproof.errors import CiteproofError

_POSTGRES = ("postgresql:/", "postgres:/", "postgresql+")


class UnsupportedError(CiteproofError):
    """Something was asked for that this version does not do."""


def refuse_postgres(subject: str, place: object) -> None:
    """Raise :class:`UnsupportedError` when ``place``, where a file is meant, is the address of a PostgreSQL server.

    The message names ``subject``, an option or a setting, and not the address, which often holds a password.
    """
    if str(place).startswith(_POSTGRES):
        raise UnsupportedError(
            f"{subject}: is a file and cannot be on a PostgreSQL server; only --cache and --runtime-store can"
        )
