"""Acceptances: which ones hold, what content counts, and the file."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from citeproof.fix import acceptance
from citeproof.fix.acceptance import Acceptances, Accepted, changed, content_of, read
from citeproof.model.errors import InputError
from citeproof.model.reference import Place, Reference, name_of
from citeproof.model.verdict import Lapse, Status, Verdict
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex

TODAY = date(2026, 11, 22)


@pytest.fixture
def verdict(tmp_path: Path) -> Verdict:
    """Return the verdict on an entry that is accepted until today."""
    reference = Reference("k", "A Theory", place=Place(str(tmp_path / "refs.bib"), 3))
    accepted = Accepted("refs.bib", "k", "seen", date(2026, 1, 1), TODAY, content_of(reference))
    path = tmp_path / acceptance.NAME
    path.write_text(acceptance.changed(path, "", [accepted]), "utf-8")
    return Verdict(reference, Status.INVALID, "title_not_found", 0.9)


def test_applied_holds_on_its_last_day_and_the_status_stays(verdict: Verdict) -> None:
    accepted = Acceptances(lambda: TODAY).applied(verdict)
    assert accepted.is_accepted
    assert replace(accepted, acceptance=None) == verdict


def test_applied_is_over_the_day_after(verdict: Verdict) -> None:
    (acceptance,) = [Acceptances(lambda: date(2026, 11, 23)).applied(verdict).acceptance]
    assert acceptance
    assert acceptance.lapsed is Lapse.EXPIRED


def test_applied_a_changed_entry_is_asked_again(verdict: Verdict) -> None:
    changed = replace(verdict, reference=replace(verdict.reference, year=1985))
    acceptance = Acceptances(lambda: TODAY).applied(changed).acceptance
    assert acceptance
    assert acceptance.lapsed is Lapse.CHANGED


def test_applied_is_for_its_own_file_alone(verdict: Verdict, tmp_path: Path) -> None:
    other = replace(
        verdict, reference=replace(verdict.reference, place=Place(str(tmp_path / "other.bib"), 3))
    )
    assert Acceptances(lambda: TODAY).applied(other) == other


@pytest.mark.parametrize("name", ["<stdin>", "", "papers.zip/refs.bib"])
def test_applied_what_is_no_file_has_none(verdict: Verdict, tmp_path: Path, name: str) -> None:
    (tmp_path / "papers.zip").write_bytes(b"")
    place = Place(str(tmp_path / name) if name.startswith("papers") else name, 3)
    other = replace(verdict, reference=replace(verdict.reference, place=place))
    assert Acceptances(lambda: TODAY).applied(other) == other


def test_applied_nothing_is_accepted_where_that_is_wanted(verdict: Verdict) -> None:
    assert Acceptances(lambda: TODAY, none=True).applied(verdict) == verdict


def test_unmet_an_entry_that_is_gone_is_noted_but_not_of_a_paper_that_does_not_cite_it(
    verdict: Verdict,
) -> None:
    other = replace(verdict, reference=replace(verdict.reference, key="other"))
    whole = Acceptances(lambda: TODAY)
    whole.applied(other)
    assert "no longer has the entry 'k'" in "".join(whole.unmet())
    whole.applied(verdict)
    assert whole.unmet() == ()
    cited = Acceptances(lambda: TODAY)
    cited.applied(
        replace(
            other,
            reference=replace(other.reference, place=replace(other.reference.place, paper="a.tex")),
        )
    )
    assert cited.unmet() == ()


def test_applied_a_damaged_file_accepts_nothing_and_is_named_once(
    verdict: Verdict, tmp_path: Path
) -> None:
    (tmp_path / acceptance.NAME).write_text("= broken", "utf-8")
    acceptances = Acceptances(lambda: TODAY)
    assert [acceptances.applied(verdict) for _ in range(2)] == [verdict, verdict]
    assert len(acceptances.troubles) == 1
    assert "no entry of this file counts as accepted" in acceptances.troubles[0]


ENTRY = (
    "@article{k, title = {A Theory of the {Learnable}}, author = {Valiant, L. G.}, year = 1984,"
    " note = {x}}"
)


def content(entry: str) -> str:
    (reference,) = bibtex.read(Document.of_text(entry, "refs.bib")).references
    return content_of(reference)


@pytest.mark.parametrize(
    "other",
    [
        (
            '@Article(k,\n  year = {1984},\n  author = "Valiant,  L. G.",\n  title = {A theory of'
            " the learnable}\n)"
        ),
        ENTRY.replace("{k,", "{another,"),
        ENTRY.replace("{x}", "{y}"),
    ],
    ids=["layout", "key", "note"],
)
def test_layout_does_not_count(other: str) -> None:
    assert other != ENTRY
    assert content(other) == content(ENTRY)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1984", "1985"),
        ("Theory", "Notion"),
        ("L. G.", "L."),
        ("article", "book"),
        ("note", "url"),
        ("note", "pages"),
    ],
)
def test_content_of_what_is_said_of_the_work_counts(before: str, after: str) -> None:
    assert content(ENTRY.replace(before, after)) != content(ENTRY)


def test_of_running_text_the_text_counts() -> None:
    text = Reference("1", "A Theory", year=1984, raw="Valiant. A Theory. 1984.", from_text=True)
    assert content_of(replace(text, title="Valiant. A Theory")) == content_of(text), (
        "it is read in another way"
    )
    assert content_of(replace(text, raw="Valiant.  A Theory.\n1984.")) == content_of(text)
    assert content_of(replace(text, raw="Valiant. A Theory. 1985.")) != content_of(text)


PATH = Path("citeproof.accepted.toml")
ONE = Accepted(
    "refs.bib", "one", 'it "is" C:\\x \x7f \U0001f600', date(2026, 11, 22), None, "0123456789abcdef"
)
TWO = Accepted(
    "refs.bib", "two", "seen on paper", date(2026, 11, 22), date(2027, 1, 1), "fedcba9876543210"
)
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


def test_read_what_is_written_is_read_again(tmp_path: Path) -> None:
    assert kept(tmp_path, changed(PATH, "", [ONE, TWO])) == (ONE, TWO)


def test_read_no_file_accepts_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / PATH) == ()


def test_read_what_is_there_stays_as_it_is(tmp_path: Path) -> None:
    after = changed(PATH, BY_HAND, [TWO])
    assert after.startswith(BY_HAND)
    assert [one.key for one in kept(tmp_path, after)] == ["one", "three", "two"]


def test_read_an_entry_is_accepted_once(tmp_path: Path) -> None:
    after = changed(PATH, BY_HAND, [ONE])
    assert [(one.key, one.because) for one in kept(tmp_path, after)] == [
        ("three", "mine"),
        ("one", ONE.because),
    ]
    assert [line for line in after.splitlines() if line.startswith("#")] == [
        "# Our list.",
        "# About the next.",
        "# The end.",
    ]


def test_changed_what_is_removed_leaves_the_rest(tmp_path: Path) -> None:
    both = changed(PATH, "", [ONE, TWO])
    assert kept(tmp_path, changed(PATH, both, removed=[ONE.name])) == (TWO,)
    assert kept(tmp_path, changed(PATH, both, removed=[ONE.name, TWO.name])) == ()


def test_read_the_ends_of_lines_are_kept(tmp_path: Path) -> None:
    after = changed(PATH, BY_HAND.replace("\n", "\r\n"), [TWO])
    assert after.count("\r\n") == after.count("\n")
    assert len(kept(tmp_path, after)) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<<<<<<< HEAD\n", "Invalid statement (at line 1"),
        (
            BY_HAND.replace("because", "becuase"),
            "number 1: there is no 'becuase'; there are file, key, because",
        ),
        (BY_HAND.replace("because", "# because"), "number 1: 'because' is missing"),
        (BY_HAND.replace('"mine"', '" "'), "number 2: because is empty"),
        (BY_HAND.replace("2025-01-01", '"soon"'), "number 1: on is a date such as 2026-11-22"),
        (BY_HAND.replace("three", "one"), "'one' of refs.bib occurs twice"),
        (BY_HAND.replace("[[", "[").replace("]]", "]").partition("# About")[0], "two brackets"),
        ("accept = []\n", "there is no 'accept', only [[accepted]]"),
        ("accepted = [1]\n", "number 1 is not a table"),
    ],
)
def test_read_what_cannot_be_understood_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        kept(tmp_path, text)
    assert f"{PATH}: is not valid: " in str(caught.value)
    assert said in str(caught.value)


def test_read_no_text_is_refused(tmp_path: Path) -> None:
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
def test_changed_what_only_a_person_can_change_is_left_alone(text: str) -> None:
    with pytest.raises(InputError, match="by hand"):
        changed(PATH, text, [ONE])


def test_name_of_is_the_key_or_else_the_doi_or_the_title() -> None:
    whole = Reference("k", "A Title", doi="10.1000/1")
    assert name_of(whole) == "k"
    assert name_of(replace(whole, key="")) == "10.1000/1"
    assert name_of(replace(whole, key="", doi="")) == "A Title"
    assert name_of(Reference("")) == ""


def test_changed_begins_a_new_line_behind_a_text_without_an_end(tmp_path: Path) -> None:
    one = Accepted("refs.bib", "k", "because", date(2026, 1, 1), None, "0" * 16)
    text = changed(tmp_path / "accepted.toml", "# mine", [one])
    assert text.startswith("# mine\n\n[[accepted]]\n")
    again = changed(tmp_path / "accepted.toml", text, [replace(one, key="l")])
    assert again.startswith(text)
    assert again.count("\n\n\n") == 0
