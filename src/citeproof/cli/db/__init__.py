"""``citeproof db``: get, build, describe and check a bibliographic database. One command a file."""

from __future__ import annotations

import click

from citeproof.cli.db import build, check, download, index, info, list_, remove, update


@click.group()
def command() -> None:
    """Get, build, describe and check a bibliographic database."""


for _module, _name in (
    (list_, "list"), (download, "download"), (build, "build"), (update, "update"), (remove, "remove"),
    (index, "index"), (info, "info"), (check, "check"),
):  # fmt: skip
    command.add_command(_module.command, _name)
