"""Lists of invented works in many styles, parted and wrapped in many ways."""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from citeproof.readers.lists.items import split_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GIVEN = ("Ann", "Bo", "Carla", "Dov", "Émile", "Fay", "Gus", "Hana J.", "Ivo", "Jun")
FAMILY = ("Lee", "Ray", "Fox", "Okonjo", "van der Berg", "Lindqvist", "O’Hara", "Ngo", "Strand")
NOUNS = ("winter", "snow", "foxes", "old towns", "kites", "rivers", "graphs", "sheep", "proofs")
VENUES = (
    "Journal of Snow",
    "SnowConf",
    "J. Fox Res.",
    "IEEE Trans. Kites",
    "Proceedings of the Meeting on Old Towns and Their Winters",
    "Snow Engineering and Science (2)",
    "SIAM J. Sheep",
)


@dataclass(frozen=True)
class Work:
    """An invented work."""

    people: tuple[tuple[str, str], ...]
    title: str
    venue: str
    year: int
    volume: int
    pages: str


def work(dice: random.Random) -> Work:
    people = [(dice.choice(GIVEN), dice.choice(FAMILY)) for _ in range(dice.choice((1, 2, 3, 6)))]
    words = dice.sample(NOUNS, dice.randint(2, 6))
    title = f"{dice.choice(('On', 'A Theory of', 'How Far Are'))} {' and '.join(words)}"
    if dice.random() < 0.3:
        title += f": {dice.choice(('A Survey', 'an approach in the North', 'VLSI Design'))}"
    first = dice.randint(1, 200)
    return Work(
        tuple(people),
        title,
        dice.choice(VENUES),
        dice.randint(1960, 2025),
        dice.randint(1, 40),
        f"{first}–{first + 9}",
    )


def initials(given: str) -> str:
    return " ".join(f"{part[0]}." for part in given.split())


def joined(names: Sequence[str], last: str = " and ") -> str:
    *others, end = names
    return f"{', '.join(others)}{last}{end}" if others else end


def inverted(one: Work) -> list[str]:
    return [f"{family}, {initials(given)}" for given, family in one.people]


def in_full(one: Work) -> list[str]:
    return [f"{given} {family}" for given, family in one.people]


def bare(one: Work) -> list[str]:
    return [f"{family} {initials(given).replace('. ', '')[:-1]}" for given, family in one.people]


def short(one: Work) -> list[str]:
    return [f"{initials(given)} {family}" for given, family in one.people]


STYLES: dict[str, Callable[[Work], str]] = {
    "apa": lambda one: (
        f"{joined(inverted(one), ', & ')} ({one.year}). {one.title}. {one.venue},"
        f" {one.volume}(2), {one.pages}."
    ),
    "ieee": lambda one: (
        f"{joined(short(one))}, “{one.title},” {one.venue}, vol. {one.volume}, no. 2, pp."
        f" {one.pages}, {one.year}."
    ),
    "acm": lambda one: (
        f"{joined(in_full(one), ', and ')}. {one.year}. {one.title}. {one.venue} {one.volume}, 2"
        f" ({one.year}), {one.pages}."
    ),
    "acl": lambda one: (
        f"{joined(in_full(one))}. {one.year}. {one.title}. In {one.venue}, pages {one.pages}."
    ),
    "plain": lambda one: (
        f"{joined(in_full(one), ', and ')}. {one.title}. In {one.venue}, pages {one.pages},"
        f" {one.year}."
    ),
    "lncs": lambda one: (
        f"{', '.join(inverted(one))}: {one.title}. In: {one.venue}, pp. {one.pages} ({one.year})"
    ),
    "vancouver": lambda one: (
        f"{', '.join(bare(one))}. {one.title}. {one.venue}. {one.year};{one.volume}(2):{one.pages}."
    ),
    "nature": lambda one: (
        f"{joined(inverted(one), ' & ')} {one.title}. {one.venue} {one.volume}, {one.pages}"
        f" ({one.year})."
    ),
    "harvard": lambda one: (
        f"{joined(inverted(one))}, {one.year}. {one.title}. {one.venue}, {one.volume}(2),"
        f" pp.{one.pages}."
    ),
    "title first": lambda one: f"{one.title}, {joined(short(one))}, {one.venue}, {one.year}.",
}
FORMS: dict[str, Callable[[list[list[str]]], list[list[str]]]] = {
    "flush": lambda items: items,
    "blank lines": lambda items: [[*item, ""] for item in items],
    "hanging": lambda items: [[item[0], *(f"    {line}" for line in item[1:])] for item in items],
    "indented": lambda items: [[f"   {item[0]}", *item[1:]] for item in items],
    "numbers": lambda items: [[f"{n}. {item[0]}", *item[1:]] for n, item in enumerate(items, 1)],
    "brackets": lambda items: [[f"[{n}] {item[0]}", *item[1:]] for n, item in enumerate(items, 1)],
    "bullets": lambda items: [[f"- {item[0]}", *(f"  {x}" for x in item[1:])] for item in items],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("style", STYLES)
def test_split_text_finds_the_beginnings_of_made_references(style: str, form: str) -> None:
    dice = random.Random(f"{style} {form}")
    right = 0
    for _ in range(12):
        width = dice.choice((60, 68, 78, 1000))
        count = dice.randint(2, 9)
        strings = [STYLES[style](work(dice)) for _ in range(count)]
        items = FORMS[form]([textwrap.wrap(text, width) for text in strings])
        starts = [sum(map(len, items[:place])) + 1 for place in range(count)]
        found = split_text("\n".join(line for item in items for line in item))
        right += [item.line for item in found.items] == starts and not found.others
    assert right == 12
