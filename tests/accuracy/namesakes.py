"""How often are two people with the same family name taken for one person?

This is the cost of every rule that tolerates differences between names.

usage: python -m tests.accuracy.namesakes DATABASE

Pairs of different names are drawn from the database. The names of a pair have the same last word
and given names in full, such as "Wei Zhang" and "Weiming Zhang". Some pairs are one person under
two names; most are not. Pairs whose given names begin with the same letter are shown separately,
because only these pairs test a rule.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.text.name_comparison import NameAgreement, compare_names
from citeproof.text.names import fold_words, parse_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SEED = 5
PAIRS = 100_000
_FEWEST = 3


def full_names(names: Iterable[str]) -> list[str]:
    """Return the names without initials, each once, in order."""
    return sorted(
        {
            name
            for name in names
            if " " in name and all(len(word) >= _FEWEST for word in fold_words(name))
        }
    )


def pairs(names: Iterable[str], *, same_initial: bool) -> Iterator[tuple[str, str]]:
    """Yield drawn pairs of one family name; a family is drawn as often as it has names."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        words = fold_words(name)
        groups[words[-1], words[0][0] if same_initial else ""].append(name)
    dice = random.Random(SEED)
    many = [group for group in groups.values() if len(group) > 1]
    for group in dice.choices(many, weights=[len(group) for group in many], k=PAIRS):
        one, other = dice.sample(group, 2)
        yield one, other


def main() -> None:
    """Print for how many pairs the names are taken for one, with examples."""
    with Database.open(Path(sys.argv[1])) as database:
        records = database.records([number for number, _ in database.titles()])
    names = full_names(name for record in records for name in record.authors)
    print(f"{len(names):,} names")
    for same_initial in (False, True):
        found: Counter[NameAgreement] = Counter()
        taken = []
        for one, other in pairs(names, same_initial=same_initial):
            agreement = compare_names(parse_name(one), parse_name(other))
            found[agreement] += 1
            if agreement is NameAgreement.SAME:
                taken.append(f"{one} | {other}")
        print(
            f"\n{'same initial' if same_initial else 'all'}:"
            f" {found[NameAgreement.SAME] / PAIRS:.4%} taken for one"
        )
        for example in taken[:: max(1, len(taken) // 40)][:40]:
            print("   ", example)


if __name__ == "__main__":
    main()
