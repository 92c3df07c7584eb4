"""Reports on a run of citeproof: sections, sentences and JSON objects for all output formats.

Reports do not change verdicts.
"""
