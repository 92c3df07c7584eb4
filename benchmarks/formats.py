"""Entries per second in each input format, compared with other readers; and the hard entries that
BibTeX readers return.

    python -m benchmarks.formats [FORMAT...] [--entries N] [--rounds N] [--papers PDF...]

The works are generated, and the same in every format. The readers of a format read the same bytes
alternately in one process; the table has the median processor time and the median ratio. citeproof
also resolves LaTeX, names and identifiers, and records the place of each field. pypdf returns only
the text of a PDF; the row "lines alone" measures the same step of citeproof. For a reader that is
not installed, or that does not find all entries, only its name is printed. The generated PDF has
only a list of references. ``--papers`` compares the time for whole papers, of which pypdf returns
the text.

The pasted text of a megabyte has references in eight styles without numbers, so that each string
is parsed to find where the next begins. It takes turns with a control that sorts and counts words.

The hard BibTeX entries come from the tests. An entry counts as kept if a reader returns it with the
key and title that the test expects.
"""

from __future__ import annotations

import argparse
import gc
import logging
import tomllib
from importlib import import_module
from io import BytesIO
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from benchmarks.bibliographies import FORMATS, document, pasted, works
from benchmarks.verify import count_words, made_texts
from citeproof.cli.main import OBJECTS_A_SEARCH
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.strings import best_reading, body_of, is_reference_string
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CASES = Path(__file__).parents[1] / "tests" / "data" / "formats" / "bibtex" / "cases.toml"
Pairs = list[tuple[str, str]]
"""Key and title of each entry."""


def ours(made: Document, name: str) -> Pairs:
    """Read with citeproof."""
    return [(reference.key, reference.title) for reference in formats.read(made, name).references]


def with_bibtexparser(made: Document) -> Pairs:
    """Read BibTeX with bibtexparser 2."""
    entries = import_module("bibtexparser.entrypoint").parse_string(made.text).entries
    fields = [
        (entry.key, {field.key.lower(): str(field.value) for field in entry.fields})
        for entry in entries
    ]
    return [(key, values.get("title", "")) for key, values in fields]


def with_pybtex(made: Document) -> Pairs:
    """Read BibTeX with pybtex, which continues after an error if it can."""
    parser = import_module("pybtex.database.input.bibtex").Parser()
    with import_module("pybtex.errors").capture():
        entries = parser.parse_string(made.text).entries
        return [(key, entry.fields.get("title", "")) for key, entry in entries.items()]


def with_rispy(made: Document) -> Pairs:
    """Read RIS with rispy."""
    return [
        (entry.get("id", ""), entry.get("title", ""))
        for entry in import_module("rispy").loads(made.text)
    ]


def with_pypdf(made: Document) -> Pairs:
    """Read the text of a PDF with pypdf; a line that begins with ``[`` counts as an entry."""
    pages = import_module("pypdf").PdfReader(BytesIO(made.data)).pages
    return _labelled(line for page in pages for line in page.extract_text().splitlines())


def lines_alone(made: Document) -> Pairs:
    """Read the text of a PDF as citeproof does before it looks for the list."""
    pages = import_module("citeproof.readers.formats.pdf.page").read_pages(made.data)
    return _labelled(line.text for page in pages for line in page.lines)


def _labelled(lines: Iterable[str]) -> Pairs:
    return [
        (line[1 : line.index("]")], "") for line in lines if line.startswith("[") and "]" in line
    ]


OTHERS: dict[str, dict[str, Callable[[Document], Pairs]]] = {
    "bibtex": {"bibtexparser": with_bibtexparser, "pybtex": with_pybtex},
    "ris": {"rispy": with_rispy},
    "pdf": {"pypdf": with_pypdf, "citeproof, lines alone": lines_alone},
}
"""Other readers of each format."""


def main() -> None:
    """Print the tables."""
    gc.set_threshold(OBJECTS_A_SEARCH)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help="default: all")
    parser.add_argument("--entries", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--papers", nargs="+", type=Path, default=[], metavar="PDF")
    arguments = parser.parse_args()
    if unknown := set(arguments.formats) - set(formats.names()):
        parser.error(f"no such format: {', '.join(sorted(unknown))}")
    logging.disable(logging.CRITICAL)
    names = arguments.formats or formats.names()
    print("| format | KB | entries/s | KB/s | beside | its entries/s | speed of citeproof to its |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        compare(name, arguments.entries, arguments.rounds)
    if arguments.papers:
        papers(
            [Document.of(path.name, path.read_bytes()) for path in arguments.papers],
            arguments.rounds,
        )
    if "text" in names:
        print()
        megabyte(arguments.rounds)
    if "bibtex" in names:
        print()
        hard()


def compare(name: str, count: int, rounds: int) -> None:
    """Print one row for each other reader of the format ``name``, or one of ours alone."""
    if name not in FORMATS:
        print(f"| {name} | | | | no bibliography is made in it | | |")
        return
    made = document(name, works(count))
    readers: dict[str, Callable[[Document], Pairs]] = {"citeproof": lambda made: ours(made, name)}
    remarks = []
    for other, read in OTHERS.get(name, {}).items():
        try:
            found = len(read(made))
        except ImportError:
            remarks.append(f"{other} is not installed")
            continue
        if found == count:
            readers[other] = read
        else:
            remarks.append(f"{other} finds {found} of {count} entries")
    if (found := len(ours(made, name))) != count:
        remarks.append(f"citeproof finds {found} of {count} entries")
    times = turns(readers, [made], rounds)
    own = median(times["citeproof"])
    size = len(made.data) / 1000
    row = f"| {name} | {size:,.0f} | {count / own:,.0f} | {size / own:,.0f} |"
    for reader in [other for other in readers if other != "citeproof"]:
        ratio = median(
            theirs / mine for mine, theirs in zip(times["citeproof"], times[reader], strict=True)
        )
        print(f"{row} {reader} | {count / median(times[reader]):,.0f} | {ratio:.2f} |")
        row = "| | | | |"
    if len(readers) == 1 or remarks:
        print(f"{row} {'; '.join(remarks) or 'nobody'} | | |")


def papers(documents: list[Document], rounds: int) -> None:
    """Print one row for the PDF files of whole papers."""
    times = turns(
        {"citeproof": lambda made: ours(made, "pdf"), "pypdf": with_pypdf}, documents, rounds
    )
    count = sum(len(ours(made, "pdf")) for made in documents)
    size = sum(len(made.data) for made in documents) / 1000
    own, theirs = median(times["citeproof"]), median(times["pypdf"])
    row = f"| {len(documents)} papers | {size:,.0f} | {count / own:,.0f} | {size / own:,.0f} |"
    print(f"{row} pypdf | {count / theirs:,.0f} | {theirs / own:.2f} |")


def megabyte(rounds: int) -> None:
    """Print the time in which a pasted text of a megabyte is read, beside that of the control."""
    made, texts = Document.of_text(pasted(1_000_000)), made_texts()
    times = turns(
        {"citeproof": lambda made: ours(made, "text"), "control": lambda _: _counted(texts)},
        [made],
        rounds,
    )
    beside = [
        own / control for own, control in zip(times["citeproof"], times["control"], strict=True)
    ]
    print("| pasted text | references | median s | best s | beside the control |")
    print("|---|---|---|---|---|")
    own = times["citeproof"]
    print(
        f"| {len(made.text):,} characters | {len(ours(made, 'text')):,} | {median(own):.2f}"
        f" | {min(own):.2f} | {median(beside):.2f} |"
    )


def _counted(texts: list[str]) -> Pairs:
    for _ in range(40):
        count_words(texts)
    return []


def turns(
    readers: dict[str, Callable[[Document], Pairs]], documents: list[Document], rounds: int
) -> dict[str, list[float]]:
    """Return the processor time that each reader takes for ``documents`` in each of ``rounds``."""
    times: dict[str, list[float]] = {reader: [] for reader in readers}
    for turn in range(rounds):
        for reader in sorted(readers, reverse=bool(turn % 2)):
            # a string that was parsed in an earlier round would not be parsed again
            for function in (best_reading, body_of, is_reference_string):
                function.cache_clear()
            start = process_time()
            for made in documents:
                readers[reader](made)
            times[reader].append(process_time() - start)
    return times


def hard() -> None:
    """Print how many hard BibTeX entries each reader keeps, and on how many inputs it raises."""
    cases = tomllib.loads(CASES.read_text(encoding="utf-8"))["case"]
    expected = sum(len(_references(case)) for case in cases)
    print(
        f"| reader of BibTeX | kept of {expected} hard entries | raises on inputs |\n|---|---|---|"
    )
    readers: dict[str, Callable[[Document], Pairs]] = {
        "citeproof": lambda made: ours(made, "bibtex")
    }
    for name, read in (readers | OTHERS["bibtex"]).items():
        try:
            kept, raised = kept_of(read, cases)
        except ImportError:
            print(f"| {name} is not installed | | |")
        else:
            print(f"| {name} | {kept} | {raised} |")


def kept_of(read: Callable[[Document], Pairs], cases: list[dict[str, Any]]) -> tuple[int, int]:
    """Return how many hard entries ``read`` keeps, and on how many inputs it raises."""
    kept = raised = 0
    for case in cases:
        try:
            found = [
                (key, normalize_title(title))
                for key, title in read(Document.of_text(case["input"]))
            ]
        except ImportError:
            raise
        except Exception:  # noqa: BLE001 - what a reader raises is what is counted
            raised += 1
            continue
        kept += sum(any(_agrees(pair, entry) for pair in found) for entry in _references(case))
    return kept, raised


def _references(case: dict[str, Any]) -> list[dict[str, Any]]:
    named = (entry for entry in case["expected"] if "code" not in entry)
    return [entry for entry in named if entry.get("key") or entry.get("title")]


def _agrees(pair: tuple[str, str], entry: dict[str, Any]) -> bool:
    key, title = pair
    return entry.get("key", key) == key and normalize_title(entry.get("title", title)) == title


if __name__ == "__main__":
    main()
