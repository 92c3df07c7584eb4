"""Fields of references, shared by the formats: authors, identifiers, citations, limits, items of JSON."""
