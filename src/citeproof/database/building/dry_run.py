"""Count how many works cited in a bibliography a dump contains, without building a database."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, starmap
from pathlib import Path

from citeproof.database.building.packing import identifiers_of
from citeproof.database.building.prepared import read
from citeproof.database.building.source import open_source
from citeproof.database.lookup import Database
from citeproof.model.reference import Reference

_FIELDS = ("doi", "arxiv_id")


@dataclass(frozen=True, slots=True)
class DryRun:
    """The result of a dry run: how many references of a bibliography have works in a database or a
    dump.
    """

    references: int
    identified: int  # number of references with a DOI or an arXiv identifier
    known: int  # number of identified references whose work is already in the database
    # number of other identified references whose work is in the dump; None without a dump
    found: int | None


def dry_run(
    references: Iterable[Reference], database: Database | None, dump: Path | None
) -> DryRun:
    """Look for the identifiers of ``references`` in ``database`` and in the file ``dump``.

    Raises :class:`BuildError` if the dump cannot be read.
    """
    every = list(references)
    cited = [
        {(field, value.lower()) for field in _FIELDS if (value := getattr(reference, field))}
        for reference in every
    ]
    identified = [each for each in cited if each]
    missing = [
        each for each in identified if not (database and any(starmap(database.records_with, each)))
    ]
    found = None
    if dump:
        wanted, held = set().union(*missing), set[tuple[str, str]]()
        with closing(open_source(dump)) as source:
            for batch in chain.from_iterable(read(source, keep_going=True)):
                for row in batch.rows:
                    held.update(wanted.intersection(zip(_FIELDS, identifiers_of(row), strict=True)))
        found = sum(not held.isdisjoint(each) for each in missing)
    return DryRun(len(every), len(identified), len(identified) - len(missing), found)
