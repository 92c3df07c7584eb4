"""Processes of a service are killed at random: acknowledged requests are recorded and done once."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import pytest

from tests.scenarios.web.clients import Load, assert_nothing_lost_or_done_twice, jobs
from tests.scenarios.web.processes import family, role
from tests.store.runtime.conftest import engine as engine  # noqa: PLC0414 - a fixture

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.store.runtime.conftest import Engine

KILLS = int(os.environ.get("KILLS", "5"))
"""Number of kills; ``KILLS=50`` is the long run before a release."""
VICTIMS = ("job", "search_process", "worker", "server")
ACKNOWLEDGED = 6
"""Minimum requests answered between two kills."""
MOST_SECONDS = 0.3
"""Maximum random delay before the next kill."""


class Killer:
    """Kills processes of a service with two workers, and restarts the service if its parent was
    killed.
    """

    def __init__(self, start: Callable[[], Any]) -> None:
        self._start = start
        self._chance = random.Random(20)
        self.server = start()

    def kill(self, victim: str) -> None:
        """Kill a process of that role, or all processes that do jobs, as soon as there is one."""
        if victim == "server":
            members = [
                pid for pid in family(self.server.process.pid) if pid != self.server.process.pid
            ]
            self.server.kill()
            for pid in members:
                self.server.wait_until_gone(pid)
            self.server = self._start()
            return
        found: list[int] = []

        def there() -> bool:
            found[:] = [pid for pid in family(self.server.process.pid) if role(pid) == victim]
            return bool(found)

        self.server.wait_until(there)
        for pid in found if victim == "job" else [self._chance.choice(found)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


OPEN = "state IN ('waiting', 'running')"
ONCE_MORE = f"{OPEN} AND attempts > 1"
"""Jobs that would fail if their worker was killed once more."""
UNDER_WAY = "state = 'running' AND by_status <> '{}'"


@pytest.mark.slow
@pytest.mark.timeout(120 + 30 * KILLS)
def test_service_loses_nothing_acknowledged_when_killed_under_load(
    start_server: Callable[..., Any], engine: Engine
) -> None:
    port: dict[str, int] = {}

    def start() -> Any:
        server = start_server(runtime_store=engine.place, workers=2, lock_wait=30.0, **port)
        port["port"] = server.options.port  # the next one has the same
        return server

    killer = Killer(start)
    chance = random.Random(17)
    load = Load(port["port"]).start()
    killed = Counter[str]()
    for victim in islice(cycle(VICTIMS), KILLS):
        enough = load.acknowledged() + ACKNOWLEDGED
        killer.server.wait_until(
            lambda enough=enough: load.acknowledged() >= enough and not jobs(engine, ONCE_MORE)
        )
        time.sleep(chance.uniform(0, MOST_SECONDS))
        if victim == "job":
            killer.server.wait_until(lambda: jobs(engine, UNDER_WAY) > 0)
        killer.kill(victim)
        killed[victim] += 1
    load.stop()
    killer.server.wait_until(lambda: not jobs(engine, OPEN))
    killer.server.stop()
    engine.open().close()
    assert killed.total() == KILLS
    print(f"\n{dict(killed)}: {_summary(load, engine)}")
    assert_nothing_lost_or_done_twice(load, engine)


def _summary(load: Load, engine: Engine) -> str:
    again = jobs(engine, "attempts > 1")
    interrupted = engine.rows("SELECT count(*) FROM batch_runs WHERE status = 'interrupted'")[0][0]
    return (
        f"{len(load.singles)} searches, {len(load.batches)} batches and {len(load.jobs)} jobs of"
        f" {sum(load.jobs.values())} references acknowledged, {load.cut} requests cut, {again} jobs"
        f" taken up again, {interrupted} batches interrupted"
    )
