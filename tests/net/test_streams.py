from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest

from citeproof.net.client import Client
from citeproof.net.clock import SystemClock
from citeproof.net.failure import Kind, SourceError
from citeproof.net.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def silent() -> Iterator[str]:
    """Return the address of a host that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_a_stopped_run_does_not_wait_for_a_silent_host(silent: str) -> None:
    clock = SystemClock()
    client = Client(clock, configured_hosts={"127.0.0.1"})
    threading.Timer(0.1, clock.stop).start()
    with pytest.raises(SourceError) as caught:
        client.get(Service("silent", silent, timeout=600.0), "/", read=lambda answer: answer, fields=())
    assert caught.value.kind in {Kind.TIMEOUT, Kind.STOPPED}
    client.close()
