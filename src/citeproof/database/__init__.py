"""The bibliographic database: an SQLite file with records of works, and with indexes for looking up
titles and authors.

``lookup`` opens a database. It finds works by ``title_index``, ``word_index`` or ``author_index``,
or compares all titles with ``matches.Titles``. ``venues`` and ``coverage`` say of which works the
database has all or nearly all. ``check`` tests whether a database is intact, and ``choice`` chooses
the database for a command. ``building`` writes databases.
"""
