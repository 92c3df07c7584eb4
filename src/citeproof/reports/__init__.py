"""One output a file; those of a whole run have the same function: ``render``."""
