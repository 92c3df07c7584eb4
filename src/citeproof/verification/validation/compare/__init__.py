"""Compare fields of a reference with fields of records. Each module compares one kind of field."""
