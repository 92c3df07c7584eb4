"""One input format a file, each with the same function: ``read``."""
