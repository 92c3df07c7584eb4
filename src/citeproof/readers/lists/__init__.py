"""Reference lists as lines of text: find where each list begins and ends, and group its lines into entries.

Lines of a PDF have coordinates in points. In a text file, a line's left edge is its number of leading spaces.
"""
