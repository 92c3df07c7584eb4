"""The ``citeproof`` command: finds its subcommands by name and loads the one that is called."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

import click
from click.exceptions import NoArgsIsHelpError

from citeproof.errors import CiteproofError, Exit
from citeproof.version import __version__

COMMANDS = {
    "verify": "Check every reference of a bibliography.",
    "screen": "Check the references of thousands of papers.",
    "explain": "Say everything behind the verdict on one entry.",
    "replay": "Decide kept verdicts again, and say what differs.",
    "fix": "Correct what identified works contradict in a .bib file.",
    "accept": "Let entries pass that a person has checked.",
    "lookup": "Look titles up in the database.",
    "db": "Build, describe and check a bibliographic database.",
    "serve": "Run the web look-up service.",
    "mcp": "Give agents tools to check references with.",
    "sources": "Show the online sources and which are configured.",
}
"""Each command with its one-line help, so that ``--help`` loads none of them."""
MODULES = {"mcp": "agent_server"}
"""The modules that are not called like their command."""
OBJECTS_A_SEARCH = 50_000
"""So many more objects there are before Python searches them for rings that nobody refers to; its own number is 700.

Nearly all of the 300,000 that a start makes stay to its end: to go through them again and again took a tenth of it.
"""


class ReaderLeftError(Exception):
    """Whoever read standard output has closed it, such as ``head``."""


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own, loaded when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of :data:`COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load ``citeproof.cli.<name>`` and return its ``command``."""
        if cmd_name not in COMMANDS:
            return None
        return load(cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; hide a reader that has left from click, which would exit with 1: "something is flagged"."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderLeftError from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command list without loading a command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def load(name: str) -> click.Command:
    """Return the command called ``name``, which is in ``citeproof.cli``."""
    command: click.Command = importlib.import_module(f"citeproof.cli.{MODULES.get(name, name)}").command
    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="citeproof")
def main() -> None:
    """Check whether the references of a paper exist and are described as they are.

    Answers come from a bibliographic database in one local file; nothing goes online unless asked.
    """
    if any(name.upper().startswith("CITEPROOF") for name in os.environ):  # settings take 0.2 s to import
        from citeproof.settings import unknown_variables

        for line in unknown_variables():
            click.echo(f"citeproof: {line}", err=True)


def run() -> None:
    """Run the command line and end the process with its exit code; a failure is one line on standard error."""
    gc.set_threshold(OBJECTS_A_SEARCH)
    _replace_closed_streams()
    _speak_utf8()
    try:
        code = main(standalone_mode=False)
        sys.stdout.flush()
    except NoArgsIsHelpError as error:
        error.show()
        code = Exit.USAGE
    except click.UsageError as error:
        hint = f"; see '{error.ctx.command_path} --help'" if error.ctx else ""
        code = _failed(f"{error.format_message().rstrip('.')}{hint}")
    except click.ClickException as error:
        code = _failed(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        code = _failed("interrupted", Exit.INTERRUPTED)
    except CiteproofError as error:
        code = _failed(str(error), error.exit_code)
    except (BrokenPipeError, ReaderLeftError):
        _forget_output()
        code = Exit.READER_LEFT
    except OSError as error:
        _forget_output()
        code = _failed(f"{error.filename or 'standard output'}: {error.strerror or error}")
    sys.exit(code if isinstance(code, int) else 0)


def _failed(message: str, code: Exit = Exit.USAGE) -> Exit:
    with suppress(OSError):
        click.echo(f"citeproof: {message}", err=True)
    return code


def _replace_closed_streams() -> None:
    """Put something in the place of standard streams that the caller closed, which Python leaves as None.

    Standard input is empty, messages go nowhere, and a report that was to go to standard output fails as it does on
    a full disk. The numbers 0 to 2 are taken, so that no file that is opened later is mistaken for a stream.
    """
    for name, flags, mode in (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))


def _speak_utf8() -> None:
    """Write UTF-8 to files and pipes whatever the locale, and to a terminal what it can show.

    A byte of a file name that is no UTF-8 is written as ``\\udcff``, which is a character of JSON too.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _forget_output() -> None:
    """Drop what standard output could not take, so that the interpreter does not try again when it ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
