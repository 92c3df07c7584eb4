"""A difference between a reference and the records of the work, as the rules return it."""

from __future__ import annotations

from dataclasses import dataclass, replace

CODES = {"version.differs": "The difference may come from a version of the work that is not recorded."}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference; the policy weighs it."""

    code: str
    """Stable code, such as ``year.off``; the rule's ``CODES`` has its meaning."""
    cited: str
    recorded: str
    explanation: str
    """One line for the user to act on."""
    of: str = ""
    """Code that the difference would have against the cited version, if it is against another one."""

    def of_another_version(self) -> Difference:
        """Return this difference as one against another version, because no record of the cited one is known."""
        explanation = f"{self.explanation}; another version may be meant"
        return replace(self, code="version.differs", of=self.code, explanation=explanation)
