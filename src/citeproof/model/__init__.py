"""The nouns of citeproof as frozen values: references, records, findings, verdicts and runs; and the errors.

Every other package may import this one; it imports nothing of citeproof. How the values look as JSON is in ``report``.
"""
