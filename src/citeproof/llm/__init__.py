"""Reading a doubtful reference again with a language model."""
