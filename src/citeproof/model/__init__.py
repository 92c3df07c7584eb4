"""The data types of citeproof: references, records, findings, verdicts, runs and errors. Most values are immutable.

Every other package may import this one, which imports no other. The package ``report`` turns the values into JSON.
"""
