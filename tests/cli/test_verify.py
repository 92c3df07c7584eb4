"""The words of ``--fail-on``."""

import pytest

from citeproof.cli.verify import failing
from citeproof.model.errors import ConfigurationError
from citeproof.model.verdict import Status


@pytest.mark.parametrize(
    ("said", "statuses"),
    [
        ("suspicious", {Status.SUSPICIOUS, Status.INVALID, Status.ERROR}),
        ("never", {Status.ERROR}),
        ("invalid,not-error", {Status.INVALID}),
        (" unverified , not-error ", {Status.SUSPICIOUS, Status.INVALID, Status.UNVERIFIED}),
        ("never,not-error", set()),
    ],
)
def test_failing_what_fails(said: str, statuses: set[Status]) -> None:
    assert set(failing(said)) == statuses


@pytest.mark.parametrize(
    "said", ["", "error", "not-error", "invalid,", "invalid,suspicious", "invalid,not-error,never"]
)
def test_failing_another_word_is_refused(said: str) -> None:
    with pytest.raises(ConfigurationError, match="is not one of suspicious, invalid, "):
        failing(said)
