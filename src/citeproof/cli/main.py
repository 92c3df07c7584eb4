"""The ``citeproof`` command: finds its subcommands by name and loads the one that is called."""

from __future__ import annotations

import importlib
import sys

import click

from citeproof.errors import CiteproofError, Exit
from citeproof.version import __version__

COMMANDS = {
    "verify": "Check every reference of a bibliography.",
    "lookup": "Look titles up in the database.",
    "db": "Build, describe and check a bibliographic database.",
    "serve": "Run the web look-up service.",
    "sources": "Show the online sources and which are configured.",
}
"""Each command with its one-line help, so that ``--help`` loads none of them."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own, loaded when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of :data:`COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load ``citeproof.cli.<name>`` and return its ``command``."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"citeproof.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command list without loading a command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="citeproof")
def main() -> None:
    """Check whether the references of a paper exist and are described as they are.

    Answers come from a bibliographic database in one local file; nothing goes online unless asked.
    """


def run() -> None:
    """Run the command line and end the process with its exit code."""
    try:
        code = main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = Exit.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("citeproof: interrupted", err=True)
        code = Exit.INTERRUPTED
    except CiteproofError as error:
        click.echo(f"citeproof: {error}", err=True)
        code = error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        code = Exit.CLEAN
    sys.exit(code if isinstance(code, int) else 0)
