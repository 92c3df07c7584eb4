"""Code shared by the readers of input formats: authors, BibTeX fields, cited keys, limits, JSON
items, XML.
"""
