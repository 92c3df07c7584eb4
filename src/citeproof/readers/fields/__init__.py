"""Fields of references, shared by the formats: authors, identifiers, citations, limits, items of JSON.

Nothing here knows of documents or formats. The modules import the model and text functions.
"""
