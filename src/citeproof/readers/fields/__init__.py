"""Code that the formats share: authors, BibTeX fields, citations of papers, limits, JSON items, XML."""
