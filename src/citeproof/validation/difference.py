"""What a rule brings: one thing in which a reference and what is known of the work do not agree."""

from __future__ import annotations

from citeproof.frozen import frozen


@frozen
class Difference:
    """One difference, not yet weighed: the policy says what it does to the verdict."""

    code: str
    """Stable code, such as ``year.off``; the rule that brings it says what it means."""
    cited: str
    recorded: str
    explanation: str
    """One line that a person can act on."""
