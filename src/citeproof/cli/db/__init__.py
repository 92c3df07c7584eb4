"""``citeproof db``: get, build, describe and check a bibliographic database."""

from __future__ import annotations

import click

from citeproof.cli.db import build, describe, download


@click.group()
def command() -> None:
    """Get, build, describe and check a bibliographic database."""


for _command in (
    download.list_, download.fetch, build.new, build.update, build.remove, build.index, describe.info, describe.check,
):  # fmt: skip
    command.add_command(_command)
