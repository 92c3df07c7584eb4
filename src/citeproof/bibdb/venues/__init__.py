"""Venues: what conferences and journals are called, and how complete the database is in each of their volumes.

:func:`learn` adds the tables of venues to a database while it is built (:mod:`~citeproof.bibdb.venues.beside` from
another process), and :func:`seal` their checksum.
:class:`VenueTable` reads them.
"""

from citeproof.bibdb.venues.table import VenueTable, seal
from citeproof.bibdb.venues.volumes import learn

__all__ = ["VenueTable", "learn", "seal"]
