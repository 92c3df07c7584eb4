"""True and damaged works, printed as references in twelve styles, read again and checked.

    python -m tests.accuracy.end_to_end DATABASE [WORKS] [--pages]

For each style, it prints how many of the true references are flagged (SUSPICIOUS or INVALID), how
many are VALID, and how many of the damaged references are flagged, each compared with the same
works in BibTeX. Titles are counted as they were first read, and again after other readings were
looked up. With ``--pages``, the true references are printed as PDF papers first. With
``--labelled``, every fourth labelled string whose work the database has is read, with the help of
the database and without it.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.model.verdict import FLAGGED, Status
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.readers.strings.reference import reference_of_string
from citeproof.verification.session import Session
from citeproof.verification.validation.compare.titles import compare_titles
from tests.accuracy import damage, reference_strings, typeset
from tests.accuracy.entries import entry, fields_of, kind_of, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from citeproof.model.record import Record
    from citeproof.model.reference import Reference
    from citeproof.model.verdict import Verdict

SEED = 20_261_122
_STEP = 4_999
"""Records are drawn this far apart."""


def drawn(database: Database, count: int) -> list[Record]:
    """Return ``count`` records of papers, a fixed choice from all of the database."""
    numbers = [number for number, _ in database.titles()]
    random.Random(SEED).shuffle(numbers)
    found: list[Record] = []
    while numbers and len(found) < count:
        batch, numbers = numbers[:_STEP], numbers[_STEP:]
        found += [record for record in database.records(batch) if _is_paper(record)]
    return found[:count]


def proceedings(database: Database) -> dict[str, str]:
    """Return the full titles of proceedings by key."""
    rows = database.rows("SELECT id, key, title, pub_type FROM publications")
    return {key: title for _, key, title, kind in rows if kind == "proceedings" and title}


def works_of(records: Sequence[Record], titles: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the fields of records, every second one with its proceedings' full title in place of
    the acronym.
    """
    works = []
    for number, record in enumerate(records):
        fields = fields_of(record)
        if number % 2 and record.crossref in titles and "booktitle" in fields:
            fields["booktitle"] = titles[record.crossref]
        works.append(plain(fields))
    return works


def _is_paper(record: Record) -> bool:
    kinds = ("article", "inproceedings")
    return (
        record.pub_type in kinds
        and bool(record.authors and record.year and record.venue)
        and len(record.title) > 10
    )


def plain(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields of a BibTeX entry without LaTeX markup."""
    return {name: value.replace("\\", "").rstrip(".") for name, value in fields.items()}


def strings(style: str, works: Sequence[dict[str, str]]) -> list[str]:
    """Return the reference strings of works."""
    return [typeset.printed(style, fields, number) for number, fields in enumerate(works, start=1)]


def check(session: Session, references: Iterable[Reference]) -> list[Verdict]:
    """Return a verdict on each reference, in order."""
    return list(session.stream(references))


def tally(
    works: Sequence[dict[str, str]], read_ones: Sequence[Reference], verdicts: Sequence[Verdict]
) -> Counter[str]:
    """Count the verdicts, and the titles read right before and after the look-ups."""
    count = Counter[str](works=len(works))
    for fields, reference, verdict in zip(works, read_ones, verdicts, strict=True):
        count["title"] += compare_titles(reference.title, fields["title"]).same
        count["title, looked up"] += compare_titles(verdict.reference.title, fields["title"]).same
        count["valid"] += verdict.status is Status.VALID
        count["flagged"] += verdict.status in FLAGGED
        count["suspect"] += verdict.reason == "parse_suspect"
    return count


def printed(session: Session, style: str, works: Sequence[dict[str, str]]) -> Counter[str]:
    """Count over works that are printed as strings in one style."""
    read_ones = [reference_of_string(text, text) for text in strings(style, works)]
    return tally(works, read_ones, check(session, read_ones))


def damaged_works(
    records: Sequence[Record], others: Sequence[Record]
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield each kind of damage with the works that have it."""
    for kind, spoil in damage.KINDS.items():
        dice = random.Random(f"{SEED} {kind}")
        works = []
        for record, other in zip(records, others, strict=True):
            fields = fields_of(record)
            spoil(fields, record, other, dice)
            works.append(plain(fields))
        yield kind, works


def pages(style: str, layout: str, works: Sequence[dict[str, str]]) -> list[Reference]:
    """Return the references of a printed paper."""
    document = Document.of("paper.pdf", typeset.pdf(typeset.page(strings(style, works), layout)))
    return list(formats.read(document).references)


def show(name: str, count: Counter[str]) -> None:
    """Print a line of the table."""
    facts = ("title", "title, looked up", "valid", "flagged", "suspect")
    shares = "  ".join(f"{fact} {count[fact] / max(1, count['works']):6.1%}" for fact in facts)
    print(f"{name:34} {count['works']:5}  {shares}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("database", type=Path)
    parser.add_argument("works", nargs="?", type=int, default=50)
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--labelled", action="store_true")
    parser.add_argument("--said", action="store_true", help="name every true work that is flagged")
    options = parser.parse_args()
    with Database.open(options.database) as database:
        session = Session.over(database)
        if options.labelled:
            show("labelled strings", labelled(session, database))
            return
        records = drawn(database, 2 * options.works)
        records, others = records[: options.works], records[options.works :]
        works = works_of(records, proceedings(database))
        layouts = tuple(typeset.LAYOUTS) if options.pages else ("string",)
        for layout in layouts:
            sum_of_all = Counter[str]()
            for style in typeset.STYLES:
                if options.pages:
                    read_ones = pages(style, layout, works)
                    if len(read_ones) != len(works):
                        print(f"{style}, {layout}: {len(read_ones)} of {len(works)} entries")
                        continue
                else:
                    read_ones = [reference_of_string(text, text) for text in strings(style, works)]
                verdicts = check(session, read_ones)
                count = tally(works, read_ones, verdicts)
                show(f"{style}, {layout}", count)
                sum_of_all += count
                if options.said:
                    say(verdicts)
            show(f"all, {layout}", sum_of_all)
        if not options.pages:
            seen_of_damage(session, records, others)


def _printed_damage(
    records: Sequence[Record], works: Sequence[dict[str, str]]
) -> Iterator[tuple[Record, dict[str, str], str]]:
    """Yield the damaged works whose style prints what is damaged, with their strings: "et al."
    hides many a name.
    """
    styles = list(typeset.STYLES)
    for number, (record, fields) in enumerate(zip(records, works, strict=True), start=1):
        style = styles[number % len(styles)]
        text = typeset.printed(style, fields, number)
        if text != typeset.printed(style, plain(fields_of(record)), number):
            yield record, fields, text


def labelled(session: Session, database: Database) -> Counter[str]:
    """Count over labelled strings of which the database holds the work; none of them has its fields
    damaged.
    """
    rows = reference_strings.rows(reference_strings.SHARED)[::4]
    known = [row for row in rows if row["title"] and database.look_up(row["title"]).found]
    read_ones = [reference_of_string(row["raw"], row["raw"]) for row in known]
    verdicts = check(session, read_ones)
    count = tally([{"title": row["title"]} for row in known], read_ones, verdicts)
    for name, references in (
        ("title", read_ones),
        ("title, looked up", [verdict.reference for verdict in verdicts]),
    ):
        pairs = zip(known, references, strict=True)
        count[name] = sum(
            reference_strings.title_is_right(row, reference.title) for row, reference in pairs
        )
    return count


def say(verdicts: Sequence[Verdict]) -> None:
    """Name what is flagged, and why."""
    for verdict in verdicts:
        if verdict.status is not Status.VALID:
            print("   ", verdict.status, verdict.reason, verdict.reference.raw)
            print("       ", *(f"{issue.code}: {issue.explanation};" for issue in verdict.issues))


def seen_of_damage(session: Session, records: Sequence[Record], others: Sequence[Record]) -> float:
    """Print for each kind of damage how much of it is seen in a string, and how much in BibTeX;
    styles take turns.

    Return the share of what is seen in BibTeX that is seen in a string too.
    """
    together = Counter[str]()
    for kind, works in damaged_works(records, others):
        printed = list(_printed_damage(records, works))
        entries = [entry(kind_of(record), "k", fields) for record, fields, _ in printed]
        in_bibtex = [verdict.status in FLAGGED for verdict in check(session, read(entries))]
        texts = [text for *_, text in printed]
        verdicts = check(session, [reference_of_string(text, text) for text in texts])
        in_text = [verdict.status in FLAGGED for verdict in verdicts]
        both = sum(text and bibtex for text, bibtex in zip(in_text, in_bibtex, strict=True))
        together.update(works=len(texts), text=sum(in_text), bibtex=sum(in_bibtex), both=both)
        print(
            f"{kind:18} {len(texts):5}  BibTeX {sum(in_bibtex):5}  text {sum(in_text):5}  both"
            f" {both:5}"
        )
    share = together["both"] / together["bibtex"]
    print(f"of what BibTeX finds, text finds {share:.1%}")
    return share


if __name__ == "__main__":
    main()
