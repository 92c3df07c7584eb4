"""A language server: it shows problems of references in an editor while a bibliography or a paper is written.

The package may import all packages except ``cli``, ``web``, ``agents`` and ``screen``. It checks against the
local database, and opens no connections by default.
"""
