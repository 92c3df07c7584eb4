"""Compare the fields of a reference with those of records, one kind of field per file."""
