"""Files and databases that citeproof reads and writes.

Only these modules import a database library.

``sqlite`` reads and builds bibliographic databases. ``sqlite_store`` and ``postgres`` access the
databases of the cache (``cache``) and of the web service (``runtime``). ``files`` locks and
replaces files.
"""
