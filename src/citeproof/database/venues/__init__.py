"""Venues: what conferences and journals are called, and how complete the database is in each of their volumes.

``volumes.learn`` adds the tables of venues to a database while it is built (``beside`` from another process), and
``table.seal`` their checksum. ``table.VenueTable`` reads them, and loads nothing of what builds them.
"""
