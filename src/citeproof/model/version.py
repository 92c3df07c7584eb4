"""The version of citeproof: one place, on the lowest floor, so that every floor may name it."""

__version__ = "0.2.0.dev0"
