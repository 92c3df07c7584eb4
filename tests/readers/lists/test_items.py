"""Pasted texts: which lines are references, and what the other lines are."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.model.account import LineKind
from citeproof.readers.lists.items import split_text

if TYPE_CHECKING:
    from collections.abc import Callable

ONE = "A. Lee and B. Ray. On winter in old towns. Journal of Snow, 2019."
TWO = "Fox, C. (2020). A second title about foxes. Journal of Foxes."
SIX = "Kim et al. A third title about kites. KiteConf, 2021."
REFERENCES = (ONE, TWO, SIX)
MARKS: dict[str, Callable[[int], str]] = {
    "brackets": lambda number: f"[{number}] ",
    "dots": lambda number: f"{number}. ",
    "brackets after": lambda number: f"{number}) ",
    "bare": lambda number: f"{number} ",
    "bullets": lambda _: "- ",
    "bold numbers": lambda number: f"**{number}.** ",
    "nothing": lambda _: "",
}


def listed(mark: str, joint: str, intro: str = "", after: str = "") -> str:
    items = [f"{MARKS[mark](number)}{text}" for number, text in enumerate(REFERENCES, start=1)]
    return intro + joint.join(items) + after


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("joint", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "intro",
    ["", "Here are the references:\n", "Sure! I relied on these papers:\n\n", "## Papers\n"],
)
@pytest.mark.parametrize("after", ["", "\n\nLet me know if you would like more!"])
def test_split_text_finds_each_reference_of_a_list(
    mark: str, joint: str, intro: str, after: str
) -> None:
    found = split_text(listed(mark, joint, intro, after))
    texts = [
        item.text.removeprefix(MARKS[mark](n).replace("*", ""))
        for n, item in enumerate(found.items, 1)
    ]
    assert texts == list(REFERENCES)
    assert (found.read, len(found.others)) == (3, bool(intro) + bool(after))
    assert not any(line.lost for line in found.others)


def test_split_text_splits_at_numbers_inside_a_line() -> None:
    found = split_text(f"[1] {ONE} [2] {TWO} [3] {SIX}")
    assert [(item.label, item.line) for item in found.items] == [("1", 1), ("2", 1), ("3", 1)]


def test_split_text_joins_the_lines_of_a_wrapped_reference() -> None:
    wrapped = [re.sub(r"(.{20}\S*) ", r"\1\n", text) for text in REFERENCES[:2]]
    found = split_text("\n".join(wrapped))
    assert [" ".join(item.text.split()) for item in found.items] == [ONE, TWO]


def test_split_text_reads_names_that_are_words_of_a_mail() -> None:
    names = ("You, Zhiqiang.", "You et al.", "I. van de Weerd.", "All & Lee (2019).")
    texts = [
        f"{name} Title {letter} on ice that will stay. Snow, 2019."
        for name, letter in zip(names, "ABCD", strict=True)
    ]
    assert [item.text for item in split_text("\n".join(texts)).items] == texts


def test_split_text_says_that_the_end_of_a_mail_is_text() -> None:
    found = split_text(f"Hi Bob,\n\nmy papers:\n\n{ONE}\n{TWO}\n\nBest regards,\nAnn Lee")
    assert [item.text for item in found.items] == [ONE, TWO]
    assert [line.kind for line in found.others[-2:]] == [LineKind.TEXT] * 2


SIGNATURES = (
    "Best regards,\nAnn Lee\nDepartment of Snow\nPhone: +49 30 1234567",
    "Kind regards,\n\nProf. Dr. J. Smith\nhttps://www.example.org/~smith",
    "-- \nJane Roe | Postdoctoral researcher | Tel. 555-0199",
    "Viele Grüße\nJonas",
)
OPENINGS = (
    "Hi Bob,\n\nthe papers that I mentioned:",
    "Hello,\n\nfollowing up on our chat, these are the references I meant",
    "On Tue, 3 Mar 2020 at 10:12, Ann Lee <ann@example.org> wrote:",
    "From: Ann Lee\nSubject: snow\n\nhier die Liste:",
)
WRAPPED = (
    "Lee, A., Ray, B., and Alan H. Fox. 2019. On winter in old towns.",
    "  J. Snow 19, 7 (2019), 18–161.",
    "Fox, C.: Charting the frontier of foxes. In:",
    "  EURASIP J. Adv. Fox. Proc., pp. 68–97 (2020)",
    "KIM D. A third title about kites",
    "  – all of them. 2021, 5(5): 25-141.",
)
"""Three references of two lines each. The lines break behind ``In:`` and before a dash."""


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("quoted", ["", "> "])
@pytest.mark.parametrize("form", ["hanging", "blank lines", "flush", "bullets", "numbers"])
def test_split_text_reads_the_list_of_a_mail(
    signature: str, opening: str, quoted: str, form: str
) -> None:
    marks = {"bullets": "- ", "numbers": "1. "}
    pairs = list(zip(WRAPPED[::2], WRAPPED[1::2], strict=True))
    lines = []
    for number, (first, second) in enumerate(pairs, start=1):
        mark = marks.get(form, "").replace("1", str(number))
        lines += [mark + first, second if form == "hanging" else second.strip()]
        lines += [""] if form == "blank lines" else []
    mail = "\n".join((opening, *([""] if form == "flush" else []), *lines, "", signature))
    found = split_text("\n".join(f"{quoted}{line}".rstrip() for line in mail.split("\n")))
    starts = [first[:12] for first, _ in pairs]
    assert [
        re.sub(r"^(?:- |\d\. )", "", " ".join(item.text.split()))[:12] for item in found.items
    ] == starts
    assert found.items[1].text.endswith("(2020)")
    assert not any(line.lost for line in found.others)


def test_split_text_takes_page_numbers_for_no_numbers_of_entries() -> None:
    found = split_text(
        f"1. {ONE}\n2. Fox, C. (2020). A second\n\n12\n\ntitle about foxes.\n3. {SIX}"
    )
    assert [item.label for item in found.items] == ["1", "2", "3"]
    assert [(line.text, line.kind) for line in found.others] == [("12", LineKind.FURNITURE)]


def test_split_text_drops_running_heads_and_no_ends_of_references() -> None:
    texts = [
        f"[{n}] {name} On winter {'and snow ' * n}in\nold towns. In the third\nSnowConf,\n"
        f"pages {n}4–{n}9."
        for n, name in enumerate(("Lee, A.", "Ray, B.", "Fox, C.", "Kim, D."), start=1)
    ]
    pages = [f"{text}\n\nWinter Review {n}\n" for n, text in enumerate(texts, start=1)]
    found = split_text("\n".join(pages))
    assert [item.text for item in found.items] == texts
    assert [(line.text, line.kind) for line in found.others] == [
        (f"Winter Review {n}", LineKind.FURNITURE) for n in range(1, 5)
    ]


def test_split_text_leaves_out_remarks() -> None:
    found = split_text(f"1. {ONE}\n   - Introduces winter.\n\n2. {TWO}\n   - Introduces foxes.\n")
    assert [item.text for item in found.items] == [f"1. {ONE}", f"2. {TWO}"]
    assert {line.kind for line in found.others} == {LineKind.TEXT}
    assert len(found.others) == 2


def test_split_text_reads_labelled_fields() -> None:
    text = (
        "1. **On winter**\n   - **Authors:** A. Lee, B. Ray\n   - **Year:** 2019\n"
        "2. **On foxes**\n   - Authors: C. Fox\n   - Venue: FoxConf\n"
    )
    assert [item.text for item in split_text(text).items] == [
        "A. Lee, B. Ray. “On winter.” 2019",
        "C. Fox. “On foxes.” FoxConf",
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**Snow and Ice** – A. Lee (2019), *Snow*", "“Snow and Ice” – A. Lee (2019), Snow"),
        ("**Snow and\nIce** (A. Lee, Snow 2019)", "“Snow and\nIce” (A. Lee, Snow 2019)"),
        ("**The “cold” Ice** by A. Lee, Snow 2019", "«The “cold” Ice» by A. Lee, Snow 2019"),
        ("**Lee, Ann** (2019). Snow and Ice. Snow", "Lee, Ann (2019). Snow and Ice. Snow"),
        ("**Lee et al.** (2019). Snow and Ice. Snow", "Lee et al. (2019). Snow and Ice. Snow"),
        ("A. Lee. Snow and Ice. *Snow* **12** (2019)", "A. Lee. Snow and Ice. Snow 12 (2019)"),
    ],
)
def test_split_text_takes_words_in_bold_before_people_for_the_title(
    written: str, read: str
) -> None:
    found = split_text(f"{written}\n\n{ONE}")
    assert [item.text for item in found.items] == [read, ONE]


def test_split_text_takes_words_in_bold_above_a_whole_reference_for_a_heading() -> None:
    found = split_text(f"**Cold towns**\n{ONE}\n**Foxes**\n{TWO}")
    assert [item.text for item in found.items] == [ONE, TWO]
    assert [line.kind for line in found.others] == [LineKind.HEADING, LineKind.HEADING]


def test_split_text_keeps_words_in_bold_above_people_without_a_title() -> None:
    people = "A. Lee, B. Ray. In Proceedings of the Snow Conference, pages 1-9, 2019."
    found = split_text(f"**On winter in towns**\n{people}")
    assert [item.text for item in found.items] == ["On winter in towns", people]


@pytest.mark.parametrize("before", ["", "- ", "3. "])
def test_split_text_parts_references_at_bullets_inside_a_line(before: str) -> None:
    found = split_text(f"{before}{ONE} • {TWO} • {ONE}")
    texts = [item.text.removeprefix(before).removeprefix("• ") for item in found.items]
    assert texts == [ONE, TWO, ONE]


def test_split_text_keeps_bullets_inside_one_reference() -> None:
    text = "Lee, A. On winter (in towns) • Snow and ice. Journal of Snow, 2019."
    assert [item.text for item in split_text(text).items] == [text]


def test_split_text_reads_tables() -> None:
    text = (
        "| # | Title | Authors | Year |\n|---|---|---|---|\n| 1 | On winter | Lee et al. | 2019 |\n"
    )
    found = split_text(text)
    assert [item.text for item in found.items] == ["Lee et al. “On winter.” 2019"]
    assert [line.kind for line in found.others] == [LineKind.HEADING, LineKind.FURNITURE]


def test_split_text_says_what_the_body_of_a_paper_is() -> None:
    body = "Winter is cold, as Lee and Ray (2019) say. It was so in 2018."
    found = split_text(
        f"{body}\n\nReferences\n\n[1] {ONE}\n[2] {TWO}\n\nAppendix\n\nMore text of 2019."
    )
    assert [item.label for item in found.items] == ["1", "2"]
    assert [line.kind for line in found.others] == [
        LineKind.TEXT,
        LineKind.HEADING,
        LineKind.HEADING,
        LineKind.TEXT,
    ]


FAMILIES = ("Lee", "Fox", "Okonjo", "Lindqvist", "Marrowby", "Ellingsworth")
WORDS = ("winter", "snow", "foxes", "towns", "kites", "rivers", "graphs", "sheep", "proofs")
OTHER_LINES = {
    "introductions": ("Here are the references:", "Sure! I relied on these papers:", "Hi Bob,"),
    "remarks": (
        "Let me know if you want more!",
        "Introduces the idea of the thing.",
        "The following lines are about snow and have no year.",
        "We saw in 2019 that winter is cold, and that foxes sleep.",
    ),
    "headings": ("## Group of papers", "**Early work**", "Foxes:", "Theory\n======", "3. Methods"),
    "page furniture": ("12", "- 12 -", "Page 3 of 7", "---", "* * *", "[12]", "(3)"),
    "mail": (
        "From: Ann Lee <ann@example.org>",
        "On Tue, 3 Mar 2020 at 10:12, Ann Lee wrote:",
        "Best regards,",
        "-- ",
        "Sent from my phone",
        "Tel. +49 30 1234567",
    ),
    "code fences": ("```", "```text", "~~~"),
    "tables": ("| # | Reference |", "|---|---|", "| 1 | a cell |"),
    "running text": (
        "Winter has been studied for long, and many people say that it is cold in the old towns of"
        " the north, where the snow lies for months.",
        "As Lee (2019) and others say, this is well known, and it has been shown again.",
    ),
    "addresses": ("https://example.org/10.1000/xyz", "www.example.org", "ann@example.org"),
    "empty items": ("-", "*", "3.", "[4]", ">", "1)"),
    "blank lines": ("", "   "),
}
"""Lines of every kind that may stand among references."""


@st.composite
def references(draw: st.DrawFn) -> str:
    family, other = draw(st.permutations(FAMILIES))[:2]
    title = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=3, max_size=8)))
    year, initial = draw(st.integers(1950, 2025)), draw(st.sampled_from("ABCDEFGH"))
    return draw(
        st.sampled_from(
            (
                f"{family}, {initial}. ({year}). On {title}. Journal of Snow.",
                f"{initial}. {family} and B. {other}. On {title}. In SnowConf, {year}.",
                f"{family} et al. On {title}. SnowConf, {year}.",
                f'{initial}. {family}, "On {title}," Snow, vol. 3, pp. 1-9, {year}.',
            )
        )
    )


def wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


@given(
    strings=st.lists(references(), min_size=1, max_size=8, unique=True),
    mark=st.sampled_from(sorted(MARKS)),
    joint=st.sampled_from(("\n", "\n\n")),
    added=st.lists(
        st.tuples(
            st.integers(0, 8),
            st.sampled_from(sorted(OTHER_LINES)).flatmap(
                lambda kind: st.sampled_from(OTHER_LINES[kind])
            ),
        ),
        max_size=5,
    ),
    left_out=st.sets(st.integers(0, 7), max_size=3),
    width=st.sampled_from((1000, 1000, 78, 60)),
    quoted=st.sampled_from(("", "", "> ")),
)
def test_split_text_loses_no_reference_without_an_account(
    strings: list[str],
    mark: str,
    joint: str,
    added: list[tuple[int, str]],
    left_out: set[int],
    width: int,
    quoted: str,
) -> None:
    marked = [f"{MARKS[mark](number)}{text}" for number, text in enumerate(strings, start=1)]
    kept = ["\n".join(wrapped(text, width)) for text in marked]
    kept = [text for place, text in enumerate(kept) if place not in left_out]
    written = set(kept)
    for place, line in added:
        kept.insert(min(place, len(kept)), line)
    text, firsts = "", {}
    for piece in kept:
        if piece in written:
            first = text.count("\n") + 1
            firsts[first] = range(first, first + piece.count("\n") + 1)
        text += piece + joint
    text = "".join(quoted + line for line in text.splitlines(keepends=True))
    found = split_text(text)
    covered = {
        number
        for item in found.items
        for number in range(item.line, item.line + text.count("\n", item.begin, item.end) + 1)
    }
    accounted = {line.line: line for line in found.others}
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        assert not line.strip() or number in covered or number in accounted
    starts = {item.line for item in found.items}
    for first, own in firsts.items():
        lost = any(number in accounted and accounted[number].lost for number in own)
        assert first in starts or lost, lines[first - 1]
    assert found.read + len(found.others) == sum(bool(line.strip()) for line in lines)


def test_split_text_parts_references_that_share_a_line() -> None:
    text = (
        "1. A. Lee. On winter in old towns. Snow, 2019. 2. B. Ray. On kites in towns. Kites, 2020."
        " 4. It is no mark.\n• C. Fox. On foxes in the snow. Snow, 2021. • D. Kim. On sheep and"
        " wool. Wool, 2022.\n"
    )
    assert [(item.label, item.text[:8]) for item in split_text(text).items] == [
        ("1", "1. A. Le"),
        ("2", "2. B. Ra"),
        ("", "• C. Fox"),
        ("", "• D. Kim"),
    ]


def test_split_text_takes_repeated_short_lines_for_running_heads() -> None:
    entries = [f"A. Lee. On winter {year} in towns. Snow, {year}.\n" for year in range(2001, 2021)]
    for place in (5, 10, 15):
        entries[place] += f"\nThe Journal of Snow {place}\n\n"
    found = split_text("\n".join(entries))
    assert len(found.items) == 20
    assert [(line.text, line.kind) for line in found.others] == [
        (f"The Journal of Snow {place}", LineKind.FURNITURE) for place in (5, 10, 15)
    ]


@pytest.mark.parametrize(
    ("before", "sign", "count"),
    [
        ("Papers:\n", "-", 2),
        ("Papers:\n", "–", 2),
        ("Papers on snow\n\n", "–", 2),
        ("", "–", 2),
        ("A. Lee. On ice. Snow, 2018.\n", "*", 3),
    ],
)
def test_split_text_takes_dashes_for_marks_where_a_list_begins(
    before: str, sign: str, count: int
) -> None:
    listed = f"{sign} B. Ray. On kites. Snow, 2019.\n{sign} C. Fox. On foxes. Snow, 2020.\n"
    assert len(split_text(before + listed).items) == count
