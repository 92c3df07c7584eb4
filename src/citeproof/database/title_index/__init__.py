"""The title index: a file that answers exactly which titles are most similar to a query, in milliseconds.

``format`` describes the file, ``signature`` the bits that are stored of each title. ``mapped`` reads the file,
``exact`` finds equal titles, and ``search`` with ``scan`` the most similar ones. ``attached`` is the index as a
database uses it. An answer proves a miss: no title of the index is more similar than the answer says. The package
imports nothing that writes the file, which is :mod:`citeproof.database.build.title_index`.
"""
