"""The version of citeproof, in a module that every other module may import."""

__version__ = "0.2.0"
