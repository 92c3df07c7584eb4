"""Answers from a title index: map the file, find which titles can be near, compare only those."""
