"""Venues: what conferences and journals are called, and how complete the database is in each of their volumes.

``volumes`` computes the tables of venues of a database while it is built, and ``table.seal`` adds their checksum.
``table.VenueTable`` reads them, and loads nothing of what builds them.
"""
