"""What makes the exit code of ``citeproof verify`` another one than 0: the words of ``--fail-on``."""

from __future__ import annotations

from citeproof.errors import ConfigurationError
from citeproof.models import Status

FAIL_ON = {
    "suspicious": (Status.SUSPICIOUS, Status.INVALID),
    "invalid": (Status.INVALID,),
    "unverified": (Status.SUSPICIOUS, Status.INVALID, Status.UNVERIFIED),
    "never": (),
}
"""Which statuses make the exit code 1."""
NOT_ERROR = "not-error"
"""With this word what could not be checked does not make it 3."""
WORDS = f"{', '.join(FAIL_ON)}, or one of them and {NOT_ERROR}, such as invalid,{NOT_ERROR}"
"""What a user may write."""


def failing(said: str) -> tuple[Status, ...]:
    """Return the statuses that make the exit code another one than 0: ``invalid,not-error`` is INVALID alone.

    Raises :class:`ConfigurationError` for another word.
    """
    word, *more = (part.strip() for part in said.split(","))
    if word not in FAIL_ON or more not in ([], [NOT_ERROR]):
        raise ConfigurationError(f"{said!r} is not one of {WORDS}")
    return (*FAIL_ON[word], *([] if more else [Status.ERROR]))
