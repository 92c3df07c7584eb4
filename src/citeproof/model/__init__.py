"""The nouns of citeproof as frozen values: references, records, findings, verdicts and runs; and the errors.

Every other package may import this one; it imports nothing of citeproof. The package ``report`` defines how the values
look as JSON.
"""
