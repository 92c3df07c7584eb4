"""How two honest descriptions of one work disagree, by kind, with counts and examples.

usage: python -m tests.accuracy.disagreements DATABASE [EXAMPLES]   (default: 8 examples of each
kind)

Two descriptions are of one work where their normalised titles are equal and half of the people, but
one at least, have a family name in common (for names), or where all people are equal and the titles
are at least 0.9 alike (for titles). They come from the ACL Anthology against DBLP's sample, from
records of the sample that stand there twice (CoRR and proceedings, conference and journal), and
from reference strings with labelled fields.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.readers.fields.authors import split_authors
from citeproof.text.name_comparison import NameAgreement, compare_names
from citeproof.text.names import fold_words, parse_name
from citeproof.text.normalize import normalize_title
from citeproof.text.similarity import similarity
from citeproof.text.spelling import is_typo
from citeproof.verification.validation.compare.titles import compare_titles
from tests.accuracy import anthology
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citeproof.model.record import Record

_MOST_TWINS = 12
"""Titles that more records than this share are headings, not works."""
_SAME_TITLES_FROM = 0.9


@dataclass(frozen=True, slots=True)
class Description:
    """What one source says of a work."""

    source: str
    title: str
    authors: tuple[str, ...]
    year: int | None


Pair = tuple[Description, Description]


def pairs_by_title(records: Sequence[Record], shared: Path) -> Iterator[Pair]:
    """Yield two descriptions with equal titles and people in common: what differs is in the
    names.
    """
    by_title: defaultdict[str, list[Description]] = defaultdict(list)
    for record in records:
        if record.authors and record.pub_type in ("article", "inproceedings"):
            by_title[normalize_title(record.title)].append(_recorded(record))
    for others in by_title.values():
        if len(others) <= _MOST_TWINS:
            yield from (pair for pair in combinations(others, 2) if _same_people(*pair))
    for outside in (*_anthology(shared), *_reference_strings(shared)):
        for inside in by_title.get(normalize_title(outside.title), [])[:_MOST_TWINS]:
            if _same_people(outside, inside):
                yield outside, inside


def pairs_by_people(records: Sequence[Record], shared: Path) -> Iterator[Pair]:
    """Yield two descriptions by the same people within a year with titles that are alike and not
    equal.
    """
    by_people: defaultdict[tuple[str, ...], list[Description]] = defaultdict(list)
    for record in records:
        if record.authors and record.pub_type in ("article", "inproceedings"):
            by_people[_people(record.authors)].append(_recorded(record))
    for others in by_people.values():
        yield from (pair for pair in combinations(others[:200], 2) if _alike(*pair))
    for outside in _anthology(shared):
        for inside in by_people.get(_people(outside.authors), [])[:200]:
            if _alike(outside, inside):
                yield outside, inside


def _recorded(record: Record) -> Description:
    source = "CoRR" if record.publtype == "informal" or record.venue == "CoRR" else record.pub_type
    return Description(source, record.title, record.authors, record.year)


def _anthology(shared: Path) -> Iterator[Description]:
    for paper in anthology.papers(shared / "corpus" / "acl_anthology.jsonl.gz"):
        names = tuple(
            f"{family}, {given}" if given else family for given, family in paper["authors"]
        )
        yield Description(
            "Anthology", paper["title"], names, int(paper["year"]) if paper.get("year") else None
        )


def _reference_strings(shared: Path) -> Iterator[Description]:
    for line in (
        (shared / "gold" / "reference_strings" / "dev.jsonl").read_text("utf-8").splitlines()
    ):
        row = json.loads(line)
        if row["title"] and row["authors"] and row["authors_text"]:
            names, _ = split_authors(row["authors_text"])
            yield Description("reference string", row["title"], names, row["year"])


def _people(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted("".join(sorted(parse_name(name).words)) for name in names))


def _family(name: str) -> str:
    parsed = parse_name(name)
    return "".join(parsed.family) or (parsed.words[-1] if parsed.words else "")


def _same_people(one: Description, other: Description) -> bool:
    ours, theirs = (
        {_family(name) for name in one.authors},
        {_family(name) for name in other.authors},
    )
    near = one.year is None or other.year is None or abs(one.year - other.year) <= 2
    return near and 2 * len(ours & theirs) >= max(len(ours), len(theirs)) > 0


def _alike(one: Description, other: Description) -> bool:
    near = one.year is not None and other.year is not None and abs(one.year - other.year) <= 1
    ours, theirs = normalize_title(one.title), normalize_title(other.title)
    return near and ours != theirs and similarity(ours, theirs) >= _SAME_TITLES_FROM


def names_that_differ(one: Description, other: Description) -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and name for each person whom the two lists name so that the rules see
    two.
    """
    ours, theirs = list(one.authors), list(other.authors)
    for name in one.authors:
        parsed = parse_name(name)
        same = [
            other
            for other in theirs
            if compare_names(parsed, parse_name(other)) is NameAgreement.SAME
        ]
        if same:
            ours.remove(name)
            theirs.remove(same[0])
    if len(ours) != len(theirs):
        if not ours or not theirs:
            yield "authors: one list is longer", "; ".join(ours), "; ".join(theirs)
        else:
            yield "authors: longer and different", "; ".join(ours), "; ".join(theirs)
        return
    for name, to in zip(ours, theirs, strict=True):
        yield kind_of_names(name, to), name, to


def kind_of_names(name: str, other: str) -> str:
    """Return in which way two names differ."""
    agreement = compare_names(parse_name(name), parse_name(other))
    if agreement is NameAgreement.MISSPELT:
        return "name: one letter off in the family name"
    ours, theirs = parse_name(name), parse_name(other)
    if agreement is NameAgreement.NONE:
        if set(ours.words) & set(theirs.words):
            return "name: a word in common"
        same_letters = sorted("".join(ours.words)) == sorted("".join(theirs.words))
        return "name: same letters" if same_letters else "name: another person"
    first, to = _given(name), _given(other)
    if first[:1] != to[:1]:
        return "given name: other initial"
    if first.startswith(to) or to.startswith(first):
        return "given name: one begins with the other"
    if is_typo(first, to, 3):
        return "given name: one letter"
    if first[:3] == to[:3]:
        return "given name: three letters in common"
    return "given name: initial in common"


def _given(name: str) -> str:
    given = name.split(",", 1)[1] if "," in name else name.rsplit(" ", 1)[0]
    return " ".join(fold_words(given)[:1])


def kind_of_titles(one: str, other: str) -> str | None:
    """Return what the rules make of two titles; None where they take them for one without a
    word.
    """
    match = compare_titles(one, other)
    if match.same and not match.differences:
        return None
    code = match.differences[0].code
    if match.other_number:
        return "title: other number"
    signs = any(not char.isascii() for char in one + other) or any(
        char in "$^_\\" for char in one + other
    )
    return f"{code}{' with signs' if signs else ''}"


def show(kinds: dict[str, list[tuple[str, str, str]]], examples: int) -> None:
    """Print each kind with its count, by source, and examples spread over the list."""
    for kind, found in sorted(kinds.items(), key=lambda item: -len(item[1])):
        sources = Counter(source for source, _, _ in found)
        print(
            f"\n{kind}: {len(found)}  "
            f" ({', '.join(f'{name} {count}' for name, count in sources.most_common())})"
        )
        for source, one, other in found[:: max(1, len(found) // examples)][:examples]:
            print(f"    {source}: {one}  |  {other}")


def main() -> None:
    """Print the disagreements of names, then those of titles."""
    examples = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    with Database.open(Path(sys.argv[1])) as database:
        records = database.records([number for number, _ in database.titles()])
    names: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    works: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for one, other in pairs_by_title(records, SHARED):
        source = f"{one.source}/{other.source}"
        works[source] += 1
        people[source] += len(one.authors)
        for kind, name, to in names_that_differ(one, other):
            names[kind].append((source, name, to))
    print("pairs:", dict(works))
    print("names in them:", dict(people))
    show(names, examples)
    titles: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    alike = 0
    for one, other in pairs_by_people(records, SHARED):
        alike += 1
        if found := kind_of_titles(one.title, other.title):
            titles[found].append((f"{one.source}/{other.source}", one.title, other.title))
    print(
        f"\n{alike} pairs of titles by the same people within a year, at least {_SAME_TITLES_FROM}"
        " alike"
    )
    show(titles, examples)


if __name__ == "__main__":
    main()
