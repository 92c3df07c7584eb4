"""What the account of a text tells a user."""

from citeproof.model.account import Account, LineKind, Unread
from citeproof.model.reference import Bibliography

LOST = Unread("a.txt", 7, LineKind.UNKNOWN, "Lee 2019 doi:10.1000/xyz", lost=True)
INTRO = Unread("a.txt", 1, LineKind.INTRODUCTION, "Here they are:")


def test_account_of_a_text_without_other_lines_says_nothing() -> None:
    assert Account("a.txt", references=2, read=3).notes == ()


def test_account_counts_and_quotes_the_lines_that_were_not_read() -> None:
    account = Account("a.txt", 12, 12, (INTRO, LOST), "was read as a list")
    first, second, warning = Bibliography((), account=account).notes
    assert first == "a.txt: was read as a list"
    assert second.startswith(
        "12 references; 2 lines were not read as references (1 introduction, 1 not understood):"
        " line 1 'Here they are:'; line 7 "
    )
    assert warning.startswith("WARNING: 1 line that looks like a reference could not be read;")
    assert account.lost == (LOST,)


def test_account_quotes_the_first_lines_only() -> None:
    (note,) = Account("", 1, 1, (INTRO,) * 9).notes
    assert note.count("Here they are:") == 5
    assert note.endswith("and 4 more")
