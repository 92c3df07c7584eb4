"""``citeproof screen`` and ``dossier``: check the references of thousands of papers, and write the
evidence on one of them.
"""

import importlib
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import click

from citeproof.cli import options, progress
from citeproof.cli.output import opened as opened_output
from citeproof.cli.output import say, stoppable
from citeproof.model.errors import Exit, InputError, MissingExtraError
from citeproof.model.quantity import quantity
from citeproof.model.run import counted
from citeproof.processes import ProcessPool, Workers
from citeproof.readers.isolation import Limits
from citeproof.readers.opening import listed
from citeproof.report.dossier import FORMATS, rendered
from citeproof.report.formats import REPORTS, format_of, refuse_unknown_suffix
from citeproof.report.overview import Detail, View
from citeproof.report.wording import sent_line
from citeproof.screen.checking import basis_of, described
from citeproof.screen.gathering import gather
from citeproof.screen.pages import KINDS
from citeproof.screen.results import Results, dossier_of, run_of
from citeproof.screen.run import Asker, Estimate, Screening
from citeproof.screen.signals import LABELS
from citeproof.screen.store import FILE, UNASKED, ScreeningStore, opened
from citeproof.settings import Settings, load
from citeproof.verification.session import Session
from citeproof.verification.startup import open_session
from citeproof.verification.validation.policy import MEASURED

CACHE = "cache.db"
"""Name of the cache of answers from online sources, a file in the folder of results."""


class ScreenGroup(click.Group):
    """Click group of the command ``citeproof screen``. Its default subcommand is ``run``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert ``run`` before ``args`` that do not begin with a subcommand, and parse them."""
        is_named = not args or args[0] in {*self.commands, "-h", "--help"}
        return super().parse_args(ctx, args if is_named else ["run", *args])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options of the default subcommand before the subcommands."""
        records = (one.get_help_record(ctx) for one in self.commands["run"].get_params(ctx))
        with formatter.section("Options"):
            formatter.write_dl([record for record in records if record])
        self.format_commands(ctx, formatter)


@click.group(cls=ScreenGroup)
def command() -> None:
    """Check the references of thousands of papers: citeproof screen INPUT... -o RESULTS.

    The same command continues a run that was stopped, even by kill -9.
    """


@command.command(short_help="Check papers: the default command.")
@click.argument("inputs", nargs=-1, metavar="INPUT...")
@options.files_from
@click.option(
    "--output",
    "-o",
    "folder",
    required=True,
    type=options.FILE,
    metavar="RESULTS",
    help="Folder of results.",
)
@options.bib_db
@options.bib_threshold
@options.processes
@click.option(
    "--paper-seconds",
    type=click.FloatRange(1, 86_400),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Maximum time for reading a paper.",
)
@click.option(
    "--paper-memory",
    type=click.IntRange(256, 1 << 20),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Maximum memory for reading a paper.",
)
@click.option(
    "--enable-online",
    is_flag=True,
    default=None,
    help="Also query online sources about references that are not VALID.",
)
@options.sources
@options.max_age
@click.option(
    "--reports",
    metavar="KINDS",
    default="",
    help=f"Also write these files for each paper, separated by commas: {', '.join(KINDS)}.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Use the Dask cluster of this scheduler.")
def run(
    inputs: tuple[str, ...],
    listings: tuple[str, ...],
    folder: Path,
    paper_seconds: float,
    paper_memory: int,
    reports: str,
    scheduler: str | None,
    **flags: object,
) -> Exit:
    """Check each INPUT: a paper, a folder or archive of papers, or JSON lines of references.

    Exit codes: 0 everything was read and checked, 2 bad usage, 3 some papers or references could
    not be read or checked, 130 interrupted.
    """
    if not inputs and not listings:
        raise click.UsageError("Missing argument 'INPUT...'")
    names = tuple(name for listing in listings for name in listed(listing))
    if flags["sources"] and not flags["enable_online"]:
        raise click.UsageError("--sources names online sources; it needs --enable-online")
    written = [kind.strip() for kind in reports.split(",") if kind.strip()]
    if unknown := [kind for kind in written if kind not in KINDS]:
        raise click.UsageError(f"--reports knows no {unknown[0]!r}, only {', '.join(KINDS)}")
    chosen = options.on_all_cores(load(**flags, policy=MEASURED))
    settings = replace(chosen, enable_online=False, no_cache=True)
    if scheduler:
        inputs, names = (
            tuple(str(Path(name).absolute()) for name in each) for each in (inputs, names)
        )
    with stoppable(), open_session(settings) as session, opened(folder) as store:
        notes = [*session.notes]
        with (
            _asker(chosen, folder, notes) as asker,
            _workers(scheduler, settings, session, inputs or names[:1], notes) as workers,
            progress.stages() as shown,
        ):
            screening = Screening(
                store, session, workers, Limits(paper_seconds, paper_memory), *shown
            )
            screening.read(inputs, names)
            if not store.execute("SELECT 1 FROM papers LIMIT 1"):
                given = ", ".join((*inputs, *listings))
                raise InputError(f"{given}: has no paper; docs/screening.md says what is read")
            if store.kept("basis") not in {"", screening.basis}:
                before = (
                    "The papers of this screening were checked against another database or by"
                    " another version"
                )
                notes.append(f"{before}: all are checked again.")
            screening.check()
            if asker:
                if (estimate := asker.expect(store.references(UNASKED, asker.asked))).references:
                    say(_expected(estimate))
                    screening.ask(asker)
                notes += (f"Sent {sent_line(requests)}." for requests in asker.chain.sent())
        store.keep("basis", screening.basis)
        store.keep("base_rate", str(settings.base_rate))
        store.keep("database", str(session.database.path if session.database else ""))
        store.keep("said", json.dumps({"database": described(session), "notes": notes}))
        results, said_notes = gather(store, folder, tuple(notes), written)
    click.echo("\n".join(_lines(results, said_notes, folder)))
    return Exit.INCOMPLETE if results.unread or results.by_status["ERROR"] else Exit.CLEAN


@command.command(short_help="Show the verdicts on one paper of a screening.")
@click.argument("folder", type=options.FILE, metavar="RESULTS")
@click.argument("paper", metavar="PAPER")
@click.option(
    "--format",
    "form",
    type=click.Choice(REPORTS),
    help="Report.  [default: by the suffix of --output, else table]",
)
@options.output
@click.option("--all", "everything", is_flag=True, help="List VALID references too.")
@options.verbose
def report(
    folder: Path,
    paper: str,
    form: str | None,
    output: Path | None,
    *,
    everything: bool,
    verbose: bool,
) -> None:
    """Show the verdicts on one PAPER of a screening; PAPER may be the end of the paper's name.

    The verdicts are decided from the evidence of the screening, without the database.
    """
    if not form:
        refuse_unknown_suffix(output)
        form = format_of(output) or "table"
    with _kept(folder) as store:
        done = run_of(store, paper)
    view = View(Detail.FULL if verbose else Detail.USUAL, everything, exits=False)
    with opened_output(output) as out:
        importlib.import_module(f"citeproof.report.formats.{form}").render(done, out, view)


@command.command(short_help="Write the evidence on one paper to one file.")
@click.argument("folder", type=options.FILE, metavar="RESULTS")
@click.argument("paper", metavar="PAPER")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Format.  [default: by the suffix of --output, else html]",
)
@options.output
def dossier(folder: Path, paper: str, form: str | None, output: Path | None) -> None:
    """Write the evidence on one PAPER of a screening to one self-contained file.

    RESULTS is the folder that 'citeproof screen' wrote. PAPER may be the end of the paper's name.
    'citeproof replay FILE' makes the file again from its evidence, and shows whether the two files
    are equal byte for byte.
    """
    form = form or (format_of(output) if output and output.suffix else "html")
    if form not in FORMATS:
        raise InputError(
            f"{output}: a dossier is .html or .json; use one of these, or name --format"
        )
    with _kept(folder) as store:
        text = rendered(dossier_of(store, paper), form)
    with opened_output(output) as out:
        out.write(text)


def _kept(folder: Path) -> AbstractContextManager[ScreeningStore]:
    """Context manager with the database of results in ``folder``.

    Raises InputError if the folder has no results.
    """
    if not (folder / FILE).exists():
        raise InputError(
            f"{folder}: has no results of a screening; name the folder that 'citeproof screen -o'"
            " wrote"
        )
    return opened(folder)


@contextmanager
def _asker(settings: Settings, folder: Path, notes: list[str]) -> Iterator[Asker | None]:
    """Context manager with an :class:`Asker`, which queries online sources; None if no source is
    enabled.
    """
    if not settings.enable_online:
        yield None
        return
    with open_session(replace(settings, cache=folder / CACHE, no_cache=False)) as session:
        notes += (note for note in session.notes if note not in notes)
        yield Asker(session, session.online) if session.online else None


def _expected(estimate: Estimate) -> str:
    """Return a message that says how many queries will be sent to online sources, and how long this
    takes.
    """
    asked = (
        f"{estimate.references:,} reference{'s are' if estimate.references > 1 else ' is'} looked"
        " up online"
    )
    if not estimate.questions:
        return f"{asked}; all answers are in the cache."
    least, most = progress.duration(estimate.least), progress.duration(estimate.most)
    time = least if least == most else f"{least} to {most}"
    asked += f", with at most {estimate.questions:,} requests: {time} at the rates of the sources"
    return f"{asked}. You can stop the command at any time; the same command continues."


@contextmanager
def _workers(
    scheduler: str | None,
    settings: Settings,
    session: Session,
    inputs: tuple[str, ...],
    notes: list[str],
) -> Iterator[Workers]:
    """Context manager with worker processes of this machine or, if ``scheduler`` is the address of
    a Dask cluster, of the cluster. Adds messages to ``notes``.
    """
    if not scheduler:
        with ProcessPool(settings.processes or 1) as pool:
            yield pool
        return
    try:
        from citeproof.screen.cluster import Cluster
    except ImportError as error:
        raise MissingExtraError("--scheduler", "bulk", error.name) from None
    with closing(Cluster(scheduler)) as cluster, cluster:
        cluster.require_fit(session.settings_json, basis_of(session), inputs)
        notes += cluster.notes
        yield cluster


def _lines(results: Results, notes: tuple[str, ...], folder: Path) -> Iterator[str]:
    total = sum(results.by_status.values())
    yield (
        f"{quantity(len(results.papers), 'paper')}, {quantity(total, 'reference')},"
        f" {results.distinct:,} of them distinct"
    )
    yield counted(results.by_status) or "nothing"
    if results.unread:
        yield f"{quantity(len(results.unread), 'paper')} could not be read; see the overview"
    yield from (f"{LABELS[kind]}: {len(found):,}" for kind, found in results.signals.items())
    yield from (f"Note: {note}" for note in notes)
    yield f"{folder / 'overview.html'} shows them"
