"""One field of a reference against one or more records, a kind of field a file: what agrees and what does not."""
