"""The data types of citeproof: references, records, findings, verdicts, runs and errors.

Most values are immutable.

This package imports no other package of citeproof. The package ``report`` converts the values to
JSON.
"""
