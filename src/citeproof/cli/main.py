"""The ``citeproof`` command: imports the subcommand that is called, and turns errors into exit
codes.
"""

import gc
import importlib
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

import click
from click.exceptions import NoArgsIsHelpError

from citeproof.model.errors import CiteproofError, Exit, one_line
from citeproof.model.version import __version__

COMMANDS = {
    "verify": "Check every reference of papers and bibliographies.",
    "screen": "Check the references of thousands of papers.",
    "explain": "Explain the verdict on one entry.",
    "dossier": "Write the evidence on one screened paper to one file.",
    "replay": "Decide verdicts again from their evidence.",
    "fix": "Correct a .bib file from the records of the cited works.",
    "accept": "Accept entries that a person has checked.",
    "lookup": "Look up titles in the database.",
    "search": "Find works by some of their words; print BibTeX.",
    "db": "Get, build, describe and check a database.",
    "serve": "Run the web service.",
    "mcp": "Offer agents tools to check references (MCP).",
    "lsp": "Run a language server: findings in your editor.",
    "sources": "Show which online sources are configured.",
}
"""Map from a command to its one-line help, which ``--help`` shows without importing the command."""
MODULES = {
    "explain": "entries",
    "accept": "entries",
    "dossier": "screen",
    "search": "lookup",
    "serve": "servers",
    "mcp": "servers",
    "lsp": "servers",
}
"""Map from a command to its module in ``citeproof.cli``, if the module has another name."""
OBJECTS_A_SEARCH = 50_000
"""Number of new objects after which Python collects garbage.

With Python's default of 700, commands would start more slowly.
"""
_SYNONYMS = {
    "check": "verify",
    "validate": "verify",
    "find": "search",
    "download": "db download",
    "build": "db build",
    "update": "db update",
    "info": "db info",
    "index": "db index",
    "report": "screen report",
    "help": "--help",
    "web": "serve",
    "server": "serve",
}
"""Map from a word that is not a command to the command to suggest: ``check`` to ``verify``."""

_OPTION_SYNONYMS = {
    **dict.fromkeys(("--in-place", "--inplace", "-i", "-w", "--apply"), "--write"),
    **dict.fromkeys(("--dry-run", "-n", "--check"), "--diff"),
    **dict.fromkeys(("--db", "--database"), "--bib-db"),
    "--online": "--enable-online",
    "--out": "--output",
}
"""Map from a word that is not an option to the option to suggest, if the command has this
option.
"""


class ReaderLeftError(Exception):
    """Raised if the program that reads standard output, such as ``head``, has closed the pipe."""


class _LazyGroup(click.Group):
    """A group of commands. The module of a command is imported when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that ``args`` begin with.

        For an unknown command, the error suggests a similar command. The process that reads papers
        starts while the modules of ``verify`` are imported.
        """
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            meant = _probably_meant(args[0])
            ctx.fail(
                f"No such command {args[0]!r}"
                + (f"; probably meant: citeproof {meant}" if meant else "")
            )
        if args[0] == "verify":
            from citeproof.readers.isolation import IsolatedReader

            ctx.obj = ctx.with_resource(IsolatedReader().expecting(args[1:]))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        # click would exit with 1 for this error, which means "something is flagged"
        except BrokenPipeError as error:
            raise ReaderLeftError from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _probably_meant(word: str) -> str:
    """Return the command line to suggest for ``word``, which is not a command, or an empty text."""
    from difflib import get_close_matches
    from shlex import quote

    if Path(word).exists() or Path(word).suffix:
        return f"verify {quote(word)}"
    if " " in word:
        return f"lookup {quote(word)}"
    return _SYNONYMS.get(word.lower(), next(iter(get_close_matches(word.lower(), COMMANDS)), ""))


def load(name: str) -> click.Command:
    """Import and return the click command ``name``."""
    module = importlib.import_module(f"citeproof.cli.{MODULES.get(name, name)}")
    command: click.Command = getattr(module, name if name in MODULES else "command")
    return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="citeproof")
def main() -> None:
    """Check whether the works that a paper cites exist, and whether its references describe them
    correctly.

    Answers come from a bibliographic database in one local file. Nothing goes online unless you ask
    for it.

    Begin with: citeproof verify paper.pdf
    """
    from citeproof.settings import ignored_settings, unknown_variables
    from citeproof.text.encodings import printable

    for line in (*unknown_variables(), *ignored_settings()):
        click.echo(f"citeproof: {printable(line)}", err=True)


def run(program: click.Command = main) -> None:
    """Run ``program`` and exit with the exit code that it returns.

    Print an error as one line on standard error.
    """
    gc.set_threshold(OBJECTS_A_SEARCH)
    # numpy's OpenBLAS is not used here, but would start a thread for each processor
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _replace_closed_streams()
    _speak_utf8()
    try:
        code = program(standalone_mode=False)
        sys.stdout.flush()
    except NoArgsIsHelpError as error:
        error.show()
        code = Exit.USAGE
    except click.UsageError as error:
        message = error.format_message().rstrip(".")
        if isinstance(error, click.NoSuchOption):
            message = _of_option(error)
        hint = f"; see '{error.ctx.command_path} --help'" if error.ctx else ""
        code = _failed(f"{message}{hint}")
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
    except RecursionError:
        code = _failed("an input is nested too deeply")
    # Python would exit with 1, which means "something is flagged"
    except Exception as error:  # noqa: BLE001
        from traceback import extract_tb

        where = extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}, line {where.lineno}"
        code = _failed(
            f"a fault of citeproof, please report it: {one_line(error)} ({place})", Exit.INCOMPLETE
        )
    gc.freeze()  # without this, the interpreter searches all objects for cycles before it exits
    sys.exit(code if isinstance(code, int) else 0)


def _of_option(error: click.NoSuchOption) -> str:
    """Return the message on an unknown option, with the option that was probably meant.

    Click's own suggestion is not used, because it would be ``--no-cache`` for ``--in-place``.
    """
    from difflib import get_close_matches

    from citeproof.settings.values import ALIKE

    name, options = error.option_name, error.ctx.command.params if error.ctx else []
    known = [each for option in options for each in (*option.opts, *option.secondary_opts)]
    synonym = _OPTION_SYNONYMS.get(name)
    meant = [synonym] if synonym in known else get_close_matches(name, known, 1, ALIKE)
    return f"No such option {name!r}" + (f"; probably meant: {meant[0]}" if meant else "")


def _failed(message: str, code: Exit = Exit.USAGE) -> Exit:
    from citeproof.text.encodings import printable

    with suppress(OSError):
        click.echo("citeproof: " + "\n".join(map(printable, message.split("\n"))), err=True)
    return code


def _replace_closed_streams() -> None:
    """Open the null device for closed standard streams, so that other files do not get descriptors
    0 to 2.
    """
    # Standard input is then empty, messages are dropped, and writing to standard output fails as on
    # a full disk.
    for name, flags, mode in (
        ("stdin", os.O_RDONLY, "r"),
        ("stdout", os.O_RDONLY, "w"),
        ("stderr", os.O_WRONLY, "w"),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))


def _speak_utf8() -> None:
    """Write UTF-8 to files and pipes.

    On a terminal, write ``?`` for characters that the terminal cannot show.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                # A byte of a file name that is not UTF-8 is written as ``\udcff``, which JSON can
                # read.
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _forget_output() -> None:
    """Discard unwritten output, so that the interpreter does not try to write it at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
