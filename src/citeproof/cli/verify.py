"""``citeproof verify``: a verdict on every reference of a bibliography."""

from __future__ import annotations

import importlib
from pathlib import Path

import click

from citeproof.cli import options
from citeproof.cli.output import opened
from citeproof.cli.progress import progress_bar
from citeproof.errors import Exit, InputError
from citeproof.inputs import open_documents
from citeproof.models import Status
from citeproof.session import open_session
from citeproof.settings import load
from citeproof.wording import sent_line

REPORTS = ("table", "json", "jsonl", "csv")
"""Each is a module of :mod:`citeproof.reports` with a function ``render``."""

FAIL_ON = {
    "suspicious": (Status.SUSPICIOUS, Status.INVALID),
    "invalid": (Status.INVALID,),
    "unverified": (Status.SUSPICIOUS, Status.INVALID, Status.UNVERIFIED),
    "never": (),
}
"""Which statuses make the exit code 1."""


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("--from", "input_format", metavar="FORMAT", help="Format of the inputs; needed for standard input.")
@options.bib_db
@options.bib_threshold
@options.bib_max_candidates
@click.option("--disable-bib", is_flag=True, default=None, help="Do not ask the bibliographic database.")
@click.option("--enable-online", is_flag=True, default=None, help="Ask online sources too.")
@click.option("--offline", is_flag=True, default=None, help="Open no connection, whatever else is set.")
@click.option(
    "--sources", metavar="NAMES", help="Which of 'citeproof sources' to ask, parted by commas; with --enable-online."
)
@click.option(
    "--max-age", type=click.FloatRange(0, 36_500), metavar="DAYS", help="Believe a source for so long.  [default: 30]"
)
@click.option("--concurrent", type=click.IntRange(1), metavar="N", help="References at work at once.  [default: 10]")
@click.option("--cache", type=options.FILE, metavar="FILE", help="Verification cache.")
@click.option("--format", "report", type=click.Choice(REPORTS), default="table", show_default=True, help="Report.")
@options.output
@click.option(
    "--fail-on",
    type=click.Choice(list(FAIL_ON)),
    default="suspicious",
    show_default=True,
    help="Exit with 1 on this status or a worse one.",
)
def command(
    inputs: tuple[str, ...],
    input_format: str | None,
    report: str,
    output: Path | None,
    fail_on: str,
    **flags: object,
) -> Exit:
    """Check every reference of each INPUT; - is standard input.

    Exit codes: 0 nothing flagged, 1 something flagged, 2 bad usage or unreadable input,
    3 some references could not be checked, 130 interrupted.
    """
    settings = load(**flags)
    if flags["sources"] and not settings.enable_online:
        raise click.UsageError("--sources names online sources; it needs --enable-online")
    _keep_inputs(inputs, output)
    with opened(output) as out, open_session(settings) as session:
        with progress_bar() as progress:
            run = session.check(open_documents(inputs, input_format), progress)
        importlib.import_module(f"citeproof.reports.{report}").render(run, out)
    for note in (*session.warnings, *session.troubles()) if report == "table" else run.notes:
        click.echo(f"citeproof: {note}", err=True)
    for requests in run.sent if report not in {"table", "json"} else ():
        click.echo(f"citeproof: sent {sent_line(requests)}", err=True)
    return run.exit_code(FAIL_ON[fail_on])


def _keep_inputs(inputs: tuple[str, ...], output: Path | None) -> None:
    """Raise when the report would replace one of the bibliographies that it is about."""
    for name in inputs:
        if output and output.exists() and Path(name).exists() and output.samefile(name):
            raise InputError(f"{output}: is an input; --output takes another file")
