"""Files and databases that citeproof reads and writes. Only these modules import a database library.

``sqlite`` reads and builds databases. ``sqlite_store`` and ``postgres`` are the two engines for data that
is written while citeproof runs: ``cache`` and the package ``runtime``. ``files`` locks and replaces files.
"""
