"""Reading the fields of a reference: authors, years, venues, identifiers. Formats share it."""
