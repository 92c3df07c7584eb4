"""Values and errors that a build and its child processes exchange."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.database.building.child import Child
from citeproof.model.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Iterator


def echo(sent: Iterator[Any], path: Path, last: str) -> Iterator[Any]:
    """Yield what is sent until ``last``, then fail."""
    yield from iter(sent.__next__, last)
    raise BuildError(f"{path}: no such file")


def test_child_yields_what_its_task_yields_and_raises_its_error() -> None:
    with closing(Child("was stopped", echo, Path("a.xml"), "end")) as child:
        for value in ((1, ["a", None]), 0.5):
            child.send(value)
            assert child.receive() == value
        child.send("end")
        with pytest.raises(BuildError, match=r"^a\.xml: no such file$"):
            child.receive()
        with pytest.raises(BuildError, match=r"^a\.xml: was stopped$"):
            child.receive()


def test_child_that_has_failed_raises_its_error_when_more_is_sent() -> None:
    with closing(Child("was stopped", echo, Path("a.xml"), "end")) as child:
        child.send("end")
        child._process.wait()
        with pytest.raises(BuildError, match="no such file"):
            child.send(1)
