"""The only modules that import a database library."""
