"""Compare the fields of a reference with records, one kind of field per file."""
