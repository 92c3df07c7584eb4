"""What the extras ``pdf``, ``postgres``, ``bulk`` and ``mcp`` are for, and what serves instead: nothing uses them yet.

Whoever reaches for one is told so in one line. To install it would not help, so no line advises that.
"""

from __future__ import annotations

from citeproof.errors import CiteproofError

NOT_YET = {
    "pdf": "this version does not read PDF files; give the .bib, or the titles one a line in a .txt",
    "postgres": "this version does not use PostgreSQL; name a file, which is or becomes an SQLite database",
    "bulk": "this version has no command for many machines; 'citeproof verify' takes any number of files, and "
    "--concurrent sets how many references are at work at once",
    "mcp": "this version is no MCP server; 'citeproof serve' answers programs over HTTP, and "
    "'citeproof lookup --format json' on the command line",
}
"""What to say for each extra that is declared and that nothing uses yet."""

COMMANDS = ("bulk", "mcp")
"""Those of them that would be commands."""

_POSTGRES = ("postgresql:/", "postgres:/", "postgresql+")


class NotYetError(CiteproofError):
    """Something was asked for that this version does not do; the message names what does it instead."""

    def __init__(self, subject: str, extra: str) -> None:
        super().__init__(f"{subject}: {NOT_YET[extra]}")


def refuse_postgres(subject: str, place: object) -> None:
    """Raise when ``place``, where a file is meant, is the address of a PostgreSQL server.

    The message has ``subject`` in its place, since an address often holds a password.
    """
    if str(place).startswith(_POSTGRES):
        raise NotYetError(subject, "postgres")
