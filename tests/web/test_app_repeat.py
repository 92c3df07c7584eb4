"""Background tasks: a failure is logged and counted, and the task is started again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.web.app import repeat
from citeproof.web.backend import Metrics

if TYPE_CHECKING:
    from pathlib import Path


def test_repeat_runs_a_failed_task_again_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics(tmp_path / "none.db")
    failures = [
        FileNotFoundError("a document that went"),
        OSError(24, "Too many open files"),
        DatabaseError("locked"),
    ]

    async def task() -> None:
        raise failures.pop(0) if failures else asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(repeat("expiry", task, 0.0, metrics, pause=0.0))
    assert b'citeproof_background_failures_total{task="expiry"} 3.0' in metrics.render()
    assert [line.split()[-1] for line in caplog.text.splitlines()] == [
        "FileNotFoundError",
        "OSError",
        "locked",
    ]
