"""Write the results of a screening of many papers into the files of its folder."""

from collections.abc import Collection
from pathlib import Path

from citeproof.model.errors import install_command
from citeproof.readers.papers import left_out_message
from citeproof.screen import signals
from citeproof.screen.pages import write_overview, write_reports
from citeproof.screen.results import Results
from citeproof.screen.store import ScreeningStore
from citeproof.screen.tables import write_parquet, write_tables
from citeproof.screen.workbook import write_workbook


def gather(
    store: ScreeningStore, folder: Path, notes: tuple[str, ...] = (), reports: Collection[str] = ()
) -> tuple[Results, tuple[str, ...]]:
    """Write all result files into ``folder``, and a report on each paper for each kind of report in
    ``reports``.

    Return the results, and ``notes`` followed by remarks on files that could not be written.
    """
    results = Results(store, signals.KINDS)
    if results.left_out:
        notes = (*notes, f"{left_out_message(results.left_out)}.")
    write_tables(results, folder)
    try:
        write_workbook(results, folder)
    except ImportError:
        notes = (*notes, "There is no workbook, since openpyxl is not installed.")
    try:
        write_parquet(results, folder)
    except ImportError:
        notes = (
            *notes,
            (
                "The tables are only written as CSV. For Parquet, run "
                f"{install_command('bulk')}, and then this command again."
            ),
        )
    write_overview(results, folder, notes, write_reports(results, folder, reports))
    return results, notes
