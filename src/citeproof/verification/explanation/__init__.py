"""The works that a reference may mean, and what was searched for it.

The package may import ``validation``; the validator imports it. It is no part of the decision: it changes no status.
"""
