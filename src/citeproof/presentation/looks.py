"""How a status looks, wherever people see one."""

from __future__ import annotations

from citeproof.models import Status

MARKS = {
    Status.VALID: "✓",
    Status.SUSPICIOUS: "!",
    Status.INVALID: "✗",
    Status.UNVERIFIED: "?",
    Status.ERROR: "⚠",
}
"""The mark of each status."""
STYLES = {
    Status.VALID: "green",
    Status.SUSPICIOUS: "yellow",
    Status.INVALID: "bold red",
    Status.UNVERIFIED: "cyan",
    Status.ERROR: "magenta",
}
"""Its colour on a terminal."""
WORST_FIRST = (Status.INVALID, Status.SUSPICIOUS, Status.ERROR, Status.UNVERIFIED, Status.VALID)
"""The order in which people want to read."""
