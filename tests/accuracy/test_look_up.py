"""The gate of the look-up: how many titles it compares, and how much of the title index it reads.

Both are counted and not timed, so that no other program changes them. Each title is looked up with
the public function in a database that was opened for it.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import citeproof
from citeproof.text.normalize import normalize_title
from tests.accuracy.typed_titles import drawn, typed

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.model.record import Record
    from tests.accuracy.conftest import Bench

pytestmark = [pytest.mark.accuracy, pytest.mark.shared, pytest.mark.timeout(3600)]
TITLES = 300
"""Number of titles of each kind."""


def _equal(title: str, other: str, dice: random.Random) -> str:
    return title


def _damaged(title: str, other: str, dice: random.Random) -> str:
    place = dice.randrange(len(title))
    return title[:place] + title[place + 1 :]


def _absent(title: str, other: str, dice: random.Random) -> str:
    words = [*title.split(), *other.split()]
    dice.shuffle(words)
    return " ".join(words[: len(title.split())])


KINDS: dict[str, Callable[[str, str, random.Random], str]] = {
    "equal": _equal,
    "damaged": _damaged,
    "absent": _absent,
}
"""Map from a kind of title to a function that makes it from a title, another title and dice."""


def counts(bench: Bench, titles: list[str], kind: str) -> dict[str, float]:
    """Return the mean number of titles compared and of blocks read for a look-up of ``kind``."""
    dice = random.Random(kind)
    compared = blocks = found = 0
    for title, other in zip(titles, titles[1:] + titles[:1], strict=True):
        with citeproof.open_database(bench.database.path) as database:
            lookup = citeproof.look_up(KINDS[kind](title, other, dice), database)
            assert lookup.complete
            compared += lookup.candidates_examined
            blocks += database.title_index.blocks_read
            found += lookup.found
    assert found <= 0.02 * len(titles) if kind == "absent" else found == len(titles)
    return {"compared": compared / len(titles), "blocks": blocks / len(titles)}


@pytest.mark.parametrize("kind", KINDS)
def test_look_up_compares_and_reads_little(
    kind: str, bench: Bench, records: list[Record], baseline: dict[str, Any]
) -> None:
    titles = [
        record.title for record in records if 6 <= len(normalize_title(record.title).split()) < 15
    ][:TITLES]
    assert len(titles) == TITLES
    found = counts(bench, titles, kind)
    print(f"\nlook-up of {kind} titles: {found}")
    for name, most in baseline["look_up"][kind].items():
        assert found[name] <= most, (kind, name)


def test_typed_titles_are_looked_up_on_every_surface(bench: Bench) -> None:
    titles = drawn(bench.database.path, TITLES, 3)
    result = typed(bench.database.path, titles)
    print(f"\n{len(titles)} titles typed, not looked up: {result.missed}; {dict(result.page)}")
    assert len(titles) == TITLES
    assert result.missed == {"page": [], "verify --text": [], "agents": []}
    assert result.page["single_search_requests"] == result.page["single_search_found"] == TITLES
    assert result.page["verify_jobs"] == 0
