"""The bibliographic database: an SQLite file with records of works, and with indexes for looking up
titles and authors.

``lookup`` opens a database. It finds works by ``title_index``, ``word_index`` or ``author_index``,
or compares all titles with ``matches.Titles``. ``venues`` and ``coverage`` state which volumes and
which kinds of works the database has completely or nearly completely. ``check`` tests whether a
database is intact, and ``choice`` chooses the database for a command. ``building`` writes
databases.
"""
