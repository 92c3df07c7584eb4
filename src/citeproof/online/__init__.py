"""The online sources, one a file, each with the same shape: ``search(reference) -> findings``."""
