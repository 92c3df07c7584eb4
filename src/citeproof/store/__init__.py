"""Files and databases that citeproof reads and writes: the only modules that import a database library.

``sqlite`` reads databases and ``bulk`` builds them. ``sqlite_store`` and ``postgres`` are the two engines of what is
written while citeproof runs: ``cache`` and the package ``runtime``. ``files`` locks and replaces files. It imports the
model and text, and nothing above.
"""
