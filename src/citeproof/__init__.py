"""citeproof checks whether the references of a paper exist and are described as they are."""

__version__ = "0.1.0"
