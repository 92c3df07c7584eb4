"""The file that keeps what is accepted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from citeproof.fix.acceptance import Accepted, changed, read
from citeproof.model.errors import InputError

PATH = Path("citeproof.accepted.toml")
ONE = Accepted("refs.bib", "one", 'it "is" C:\\x \x7f \U0001f600', date(2026, 11, 22), None, "0123456789abcdef")
TWO = Accepted("refs.bib", "two", "seen on paper", date(2026, 11, 22), date(2027, 1, 1), "fedcba9876543210")
BY_HAND = """\
# Our list.

[[accepted]]  # the first
key = 'one'
file = "refs.bib"
because = "old"
on = 2025-01-01
content = "0"

# About the next.
[[accepted]]
file = "refs.bib"
key = "three"
because = "mine"
on = 2025-01-01
content = "1"
# The end.
"""


def kept(tmp_path: Path, text: str) -> tuple[Accepted, ...]:
    path = tmp_path / PATH
    path.write_bytes(text.encode())
    return read(path)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    assert kept(tmp_path, changed(PATH, "", [ONE, TWO])) == (ONE, TWO)


def test_no_file_accepts_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / PATH) == ()


def test_what_is_there_stays_as_it_is(tmp_path: Path) -> None:
    after = changed(PATH, BY_HAND, [TWO])
    assert after.startswith(BY_HAND)
    assert [one.key for one in kept(tmp_path, after)] == ["one", "three", "two"]


def test_an_entry_is_accepted_once(tmp_path: Path) -> None:
    after = changed(PATH, BY_HAND, [ONE])
    assert [(one.key, one.because) for one in kept(tmp_path, after)] == [("three", "mine"), ("one", ONE.because)]
    assert [line for line in after.splitlines() if line.startswith("#")] == [
        "# Our list.", "# About the next.", "# The end."
    ]  # fmt: skip


def test_what_is_removed_leaves_the_rest(tmp_path: Path) -> None:
    both = changed(PATH, "", [ONE, TWO])
    assert kept(tmp_path, changed(PATH, both, removed=[ONE.name])) == (TWO,)
    assert kept(tmp_path, changed(PATH, both, removed=[ONE.name, TWO.name])) == ()


def test_the_ends_of_lines_are_kept(tmp_path: Path) -> None:
    after = changed(PATH, BY_HAND.replace("\n", "\r\n"), [TWO])
    assert after.count("\r\n") == after.count("\n")
    assert len(kept(tmp_path, after)) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<<<<<<< HEAD\n", "Invalid statement (at line 1"),
        (BY_HAND.replace("because", "becuase"), "number 1: there is no 'becuase'; there are file, key, because"),
        (BY_HAND.replace("because", "# because"), "number 1: 'because' is missing"),
        (BY_HAND.replace('"mine"', '" "'), "number 2: because is empty"),
        (BY_HAND.replace("2025-01-01", '"soon"'), "number 1: on is a day such as 2026-11-22"),
        (BY_HAND.replace("three", "one"), "'one' of refs.bib stands twice"),
        (BY_HAND.replace("[[", "[").replace("]]", "]").partition("# About")[0], "two brackets"),
        ("accept = []\n", "there is no 'accept', only [[accepted]]"),
        ("accepted = [1]\n", "number 1 is no table"),
    ],
)
def test_what_cannot_be_understood_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        kept(tmp_path, text)
    assert f"{PATH}: cannot be understood: " in str(caught.value)
    assert said in str(caught.value)


def test_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / PATH).write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="no UTF-8"):
        read(tmp_path / PATH)


@pytest.mark.parametrize(
    "text",
    [
        'accepted = [{file = "r", key = "k", because = "b", on = 2026-01-01, content = "c"}]\n',
        BY_HAND.replace('"old"', '"""\n[[accepted]]\n"""'),
    ],
    ids=["in one line", "a text over lines"],
)
def test_what_only_a_person_can_change_is_left_alone(text: str) -> None:
    with pytest.raises(InputError, match="by hand"):
        changed(PATH, text, [ONE])
