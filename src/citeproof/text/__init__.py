"""Pure functions over text: what the rest of citeproof means by "the same"."""
