"""Venues: the names of conferences and journals, and which share of the papers of a volume the database has.

``volumes`` computes the tables of venues while a database is built. ``table.VenueTable`` reads the tables.
"""
