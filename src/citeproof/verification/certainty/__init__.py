"""How sure a verdict is: how often such verdicts are right, and the chance that the reference is invented.

The package contains counts on labelled references and the numbers computed from them. It may import ``model`` and
``text``; ``validation`` imports it. It is no part of the decision: it compares no records and changes no status.
"""
