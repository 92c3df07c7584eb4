"""The title index: a file that answers exactly which titles are most similar to a query, in milliseconds.

``format`` describes the file, and ``signature`` the bits of each title that exclude it from most searches. ``mapped``
reads the file, ``exact`` finds equal titles, and ``search`` with ``scan`` the most similar titles. ``attached`` is the
index as a database uses it, and :mod:`citeproof.database.build.title_index` writes the file.
"""
