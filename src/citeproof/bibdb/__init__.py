"""The bibliographic database: build it, open it, look up a title."""
