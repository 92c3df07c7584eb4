"""A language server: it shows problems of references in an editor while a bibliography or a paper is written.

The package may import all packages except ``cli``, ``web``, ``agents`` and ``screen``. It checks with the local
database, and is offline by default.
"""
