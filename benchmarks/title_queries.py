"""Titles as people cite them: equal, spelled otherwise, mistyped, changed, cut, and titles of
nothing.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 20261121
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Query(NamedTuple):
    """A cited title and what was done to the real one."""

    kind: str
    title: str


def queries(titles: list[str], per_kind: int) -> list[Query]:
    """Return ``per_kind`` queries of each kind, made from the raw ``titles``; always the same
    ones.
    """
    choice = random.Random(SEED)
    long_enough = [title for title in titles if len(title.split()) >= 4]
    return [
        Query(kind, damage(choice, choice.choice(long_enough).rstrip("."), long_enough))
        for kind, damage in KINDS.items()
        for _ in range(per_kind)
    ]


def _spelled(choice: random.Random, title: str, _: list[str]) -> str:
    form = choice.randrange(4)
    if form == 0:
        return title.upper()
    if form == 1:
        return title.replace(" ", " - ", 1) + "!"
    if form == 2:
        return "{" + title.replace("a", r"{\'a}", 1).replace("o", r"{\"o}", 1) + "}"
    return title.replace("e", "é", 1).replace("fi", "ﬁ").replace("-", "‐")


def _typos(count: int) -> Callable[[random.Random, str, list[str]], str]:
    def damage(choice: random.Random, title: str, others: list[str]) -> str:
        letters = list(title)
        for _ in range(count):
            place = choice.randrange(1, len(letters))
            match choice.randrange(4):
                case 0:
                    letters[place] = choice.choice(LETTERS)
                case 1:
                    del letters[place]
                case 2:
                    letters.insert(place, choice.choice(LETTERS))
                case _:
                    letters[place - 1], letters[place] = letters[place], letters[place - 1]
        return "".join(letters)

    return damage


def _hyphen(choice: random.Random, title: str, _: list[str]) -> str:
    words = title.split()
    place = choice.randrange(len(words) - 1)
    words[place : place + 2] = [words[place] + words[place + 1]]
    return " ".join(words)


def _word_dropped(choice: random.Random, title: str, _: list[str]) -> str:
    words = title.split()
    del words[choice.randrange(len(words))]
    return " ".join(words)


def _word_added(choice: random.Random, title: str, others: list[str]) -> str:
    words = title.split()
    words.insert(choice.randrange(len(words)), choice.choice(choice.choice(others).split()))
    return " ".join(words)


def _word_replaced(choice: random.Random, title: str, others: list[str]) -> str:
    words = title.split()
    words[choice.randrange(len(words))] = choice.choice(choice.choice(others).split())
    return " ".join(words)


def _words_swapped(choice: random.Random, title: str, _: list[str]) -> str:
    words = title.split()
    place = choice.randrange(len(words) - 1)
    words[place], words[place + 1] = words[place + 1], words[place]
    return " ".join(words)


def _letter_in_every_word(choice: random.Random, title: str, _: list[str]) -> str:
    def damaged(word: str) -> str:
        if len(word) < 4:
            return word
        place = choice.randrange(1, len(word))
        return word[:place] + choice.choice(LETTERS) + word[place + 1 :]

    return " ".join(map(damaged, title.split()))


def _truncated(choice: random.Random, title: str, _: list[str]) -> str:
    words = title.split()
    return " ".join(words[: choice.randint(len(words) // 2, len(words) - 1)])


def _absent(choice: random.Random, title: str, others: list[str]) -> str:
    return " ".join(choice.choice(choice.choice(others).split()) for _ in title.split())


KINDS: dict[str, Callable[[random.Random, str, list[str]], str]] = {
    "equal": lambda _, title, __: title,
    "spelled otherwise": _spelled,
    "1 typo": _typos(1),
    "2 typos": _typos(2),
    "3 typos": _typos(3),
    "hyphen": _hyphen,
    "word dropped": _word_dropped,
    "word added": _word_added,
    "word replaced": _word_replaced,
    "words swapped": _words_swapped,
    "letter in every word": _letter_in_every_word,
    "truncated": _truncated,
    "absent": _absent,
}
