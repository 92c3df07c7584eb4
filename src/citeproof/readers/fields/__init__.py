"""Code that the readers of several input formats share: authors, BibTeX fields, cited keys, limits,
JSON items, XML.
"""
