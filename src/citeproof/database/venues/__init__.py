"""Venues: the names of conferences and journals, and the completeness of the database in each of their volumes.

``volumes`` computes the tables of venues while a database is built. ``table.VenueTable`` reads them.
"""
