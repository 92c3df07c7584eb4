"""Reports on a run: sections, sentences and JSON objects for all output formats.

Reports do not change verdicts.
"""
