"""Reference lists that stand as lines of text: where a list begins and ends, and which lines are one entry.

A PDF's lines have places in points; those of a text file have the number of spaces before them as their left edge.
"""
