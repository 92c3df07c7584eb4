"""How often verdicts like a given one are right, and the chance that a reference is invented, from labelled references.

It may import ``model`` and ``text``; ``validation`` imports it. It compares no records and changes no status.
"""
