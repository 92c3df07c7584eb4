"""BibTeX readers: what they keep of the hard entries, and entries a second on plain ones.

    python -m benchmarks.bibtex

The hard entries are those of the tests that a reference is expected of. One counts as kept where a reader
returns an entry with its key and its title, as far as the test names them. All readers run in one process, one
after the other, on the same text; ours alone also resolves LaTeX, names and identifiers.
"""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pybtex.errors
from bibtexparser.entrypoint import parse_string
from pybtex.database.input.bibtex import Parser

from citeproof.formats import bibtex
from citeproof.inputs.document import Document
from citeproof.text.normalize import normalize_title

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = Path(__file__).parents[1] / "tests" / "data" / "formats" / "bibtex" / "cases.toml"
PLAIN_ENTRIES = 2000
ENTRY = """@inproceedings{{key{number},
  author = {{Ann Lee and Ray, Bob}},
  title = {{A {{Plain}} Title, Number {number}}},
  booktitle = {{Proceedings of X}},
  year = 2001,
  pages = {{1--{number}}}
}}
"""


Pairs = list[tuple[str, str]]


def ours(text: str) -> Pairs:
    """Read with citeproof."""
    return [(reference.key, reference.title) for reference in bibtex.read(Document.of_text(text)).references]


def with_bibtexparser(text: str) -> Pairs:
    """Read with bibtexparser 2."""
    entries = [
        (entry.key, {field.key.lower(): str(field.value) for field in entry.fields})
        for entry in parse_string(text).entries
    ]
    return [(key, fields.get("title", "")) for key, fields in entries]


def with_pybtex(text: str) -> Pairs:
    """Read with pybtex, which goes on behind an error where it can."""
    with pybtex.errors.capture():
        return [(key, entry.fields.get("title", "")) for key, entry in Parser().parse_string(text).entries.items()]


READERS = {"citeproof": ours, "bibtexparser": with_bibtexparser, "pybtex": with_pybtex}


def main() -> None:
    """Print the table."""
    logging.disable(logging.CRITICAL)
    plain = "\n".join(ENTRY.format(number=number) for number in range(PLAIN_ENTRIES))
    cases = tomllib.loads(CASES.read_text(encoding="utf-8"))["case"]
    expected = sum(len(_references(case)) for case in cases)
    print(f"{'reader':14} {'kept':>10} {'raised':>7} {'entries/s':>10}")
    for name, read in READERS.items():
        kept, raised = hard(read, cases)
        start = perf_counter()
        count = len(read(plain))
        speed = count / (perf_counter() - start)
        print(f"{name:14} {f'{kept} of {expected}':>10} {raised:7} {speed:10,.0f}")


def hard(read: Callable[[str], Pairs], cases: list[dict[str, Any]]) -> tuple[int, int]:
    """Return how many hard entries ``read`` keeps, and on how many inputs it raises."""
    kept = raised = 0
    for case in cases:
        try:
            found = [(key, normalize_title(title)) for key, title in read(case["input"])]
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
