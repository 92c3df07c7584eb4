"""Venues: the names of conferences and journals, and the completeness of the database in each of their volumes.

``volumes`` computes the tables of venues of a database while it is built, and ``table.seal`` adds their checksum.
``table.VenueTable`` reads them, and loads nothing of what builds them.
"""
