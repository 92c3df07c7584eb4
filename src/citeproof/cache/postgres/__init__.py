"""The cache in a PostgreSQL database, which several hosts share: the same two tables."""
