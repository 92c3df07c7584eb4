"""What the search relies on: each bound of the signatures holds for every pair of titles and any
choice of bits.
"""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from citeproof.database.title_index.format import BITS
from citeproof.database.title_index.signature import (
    CLASSES,
    CYCLES,
    Pairs,
    balances,
    counts_before,
    counts_of,
    cyclic,
    letter_counts,
    tune,
)

TITLES = st.text(st.sampled_from("aeintz 09éяж神𐍈+"), max_size=60) | st.text(max_size=30)


def row_of(title: str) -> NDArray[np.uint16]:
    """Return the counts of one title as the build makes them."""
    codes = np.frombuffer(title.encode("utf-32-le", "surrogatepass"), "<u4").reshape(1, -1)
    return letter_counts(codes)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, str, int, int]:
    """A title, the same after some deletions and insertions, and how many of each."""
    title = draw(TITLES)
    letters = list(title)
    deletions = insertions = 0
    for place, letter in draw(
        st.lists(st.tuples(st.integers(0, 80), st.none() | st.characters()), max_size=20)
    ):
        if letter is not None:
            letters.insert(place, letter)
            insertions += 1
        elif letters:
            del letters[place % len(letters)]
            deletions += 1
    return title, "".join(letters), deletions, insertions


@given(edits(), st.lists(TITLES, max_size=6), st.booleans())
@example(("e" * 3000, "e" * 2990, 10, 0), [], True)
def test_sign_no_edit_flips_more_than_one_bit(
    edit: tuple[str, str, int, int], sample: list[str], tuned: bool
) -> None:
    title, other, deletions, insertions = edit
    everything = [(c, k) for c in range(CLASSES) for k in (1, 2)]
    by_rule = Pairs(
        np.array([c for c, _ in everything], np.uint8),
        np.array([k for _, k in everything], np.uint16),
    )
    rows = [row_of(each) for each in (title, other, *sample)]
    pairs = tune(np.concatenate(rows)) if tuned else by_rule
    mine, theirs = pairs.sign(rows[0])[0], pairs.sign(rows[1])[0]
    assert np.bitwise_count(mine & ~theirs).sum() <= deletions
    assert np.bitwise_count(theirs & ~mine).sum() <= insertions


@given(edits())
@example(("e" * 65_540, "e" * 65_530, 10, 0))
def test_cyclic_no_edit_flips_more_than_one_bit_of_the_cyclic_word(
    edit: tuple[str, str, int, int],
) -> None:
    title, other, deletions, insertions = edit
    mine, theirs = cyclic(row_of(title))[0], cyclic(row_of(other))[0]
    assert np.bitwise_count(mine ^ theirs) <= deletions + insertions


def test_cyclic_the_cyclic_word_tells_how_far_two_counts_are_apart() -> None:
    assert sum(CYCLES.values()) == 64
    for letters, bits in CYCLES.items():
        words = [int(cyclic(counts_of(letters[0] * count))) for count in range(4 * bits)]
        for one in range(4 * bits):
            apart = [(words[one] ^ word).bit_count() for word in words[one : one + bits + 1]]
            assert apart == list(range(len(apart)))


@given(TITLES)
def test_cyclic_a_query_has_the_cyclic_word_of_the_same_title(title: str) -> None:
    assert cyclic(counts_of(title)) == cyclic(row_of(title))[0]


@given(edits())
def test_balances_the_balance_falls_by_deletions_and_rises_by_insertions_at_most(
    edit: tuple[str, str, int, int],
) -> None:
    title, other, deletions, insertions = edit
    change = int(balances(row_of(other))[0]) - int(balances(row_of(title))[0])
    assert -deletions <= change <= insertions


@given(TITLES.filter(str.isprintable), TITLES.filter(str.isprintable))
def test_counts_before_the_difference_of_two_positions_counts_the_letters_between(
    before: str, title: str
) -> None:
    counts = counts_before(before + title)
    assert (counts[-1] - counts[len(before)] == counts_of(title)).all()


@given(st.lists(TITLES, max_size=12))
def test_tune_tuned_bits_are_distinct(sample: list[str]) -> None:
    pairs = tune(np.concatenate([np.zeros((0, CLASSES), np.uint16), *map(row_of, sample)]))
    assert len(set(zip(pairs.classes.tolist(), pairs.counts.tolist(), strict=True))) == BITS
    assert pairs.counts.min() >= 1


@given(TITLES)
def test_letter_counts_a_letter_has_one_class_in_every_width(title: str) -> None:
    wide = row_of(title)
    assert wide.sum() == len(title)
    if all(ord(letter) < 256 for letter in title):
        narrow = np.frombuffer(title.encode("latin-1"), np.uint8).reshape(1, -1)
        assert (letter_counts(narrow) == wide).all()
    if all(ord(letter) < 0x10000 and not 0xD800 <= ord(letter) < 0xE000 for letter in title):
        middle = np.frombuffer(title.encode("utf-16-le"), "<u2").reshape(1, -1)
        assert (letter_counts(middle) == wide).all()


def test_tune_tuning_picks_the_bits_that_half_of_the_titles_have() -> None:
    sample = np.concatenate([row_of("ab" * (n % 7) + "zz") for n in range(70)])
    pairs = tune(sample)
    share = (sample[:, pairs.classes] >= pairs.counts).mean(axis=0)
    distance = np.abs(share - 0.5)
    assert (np.diff(distance) >= 0).all()
    assert {(int(c), int(k)) for c, k in zip(pairs.classes[:2], pairs.counts[:2], strict=True)} <= {
        (0, 3),
        (0, 4),
        (1, 3),
        (1, 4),
    }
