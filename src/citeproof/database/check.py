"""Check whether a database is intact and whether its indexes belong to its records.

:func:`check` reads every page of the file, and looks up random records. :func:`deep_check` reads
the whole title index. It also compares the results of the title index with the results of a
comparison of all titles.
"""

import random
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from itertools import islice

from citeproof.database import schema
from citeproof.database.author_index import ids_with_key
from citeproof.database.layout import sampled_titles
from citeproof.database.lookup import Database
from citeproof.database.matches import Match, Titles
from citeproof.database.title_index.attached import AttachedIndex
from citeproof.database.venues.table import CHECKSUM as VENUES_CHECKSUM
from citeproof.model.errors import DatabaseError
from citeproof.text import normalize
from citeproof.text.names import recorded_key
from citeproof.text.normalize import normalize_title

_QUERIES = 40  # number of titles that a deep check looks up
# minimum similarity, 0 to 1, between a title that a deep check looks up and a title found
_THRESHOLD = 0.85
_COMPARED_TITLES = 20_000  # number of titles that a deep check has in memory at a time
# number of random records that are looked up by words of the title, by authors and by title
_SAMPLE = 500
# minimum share of the words of a title that must be in the word index of another program
_FOREIGN_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check: the subject that was checked, whether the subject is intact, and a
    text for the user.
    """

    subject: str
    sound: bool
    detail: str


def deep_check(database: Database) -> Iterator[Finding]:
    """Yield the outcome of two checks of the title index: of the block checksums, and of the
    results of random queries.
    """
    try:
        database.title_index.verify()
    except DatabaseError as error:
        yield Finding("index blocks", False, str(error))
        return
    yield Finding("index blocks", True, "every block agrees with its checksum")
    queries = _queries(database)
    compared = _compare_all(database, queries)
    differing = [query for query in queries if not _agrees(database, query, compared[query])]
    answered = f"otherwise, such as {differing[0]!r}" if differing else "as by comparing all titles"
    number = len(differing) or len(queries)
    yield Finding(
        "deep", not differing, f"{number} of {len(queries)} queries are answered {answered}"
    )


def _queries(database: Database) -> list[str]:
    """Return queries for a deep check: random titles, titles with an error, and random words from
    titles.
    """
    titles = [*map(normalize_title, _sample(database).values())][:_QUERIES]
    words = [word for title in titles for word in title.split()]
    kinds = (
        lambda title: title,
        lambda title: title[: len(title) // 3] + "q" + title[len(title) // 3 + 1 :],
        lambda title: " ".join(title.split()[1:]) or title,
        # no secret
        lambda title: " ".join(random.choice(words) for _ in title.split()),  # noqa: S311
    )
    return sorted({kinds[number % len(kinds)](title) for number, title in enumerate(titles)})


def _compare_all(database: Database, queries: list[str]) -> dict[str, list[Match]]:
    """Compare each of ``queries`` with all titles of the database.

    Return a map from the query to the records with the most similar titles.
    """
    best: dict[str, list[Match]] = {query: [] for query in queries}
    titles = database.titles()
    while chunk := list(islice(titles, _COMPARED_TITLES)):
        compared = Titles(chunk)
        for query in queries:
            matches = [*best[query], *compared.search(query, _THRESHOLD).found]
            most = max((match.similarity for match in matches), default=0.0)
            best[query] = [match for match in matches if match.similarity == most]
    return best


def _agrees(database: Database, query: str, best: list[Match]) -> bool:
    """Return whether the title index finds exactly the records ``best`` for ``query``."""
    lookup = database.best_matches(query, _THRESHOLD)
    if lookup.index != AttachedIndex.name or not lookup.complete:
        return False
    if not best:
        return not lookup.found
    expected = sorted(map(repr, database.records([match.record_id for match in best])))
    same_records = sorted(repr(candidate.record) for candidate in lookup.candidates) == expected
    return same_records and lookup.candidates[0].similarity == best[0].similarity


def damage(database: Database) -> str:
    """Return a text that describes damage to the records, the titles or the pages of the file, as
    ``citeproof db check`` does.

    The text is empty if there is no damage. A title index can then be made from the titles.
    """
    for subject in ("records", "titles", "file"):
        for finding in check(database, (subject,)):
            if not finding.sound:
                return f"{subject}: {finding.detail}"
    return ""


def check(database: Database, subjects: Container[str] = ()) -> Iterator[Finding]:
    """Yield the outcome of each check of the database, or only of the checks named in ``subjects``,
    such as ``titles``.

    The file is not changed.
    """
    for subject, examine in _CHECKS.items():
        if subject in _OURS_ONLY and not database.layout.ours:
            continue
        if subjects and subject not in subjects:
            continue
        try:
            detail, sound = examine(database)
        except DatabaseError as error:
            detail, sound = str(error), False
        if detail:
            yield Finding(subject, sound, detail)


def _pages(database: Database) -> tuple[str, bool]:
    faults = [fault for (fault,) in database.file.rows("PRAGMA integrity_check(3)")]
    return (
        ("every page is sound", True)
        if faults == ["ok"]
        else ("; ".join("; ".join(faults).splitlines()), False)
    )


def _version(database: Database) -> tuple[str, bool]:
    meta = database.layout.meta
    for name, written, known in (
        ("schema_version", schema.SCHEMA_VERSION, schema.READABLE_VERSIONS),
        ("normalization_version", normalize.VERSION, (normalize.VERSION,)),
    ):
        if str(meta.get(name)) not in set(map(str, known)):
            return (
                (
                    f"{name} is {meta.get(name)}, this citeproof writes {written}; build the"
                    " database again"
                ),
                False,
            )
    return f"schema {meta['schema_version']}, normalisation {normalize.VERSION}", True


def _records(database: Database) -> tuple[str, bool]:
    ((count,),) = database.file.rows(f"SELECT count(*) FROM {database.layout.table}")  # noqa: S608
    if database.layout.ours and (recorded := _meta(database, "records")) != count:
        return f"{count:,}, but {recorded:,} were built", False
    return f"{count:,}", database.layout.ours or count > 0


def _meta(database: Database, name: str) -> int:
    """Return the number stored as ``name`` in the table ``meta``.

    Raises :class:`DatabaseError` if no number is stored.
    """
    value = str(database.layout.meta.get(name))
    if not value.isdecimal():
        raise DatabaseError(f"its table meta lacks {name}; build the database again")
    return int(value)


def _titles(database: Database) -> tuple[str, bool]:
    recorded, checksum = _meta(database, "titles_checksum"), 0
    for _, title in database.titles():
        checksum = schema.checksum([title], checksum)
    if checksum != recorded:
        return "some were changed after the indexes were made; build the database again", False
    return "as they were when the indexes were made", True


def _checksums(database: Database) -> tuple[str, bool]:
    layout = database.layout
    if not layout.checked:
        detail = "none, as the file is of schema version 3; building it again adds them"
        return detail if layout.ours else "", True
    compared = damaged = first = 0
    for row in database.rows(layout.select):
        compared += 1
        if not layout.is_sound(row):
            first = first if damaged else row[0]
            damaged += 1
    if damaged:
        detail = (
            f"{damaged:,} of {compared:,} records do not agree with theirs, such as id {first};"
            " build it again"
        )
        return detail, False
    return f"all of {compared:,} records agree with theirs", True


def _venues(database: Database) -> tuple[str, bool]:
    if "volumes" not in database.layout.tables:
        return "", True
    _ = database.venues  # raises an error if the tables of venues differ from their checksum
    sealed = VENUES_CHECKSUM in database.layout.meta
    return (
        "agree with their checksum" if sealed else "have no checksum; building it again adds it",
        True,
    )


def _words(database: Database) -> tuple[str, bool]:
    index = database.word_index
    if not index:
        expected = database.layout.word_table or ("title_fts" if database.layout.ours else "")
        return (f"{expected} does not answer; build it again" if expected else "none", not expected)
    sample, enough = _sample(database), 1.0 if database.layout.ours else _FOREIGN_SHARE
    lost = [
        number
        for number, title in sample.items()
        if index.share(number, normalize_title(title)) < enough
    ]
    if lost:
        return (
            (
                f"{len(lost)} of {len(sample)} records are not found by their words, such as id"
                f" {lost[0]}"
            ),
            False,
        )
    return f"{len(sample)} of {len(sample)} records are found by their words", True


def _identifiers(database: Database) -> tuple[str, bool]:
    records = database.records(list(_sample(database)))
    for record in records:
        for kind in ("doi", "arxiv_id"):
            identifier = getattr(record, kind)
            if identifier and record not in database.records_with(kind, identifier):
                return (
                    f"the record {record.key} is not found by its identifier; build it again",
                    False,
                )
    return f"{len(records)} of {len(records)} records are found by their identifiers", True


def _authors(database: Database) -> tuple[str, bool]:
    sample = list(_sample(database))
    for number, record in zip(sample, database.records(sample), strict=True):
        for name in record.authors:
            if number not in ids_with_key(database.file, recorded_key(name)):
                return (
                    f"record {number} is not found by its author {name}; build the database again",
                    False,
                )
    return f"{len(sample)} of {len(sample)} records are found by their authors", True


def _title_index(database: Database) -> tuple[str, bool]:
    if not database.title_index.path.exists():
        return f"none; `citeproof db index {database.path}` writes it", True
    if database.warnings:
        return "; ".join(database.warnings), False
    sample = _sample(database)
    distinct = {normalize_title(title): (number, title) for number, title in sample.items()}
    # each title is looked up once, because a title such as "Editorial" has thousands of records
    for number, title in distinct.values():
        lookup = database.look_up(title, 1.0)
        if lookup.index != AttachedIndex.name or not lookup.found:
            return (
                f"record {number} is not found by its title; {'; '.join(database.warnings)}",
                False,
            )
    return f"{len(sample)} of {len(sample)} records are found by their titles", True


def _sample(database: Database) -> dict[int, str]:
    places = [random.random() for _ in range(_SAMPLE)]  # noqa: S311 - no secret
    titles = sampled_titles(database.file, database.layout, places)
    return {number: text for number, text in titles.items() if normalize_title(text)}


_CHECKS: dict[str, Callable[[Database], tuple[str, bool]]] = {
    "file": _pages,  # includes all SQLite indexes and the structure of the word index
    "version": _version,
    "records": _records,
    "titles": _titles,
    "checksums": _checksums,
    "venues": _venues,
    "coverage": lambda database: (
        "agrees with its checksum" if database.coverage.parts else "",
        True,
    ),
    "word index": _words,
    "identifiers": _identifiers,
    "author index": _authors,
    "title index": _title_index,
}
_OURS_ONLY = {
    "version",
    "titles",
    "identifiers",
    "author index",
}  # checks that need a database built by citeproof
