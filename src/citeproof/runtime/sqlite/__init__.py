"""The runtime store in one SQLite file."""
