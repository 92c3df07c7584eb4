"""``citeproof dossier``: everything behind the findings on one paper of a screening, as one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from citeproof.cli import options
from citeproof.cli.output import opened as opened_output
from citeproof.model.errors import Exit, InputError
from citeproof.report.dossier import FORMATS, rendered
from citeproof.screen.results import dossier_of
from citeproof.screen.store import FILE, opened

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("folder", type=options.FILE, metavar="RESULTS")
@click.argument("paper", metavar="PAPER")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="Form.  [default: by the suffix of --output, else html]"
)
@options.output
def command(folder: Path, paper: str, form: str | None, output: Path | None) -> Exit:
    """Write everything behind the findings on one PAPER of a screening as one file that loads nothing.

    RESULTS is the folder of 'citeproof screen'; the end of the paper's name will do. 'citeproof replay FILE' makes the
    file again from the evidence in it, and says whether it is the same, byte for byte.
    """
    form = form or ("json" if output and output.suffix == ".json" else "html")
    if not (folder / FILE).exists():
        raise InputError(f"{folder}: holds no results of a screening")
    with opened(folder) as store:
        text = rendered(dossier_of(store, paper), form)
    with opened_output(output) as out:
        out.write(text)
    return Exit.CLEAN
