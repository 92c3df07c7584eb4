"""Write the results of a screening of many papers: tables, an Excel file, an overview page, reports
and letters.
"""

import csv
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader

from citeproof.model.errors import InputError, install_command
from citeproof.model.run import Run
from citeproof.readers.papers import left_out_message
from citeproof.report import pictures
from citeproof.report.dossier import OBJECTION
from citeproof.report.formats import html, markdown
from citeproof.report.formats.csv import safe_cell
from citeproof.report.overview import (
    MARKS,
    WORST_FIRST,
    Detail,
    View,
    basis_lines,
    is_problem,
    short_names,
)
from citeproof.screen import signals
from citeproof.screen.results import Results, run_of
from citeproof.screen.store import ScreeningStore
from citeproof.store.files import replacing
from citeproof.verification.validation.codes import REASONS

_ROWS = 20_000  # number of rows that are collected in memory for a row group of a Parquet file
_INVENTED = ("expected", "one", "three")
_STATUSES = ("valid", "suspicious", "invalid", "unverified", "error")

SCHEMAS: dict[str, dict[str, str]] = {
    "papers": {
        "paper": "int64",
        "name": "string",
        "trouble": "string",
        "seconds": "float64",
        "entries": "int64",
        **dict.fromkeys(_STATUSES, "int64"),
        "failing": "int64",
        **dict.fromkeys(_INVENTED, "float64"),
        "carried_by": "strings",
    },
    "references": {
        "reference": "int64",
        "title": "string",
        "authors": "strings",
        "year": "int64",
        "venue": "string",
        "entry_type": "string",
        "doi": "string",
        "arxiv_id": "string",
        "url": "string",
        "papers": "int64",
    },
    "verdicts": {
        "reference": "int64",
        "status": "string",
        "reason": "string",
        "confidence": "float64",
        "issues": "issues",
        "flags": "strings",
        "held": "float64",
        "match_key": "string",
        "match_source": "string",
        "match_title": "string",
        "match_authors": "strings",
        "match_year": "int64",
        "match_venue": "string",
        "match_doi": "string",
        "match_similarity": "float64",
    },
    "places": {
        "paper": "int64",
        "position": "int64",
        "reference": "int64",
        "key": "string",
        "file": "string",
        "line": "int64",
        "page": "int64",
        "trouble": "string",
    },
    "signals": {
        "kind": "string",
        "rank": "int64",
        "weight": "float64",
        "said": "string",
        "papers": "int64s",
        "references": "int64s",
    },
}
"""Map from table name to columns and types.

Types are Arrow types, or lists: ``strings``, ``int64s``, ``issues``.
"""


def write_tables(results: Results, folder: Path) -> None:
    """Write the tables of :data:`SCHEMAS` as CSV files into ``folder``.

    Raises :class:`BuildError` if that fails.
    """
    for name, columns in SCHEMAS.items():
        with (
            replacing(folder / f"{name}.csv") as building,
            building.open("w", encoding="utf-8", newline="") as file,
        ):
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(
                [safe_cell(_cell(value)) for value in row]
                for row in map(clean, _TABLES[name](results))
            )


def write_parquet(results: Results, folder: Path) -> None:
    """Write the tables of :data:`SCHEMAS` as Parquet files.

    Raises :class:`ImportError` if pyarrow is not installed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    issue = ("code", "severity", "cited", "recorded", "explanation")
    kinds = {
        "strings": pa.list_(pa.string()),
        "int64s": pa.list_(pa.int64()),
        "issues": pa.list_(pa.struct(dict.fromkeys(issue, pa.string()))),
    }
    for name, columns in SCHEMAS.items():
        schema = pa.schema(
            {column: kinds.get(kind) or getattr(pa, kind)() for column, kind in columns.items()}
        )
        rows = map(clean, _TABLES[name](results))
        with (
            replacing(folder / f"{name}.parquet") as building,
            pq.ParquetWriter(building, schema) as writer,
        ):
            while group := list(islice(rows, _ROWS)):
                writer.write_table(
                    pa.table(list(map(pa.array, zip(*group, strict=True), schema.types)), schema)
                )


def _cell(value: Any) -> Any:
    """Return ``value`` as a CSV cell.

    A list becomes text like ``a; b``. A list of dictionaries becomes JSON.
    """
    if not isinstance(value, list | tuple):
        return value
    if any(isinstance(each, dict) for each in value):
        return json.dumps(value, ensure_ascii=False)
    return "; ".join(map(str, value))


def _papers(results: Results) -> Iterator[tuple[Any, ...]]:
    for one in results.papers:
        statuses = (one.by_status[status.upper()] for status in _STATUSES)
        invented = (getattr(one.invented, name) for name in _INVENTED)
        paper = one.number, one.name, one.trouble, one.seconds, one.entries
        yield *paper, *statuses, one.failing, *invented, one.carried_by


def _references(results: Results) -> Iterator[tuple[Any, ...]]:
    select = (
        "SELECT r.id, r.fields, count(DISTINCT p.paper) FROM distinct_references r "
        "JOIN places p ON p.reference = r.id GROUP BY r.id"
    )
    for number, fields, papers in results.store.each(select):
        said = {"authors": [], "year": None} | json.loads(fields)
        yield number, *(said.get(name, "") for name in list(SCHEMAS["references"])[1:-1]), papers


def _verdicts(results: Results) -> Iterator[tuple[Any, ...]]:
    select = (
        "SELECT reference, status, reason, confidence, details FROM verdicts v "
        "WHERE EXISTS (SELECT 1 FROM places p WHERE p.reference = v.reference) ORDER BY reference"
    )
    recorded = [
        name.removeprefix("match_") for name in SCHEMAS["verdicts"] if name.startswith("match_")
    ]
    for *verdict, details in results.store.each(select):
        found = json.loads(details)
        yield (
            *verdict,
            found["issues"],
            found["flags"],
            found["held"],
            *map((found["match"] or {}).get, recorded),
        )


def _places(results: Results) -> Iterator[tuple[Any, ...]]:
    return results.store.each(
        f"SELECT {', '.join(SCHEMAS['places'])} FROM places ORDER BY paper, position"  # noqa: S608
    )


def _signals(results: Results) -> Iterator[tuple[Any, ...]]:
    for kind, found in results.signals.items():
        for rank, signal in enumerate(found, 1):
            yield kind, rank, signal.weight, signal.said, signal.papers, signal.references


_TABLES = {
    "papers": _papers,
    "references": _references,
    "verdicts": _verdicts,
    "places": _places,
    "signals": _signals,
}


def clean(value: Any) -> Any:
    """Return ``value`` with each character that UTF-8 cannot encode replaced by a question mark."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list | tuple):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {name: clean(each) for name, each in value.items()}
    return value


_MOST_ROWS = 1_048_575  # maximum number of rows of an Excel sheet, without the header
_MOST_LETTERS = 32_767  # maximum number of characters in an Excel cell


def write_workbook(results: Results, folder: Path) -> None:
    """Write ``screening.xlsx`` into ``folder``.

    Raises :class:`ImportError` if xlsxwriter is not installed.
    """
    from xlsxwriter import Workbook

    columns = {
        "papers": (
            ("Paper", 50),
            ("References", 10),
            *((each.title(), 11) for each in WORST_FIRST),
            ("Chance of an invented reference", 12),
            ("Chance of three", 12),
            ("Invented, expected", 12),
            ("Look at", 30),
            ("Not read", 40),
        ),
        "findings": (
            ("Paper", 40),
            ("Entry", 16),
            ("Line", 6),
            ("Page", 6),
            ("Status", 12),
            ("Title", 60),
            ("Finding", 60),
            ("Record", 60),
            ("Year", 6),
            ("Link", 40),
        ),
        "signals": (("Signal", 20), ("Seen", 80), ("Papers", 60), ("Works", 80)),
    }
    rows = _ranked_papers(results), _open_entries(results), _named_signals(results)
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with replacing(folder / "screening.xlsx") as building, Workbook(str(building), options) as book:
        bold = book.add_format({"bold": True})
        for (name, titles), sheet_rows in zip(columns.items(), rows, strict=True):
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 1)
            for number, (title, width) in enumerate(titles):
                sheet.set_column(number, number, width)
                sheet.write_string(0, number, title, bold)
            last = 0
            for last, row in zip(range(1, _MOST_ROWS + 1), sheet_rows, strict=False):
                for number, value in enumerate(row):
                    if isinstance(value, int | float):
                        sheet.write_number(last, number, value)
                    elif value:
                        sheet.write_string(last, number, clean(str(value))[:_MOST_LETTERS])
            sheet.autofilter(0, 0, last, len(titles) - 1)


def _ranked_papers(results: Results) -> Iterator[tuple[Any, ...]]:
    for paper in sorted(results.papers, key=lambda paper: paper.rank):
        yield (
            paper.name,
            paper.entries,
            *(paper.by_status[status] for status in WORST_FIRST),
            *(round(chance, 4) for chance in (paper.invented.one, paper.invented.three)),
            round(paper.invented.expected, 2),
            ", ".join(paper.carried_by),
            paper.trouble,
        )


def _open_entries(results: Results) -> Iterator[tuple[Any, ...]]:
    """Yield an Excel row for each bibliography entry that is not VALID, with the reason and the
    matching record.
    """
    select = (
        "SELECT n.name, e.key, e.line, e.page, e.status, e.fields, e.trouble, e.reason, e.details"
        " FROM entries e JOIN papers n ON n.id = e.paper WHERE NOT e.is_note AND e.status <>"
        " 'VALID' ORDER BY e.paper, e.position"
    )
    for paper, key, line, page, status, fields, trouble, reason, details in results.store.each(
        select
    ):
        found = json.loads(details or '{"issues": [], "match": null}')
        issues = [issue["explanation"] for issue in found["issues"] if issue["severity"] == "issue"]
        said = trouble or " ".join(issues) or (REASONS[reason].meaning if reason in REASONS else "")
        title = json.loads(fields or "{}").get("title")
        match = found["match"] or {}
        link = match.get("doi") and f"https://doi.org/{match['doi']}"
        yield (
            paper,
            key,
            line or "",
            page or "",
            status,
            title,
            said,
            match.get("title"),
            match.get("year"),
            link,
        )


def _named_signals(results: Results) -> Iterator[tuple[Any, ...]]:
    for kind, found in results.signals.items():
        for signal in found:
            papers = "; ".join(map(results.paper_name, signal.papers))
            yield (
                kind.replace("_", " "),
                signal.said,
                papers,
                "; ".join(results.titles(signal.references)),
            )


# number of papers that the overview shows at first, those with the most problems
_SHOWN_PAPERS = 100


def _write_overview(
    results: Results, folder: Path, notes: tuple[str, ...], links: Mapping[int, str]
) -> None:
    environment = Environment(
        loader=PackageLoader("citeproof.screen", "."), autoescape=True, trim_blocks=True
    )
    ranked = sorted(
        (paper for paper in results.papers if paper.entries), key=lambda paper: paper.rank
    )
    page = environment.get_template("overview.html").render(
        results=results,
        ranked=ranked,
        pays=sum(paper.invented.one >= pictures.EVEN for paper in ranked),
        kinds=results.kinds,
        most=max((kind.entries for kind in results.kinds.values()), default=1),
        of_paper={
            paper.number: [
                f"k{place}"
                for place, kind in enumerate(results.kinds.values(), 1)
                if paper.number in kind.papers
            ]
            for paper in ranked
        },
        statuses=[(status.value, MARKS[status]) for status in WORST_FIRST],
        names=short_names(paper.name for paper in results.papers),
        pictures=pictures,
        style=pictures.STYLE,
        shown=_SHOWN_PAPERS,
        links=links,
        reasons=REASONS,
        meanings={
            kind: " ".join((find.__doc__ or "").split()) for kind, find in signals.KINDS.items()
        },
        notes=notes,
    )
    _write(folder / "overview.html", page)


def _write(path: Path, text: str) -> None:
    with replacing(path) as building:
        building.write_text(text, "utf-8", "replace")


KINDS = ("html", "letters")
"""Kinds of reports on single papers that a user can choose: HTML pages, and letters to the
authors.
"""


def _write_reports(results: Results, folder: Path, kinds: Collection[str]) -> dict[int, str]:
    """Write reports of ``kinds``.

    Return a map from paper number to HTML file: ``{1: "reports/00001-a.pdf.html"}``.
    """
    links = {}
    for paper in results.papers if kinds else ():
        try:
            run = run_of(results.store, paper.name)
        except InputError:  # nothing of it could be read or checked
            continue
        name = f"{paper.number:05}-{re.sub(r'[^A-Za-z0-9._]+', '-', paper.name)[-60:].strip('-.')}"
        if "html" in kinds:
            links[paper.number] = f"reports/{name}.html"
            html.render(run, out := StringIO())
            _write(folder / links[paper.number], out.getvalue())
        if "letters" in kinds and (text := letter(paper.name, run)):
            _write(folder / "reports" / f"{name}.md", text)
    return links


def letter(paper: str, run: Run) -> str:
    """Return a letter in Markdown that tells authors which references have problems.

    Empty without problems.
    """
    found = tuple(
        verdict for verdict in run.verdicts if is_problem(verdict) and not verdict.is_accepted
    )
    if not found:
        return ""
    markdown.render(replace(run, verdicts=found), out := StringIO(), View(Detail.PROBLEMS))
    asked = (
        "One of them does not agree" if len(found) == 1 else f"{len(found):,} of them do not agree"
    )
    introduction = (
        f"We compared the {len(run.verdicts):,} references of this paper with a bibliographic"
        f" database. {asked} with what we found. Please look at each one, and correct it or tell us"
        " why it is right as it is."
    )
    answers = "\n".join(f"* {sentence}" for sentence in (OBJECTION[0], OBJECTION[2], OBJECTION[4]))
    basis = markdown.plain(next(basis_lines(run)))
    findings = f"# The references of {markdown.plain(paper)}\n\n{introduction}\n\n{out.getvalue()}"
    return f"{findings}## How to answer\n\n{answers}\n\n{basis}\n"


def gather(
    store: ScreeningStore, folder: Path, notes: tuple[str, ...] = (), reports: Collection[str] = ()
) -> tuple[Results, tuple[str, ...]]:
    """Write all result files, and reports of kinds ``reports``.

    Return the results, and ``notes`` with more remarks.
    """
    results = Results(store, signals.KINDS)
    if names := results.left_out():
        notes = (*notes, f"{left_out_message(names)}.")
    write_tables(results, folder)
    try:
        write_workbook(results, folder)
    except ImportError:
        notes = (*notes, "There is no workbook, since xlsxwriter is not installed.")
    try:
        write_parquet(results, folder)
    except ImportError:
        notes = (
            *notes,
            (
                f"The tables are CSV alone; for Parquet: {install_command('bulk')}, and run this"
                " again."
            ),
        )
    _write_overview(results, folder, notes, _write_reports(results, folder, reports))
    return results, notes
