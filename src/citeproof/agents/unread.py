"""Find the lines of a text that belong to no entry."""

from dataclasses import replace

from citeproof.model.account import Account, LineKind, Unread
from citeproof.model.reference import Bibliography

MAX_LINE = 300
"""Maximum number of characters that are shown of a line that belongs to no entry."""


def with_account(text: str, bibliography: Bibliography) -> Bibliography:
    """Return ``bibliography``, which was read from ``text``, with an account of all lines: what
    each line was read as.

    The account is added here, because readers of formats with fields, such as BibTeX, do not
    provide one.
    """
    if bibliography.account:
        return bibliography
    every = "\n".join(_letters(entry.raw) for entry in bibliography.entries)
    lines = [line.strip() for line in text.splitlines()]
    unread = tuple(
        Unread("", number, LineKind.TEXT, line[:MAX_LINE])
        for number, line in enumerate(lines, 1)
        if _letters(line) not in every
    )
    read = sum(map(bool, lines)) - len(unread)
    account = Account("", len(bibliography.references), read, unread)
    return replace(bibliography, account=account)


def _letters(text: str) -> str:
    """Return only the letters and digits of a text. They are used to find a line in an entry whose
    lines were joined.
    """
    return "".join(filter(str.isalnum, text))
