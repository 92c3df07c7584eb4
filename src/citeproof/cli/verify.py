"""``citeproof verify``: a verdict on every reference of a bibliography."""

import importlib
import json
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import cast

import click

from citeproof.cli import options, progress
from citeproof.cli.output import (
    STDOUT,
    keeping,
    once_a_day,
    opened,
    refuse_evidence_in_use,
    refuse_in_use,
    say,
    stoppable,
)
from citeproof.database.choice import SAMPLE_NOTE, choose_database
from citeproof.database.title_index.format import index_path
from citeproof.fix.acceptance import Acceptances
from citeproof.model.errors import ConfigurationError, Exit
from citeproof.model.reference import Bibliography
from citeproof.model.run import Ending, Run
from citeproof.model.verdict import Status
from citeproof.online.offline import refuse_connections
from citeproof.readers.document import Document
from citeproof.readers.formats import names
from citeproof.readers.isolation import IsolatedReader
from citeproof.readers.opening import listed, open_documents
from citeproof.report.formats import REPORTS, format_of, refuse_unknown_suffix
from citeproof.report.overview import Detail, View, exit_meaning
from citeproof.report.serialization import statistics_object
from citeproof.report.wording import extraction_line, sent_line
from citeproof.settings import Settings, default_cache, load
from citeproof.verification.policy_files import POLICIES, is_file
from citeproof.verification.startup import open_session

FAIL_ON = {
    "suspicious": (Status.SUSPICIOUS, Status.INVALID),
    "invalid": (Status.INVALID,),
    "unverified": (Status.SUSPICIOUS, Status.INVALID, Status.UNVERIFIED),
    "never": (),
}
"""Map from a value of ``--fail-on`` to the statuses of references for which the exit code is 1."""
NOT_ERROR = "not-error"
"""Word that may follow a value of ``--fail-on``, after a comma.

With it, the status ERROR does not make the exit code 3.
"""


def failing(words: str, given: object = None) -> tuple[Status, ...]:
    """Return the statuses that make the exit code nonzero. Example: INVALID and ERROR if ``words``
    is ``invalid``.

    Raises :class:`ConfigurationError` for an unknown word. The message names the option if
    ``given`` is true, or else the setting.
    """
    word, *more = (part.strip() for part in words.split(","))
    if word not in FAIL_ON or more not in ([], [NOT_ERROR]):
        known = f"{', '.join(FAIL_ON)}, or one of them and {NOT_ERROR}, such as invalid,{NOT_ERROR}"
        subject = "--fail-on" if given else "setting fail_on"
        raise ConfigurationError(f"{subject}: {words!r} is not one of {known}")
    return (*FAIL_ON[word], *([] if more else [Status.ERROR]))


@click.command()
@click.argument("inputs", nargs=-1, metavar="INPUT...")
@click.option(
    "--from",
    "input_format",
    metavar="FORMAT",
    help=f"Format of the inputs: {', '.join(names())}. Needed for standard input.",
)
@options.files_from
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="REFERENCE",
    help="Check this reference, given as text.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also list VALID references, and check entries that a LaTeX paper does not cite.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print problems only.")
@options.verbose
@options.bib_dbs
@click.option(
    "--require-database",
    is_flag=True,
    default=None,
    help="Exit with 2 if the only database is the built-in sample.",
)
@options.bib_threshold
@options.bib_max_candidates
@click.option(
    "--disable-bib", is_flag=True, default=None, help="Do not use the bibliographic database."
)
@options.connections
@options.sources
@options.max_age
@click.option(
    "--concurrent",
    type=click.IntRange(1),
    metavar="N",
    help="Maximum number of references verified at the same time.  [default: 10]",
)
@options.processes
@options.cache
@options.no_cache
@click.option(
    "--policy",
    metavar="NAME|FILE",
    help=f"Which differences count: {', '.join(POLICIES)}, or a .toml file.  [default: default]",
)
@click.option(
    "--format",
    type=click.Choice(REPORTS),
    help="Report.  [default: by the suffix of --output, else table]",
)
@click.option(
    "--statistics", is_flag=True, default=None, help="End a jsonl report with a line of statistics."
)
@click.option(
    "--evidence",
    type=options.FILE,
    metavar="FILE",
    help="Write the evidence for each verdict to FILE, for 'citeproof replay'.",
)
@options.output
@click.option(
    "--fail-on",
    metavar="WORDS",
    help=(
        f"Least serious status that gives exit code 1: {', '.join(FAIL_ON)}. With "
        f",{NOT_ERROR} appended, ERROR does not count.  [default: suspicious]"
    ),
)
@click.option(
    "--no-accepted/--accepted",
    default=None,
    help=(
        "Ignore, or use, the entries that 'citeproof accept' accepted.  [default: as "
        "--no-project-settings]"
    ),
)
def command(
    inputs: tuple[str, ...],
    texts: tuple[str, ...],
    input_format: str | None,
    everything: bool,
    quiet: bool,
    verbose: bool,
    output: Path | None,
    evidence: Path | None,
    **flags: object,
) -> Exit:
    """Check every reference of each INPUT, a paper or a bibliography; - is standard input.

    Exit codes: 0 nothing flagged, 1 something flagged, 2 bad usage or unreadable input, 3 some
    references could not be checked, 130 interrupted.
    """
    listings = cast("tuple[str, ...]", flags.pop("listings"))
    if not inputs and not texts and not listings:
        raise click.UsageError("Missing argument 'INPUT...'")
    names = [*inputs, *(name for listing in listings for name in listed(listing))]
    reading = progress.Reading()
    reader = click.get_current_context().obj or IsolatedReader()
    reader.on_read = reading

    def fetch(arxiv_id: str) -> bytes | str:
        return session.paper(arxiv_id)  # documents are opened while the session is open

    opened_ones = reader.papers(
        open_documents(names, input_format, everything=everything, fetch=fetch)
    )
    format_given = flags["format"]
    flags["format"] = format_given or format_of(output)
    settings = options.on_all_cores(load(**flags))
    _refuse_contradictions(flags, settings)
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose contradict each other; leave one of them out")
    if settings.offline:
        refuse_connections()
    detail = Detail.PROBLEMS if quiet else Detail.FULL if verbose else Detail.USUAL
    fail_on = failing(settings.fail_on, flags["fail_on"])
    view = View(detail, everything, fail_on)
    in_use = list(_in_use(names, settings))
    refuse_in_use(output, in_use)
    if not format_given:
        refuse_unknown_suffix(output)
    refuse_evidence_in_use(evidence, output, in_use)
    acceptances = Acceptances(date.today, none=settings.no_accepted)
    with (
        reader.expecting(names),
        stoppable(),
        opened(output) as out,
        open_session(settings) as open_,
        keeping(open_.amending(acceptances.applied), evidence) as session,
    ):
        documents = chain(opened_ones, _pasted(texts, session.holds))
        report = importlib.import_module(f"citeproof.report.formats.{settings.format}")
        # Failed sources change the order of verdicts. A report that is one object cannot be read
        # before its end, so it is written after the run.
        follows = hasattr(report, "begin") and not (session.online and hasattr(report, "end"))
        with progress.checking(reading) as shown:
            run = (
                session.follow(documents, report.begin(out), shown)
                if follows
                else session.check(documents, shown)
            )
        unmet = acceptances.unmet() if run.ending is Ending.COMPLETE else ()
        silenced = acceptances.silenced()
        run = replace(run, notes=(*acceptances.troubles, *unmet, *run.notes, *silenced))
        told = replace(run, notes=once_a_day(run.notes))
        if not follows:
            on_screen = settings.format == "table" and output in {None, STDOUT}
            report.render(told if on_screen else run, out, view)
        elif hasattr(report, "end"):
            report.end(run, out)
        if settings.statistics and settings.format == "jsonl":
            out.write(json.dumps({"statistics": statistics_object(run.statistics)}) + "\n")
    if output not in {None, STDOUT} and not quiet:
        from citeproof.report.terminal import Screen, print_summary

        print_summary(Screen(sys.stderr), run, view, f"The report is in {output}.")
    else:
        say(
            *_messages(
                settings.format,
                told,
                (*session.warnings, *session.troubles(), *acceptances.troubles),
                view,
                (SAMPLE_NOTE, *settings.project_notes, *silenced),
            )
        )
    return run.exit_code(view.failing)


def _pasted(
    texts: Iterable[str], holds: Callable[[str], bool]
) -> Iterator[Document | Bibliography]:
    for text in texts:
        from citeproof.readers.pasted import begin_pasted  # imported late, because it is slow

        document = Document.of_text(text, "<text>")
        yield begin_pasted(document, holds).bibliography or document


def _refuse_contradictions(flags: dict[str, object], settings: Settings) -> None:
    if flags["sources"] and not settings.enable_online:
        raise click.UsageError("--sources names online sources; it needs --enable-online")
    if flags["cache"] and flags["no_cache"]:
        raise click.UsageError(
            "--cache and --no-cache contradict each other; leave one of them out"
        )
    if settings.format not in REPORTS:
        raise ConfigurationError(
            f"setting format: {settings.format!r} is not one of {', '.join(REPORTS)}"
        )
    if flags["statistics"] and settings.format != "jsonl":
        raise click.UsageError("--statistics adds a line to --format jsonl only")


def _in_use(inputs: list[str], settings: Settings) -> Iterator[tuple[Path, str]]:
    """Yield each file that a run reads or writes, except the report, with a text such as "the cache
    of this run".
    """
    for name in inputs:
        yield Path(name), "an input"
    if not settings.disable_bib:
        database, _ = choose_database(settings)
        yield database, "the bibliographic database of this run"
        yield index_path(database, settings.bib_index_dir), "the title index of this run"
        for further in settings.further_bib_dbs:
            yield further, "a bibliographic database of this run"
            yield index_path(further, None), "a title index of this run"
    if is_file(settings.policy):
        yield Path(settings.policy), "the policy of this run"
    cache = settings.cache or default_cache()
    if isinstance(cache, Path) and not settings.no_cache:
        yield cache, "the cache of this run"


def _messages(
    report: str, run: Run, troubles: tuple[str, ...], view: View, always: Container[str]
) -> Iterator[str]:
    """Yield the lines for standard error.

    They contain everything that a report of the format ``report`` does not show, and ``troubles``,
    such as a cache that cannot be written. Notes that are in ``always`` are also yielded with
    ``--quiet``.
    """
    # these formats show the notes
    if report == "table" or (report == "github" and view.detail is not Detail.PROBLEMS):
        yield from troubles
        if view.detail is Detail.PROBLEMS:
            yield from (note for note in run.notes if note in always)
        if view.detail is Detail.PROBLEMS and run.ending is not Ending.COMPLETE:
            yield from exit_meaning(run, view)
        return
    yield from run.notes
    if report in {"jsonl", "csv"}:
        for extraction in run.extractions:
            yield (
                f"{extraction.file}:"
                f" {extraction_line(extraction)}{extraction.fault and f'; {extraction.fault}'}"
            )
        yield str(run.statistics)
        yield from (f"sent {sent_line(requests)}" for requests in run.sent)
