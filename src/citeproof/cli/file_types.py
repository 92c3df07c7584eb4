"""Options that name a file, checked and converted. No settings are loaded here, so that small commands start soon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeproof.errors import InputError
from citeproof.server_address import ServerAddress, file_or_server
from citeproof.unsupported import refuse_postgres

if TYPE_CHECKING:
    import os


class File(click.Path):
    """A path, and no address of a database server."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return ``value`` as a path; raise :class:`CiteproofError` when it is an address, or empty."""
        subject = param.opts[0] if isinstance(param, click.Option) else str(param and param.metavar).rstrip(".")
        refuse_postgres(subject, value)
        if "://" in str(value):
            raise InputError(f"{subject}: {value} is an address; fetch it, and name the file")
        if not str(value):
            raise InputError(f"{subject}: is empty; name a file")
        return super().convert(value, param, ctx)


class Store(click.ParamType[Path | ServerAddress] if TYPE_CHECKING else click.ParamType):  # type: ignore[misc]
    """A path, or the address of a PostgreSQL server."""

    name = "file or address"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path | ServerAddress:
        """Return ``value`` as what it is; raise :class:`CiteproofError` when it is neither, or empty."""
        subject = param.opts[0] if param else "the store"
        place = file_or_server(subject, value)
        return place if isinstance(place, ServerAddress) else Path(str(FILE.convert(place, param, ctx)))


FILE = File()
STORE = Store()
