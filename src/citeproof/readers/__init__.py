"""Open the files, folders and archives that a user names, and turn each entry in them into a
reference or a diagnostic.

``formats`` has a module for each input format. These modules share ``fields``, ``strings``
(references written as text) and ``lists`` (reference lists of papers). The package opens no
connection and runs no code of a document.
"""
