"""The version of citeproof. It is in the lowest package, so that every other package may import it."""

__version__ = "0.2.0.dev0"
