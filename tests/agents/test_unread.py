"""The lines of a text that belong to no entry."""

from __future__ import annotations

from citeproof.agents.unread import with_account
from citeproof.model.account import Account
from citeproof.model.reference import Bibliography, Reference


def test_with_account_finds_the_lines_that_no_entry_has() -> None:
    entry = Reference("a", title="On Tables", raw="@misc{a,\n title={On Tables}}")
    text = "My list:\n\n@misc{a,\n title={On  Tables}}\n---\nThanks!\n"
    account = with_account(text, Bibliography((entry,))).account
    assert account is not None
    assert [(line.line, line.text) for line in account.unread] == [(1, "My list:"), (6, "Thanks!")]
    kept = Account("", 1, 2, ())
    bibliography = Bibliography((entry,), account=kept)
    assert with_account(text, bibliography) is bibliography
