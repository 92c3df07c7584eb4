"""Compute how often verdicts like a given one are right, and the chance that its reference is invented.

The package contains counts on labelled references and the numbers computed from them. It may import ``model`` and
``text``; ``validation`` imports it. It is no part of the decision: it compares no records and changes no status.
"""
