"""Venues: the names of conferences and journals, and how many of the papers of each volume the
database has.

``volumes`` computes the tables of venues while a database is built. ``table.VenueTable`` reads the
tables.
"""
