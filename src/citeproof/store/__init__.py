"""Files and databases that citeproof reads and writes. Only these modules import a database library.

``sqlite`` reads and builds databases. ``sqlite_store`` and ``postgres`` read and write SQLite and PostgreSQL for
``cache`` and for ``runtime``, which is the data of the web service. ``files`` locks and replaces files.
"""
