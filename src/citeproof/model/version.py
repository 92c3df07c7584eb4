"""The version of citeproof, in the lowest package, so that every other package may import it."""

__version__ = "0.2.0.dev0"
