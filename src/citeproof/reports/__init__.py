"""One output a file, each with the same function: ``render``."""
