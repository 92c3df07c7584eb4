"""The bibliographic database: one SQLite file of records, with indexes, that look-ups read and only a build writes.

``lookup`` opens a database and answers, with ``title_index``, ``word_index``, ``author_index`` or ``matches.Titles``.
``venues`` and ``coverage`` say what the database holds completely, ``check`` whether it is intact, and ``choice`` which
database a run uses. ``build`` writes databases. The package knows nothing of references' verdicts.
"""
