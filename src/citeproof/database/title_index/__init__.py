"""The title index: a file that finds all titles of a database that are most similar to a query, in
milliseconds.

``format`` describes the file. ``signature`` computes bits of each title, which exclude most titles
from a search. ``mapped`` reads the file. ``exact`` finds equal titles. ``search`` and ``scan`` find
the most similar titles. ``attached`` is the interface to a database.
:mod:`citeproof.database.building.title_index` writes the file.
"""
