"""Makes a title index, while a database is built or from one that stands."""
