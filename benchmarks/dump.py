"""A dump of any size in DBLP's form, made from a real one; the same seed makes the same dump.

    python -m benchmarks.dump dblp-sample.xml.gz dump.xml.gz --records 8000000

The real records come first. Each further record is a real one with another key and a made title:
the beginning of one real title and the end of others, as many words as the first has, so that words
are as frequent and titles as long as in the real dump.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261120
RECORD = re.compile(rb"<(article|inproceedings|incollection|book|phdthesis)\b.*?</\1>", re.DOTALL)
TITLE = re.compile(rb"<title>([^<]*)</title>")
KEY = re.compile(rb'key="([^"]*)"')


def main() -> None:
    """Write the dump."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path, help="a real dump, gzipped")
    parser.add_argument("target", type=Path)
    parser.add_argument("--records", type=int, required=True)
    arguments = parser.parse_args()
    make(arguments.source, arguments.target, arguments.records)


def make(source: Path, target: Path, records: int) -> None:
    """Write a dump of ``records`` publications to ``target``, the first of them those of
    ``source``.
    """
    with gzip.open(source) as file:
        content = file.read()
    real = [match[0] for match in RECORD.finditer(content)]
    prolog = content[: content.index(b"<dblp") + len(b"<dblp>")]
    with gzip.open(target, "wb", compresslevel=1) as out:
        out.write(prolog + b"\n")
        out.writelines(record + b"\n" for record in real[:records])
        out.writelines(made(real, records - len(real)))
        out.write(b"</dblp>\n")


def count(source: Path) -> int:
    """Return how many records :func:`make` takes from ``source``."""
    with gzip.open(source) as file:
        return sum(1 for _ in RECORD.finditer(file.read()))


def made(real: list[bytes], count: int) -> Iterator[bytes]:
    """Yield ``count`` made records."""
    choice = random.Random(SEED)
    patterns = [record for record in real if TITLE.search(record)]
    titles = [
        match[1].split()
        for record in patterns
        if (match := TITLE.search(record)) and match[1].strip()
    ]
    for number in range(count):
        key = b'key="made/%d"' % number
        title = b"<title>%s</title>" % b" ".join(made_title(choice, titles))
        record = KEY.sub(lambda _, key=key: key, choice.choice(patterns), count=1)  # type: ignore[misc]
        yield TITLE.sub(lambda _, title=title: title, record, count=1) + b"\n"  # type: ignore[misc]


def made_title(choice: random.Random, titles: list[list[bytes]]) -> list[bytes]:
    """Return the words of a title that begins as one of ``titles`` and ends as others."""
    first = choice.choice(titles)
    kept = choice.randint(1, max(1, len(first) - 1))
    missing = len(first) - kept
    end: list[bytes] = []
    while len(end) < missing:
        end += choice.choice(titles)
    return first[:kept] + end[len(end) - missing :]


if __name__ == "__main__":
    main()
