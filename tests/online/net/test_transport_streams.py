from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest

from citeproof.online.net.client import Client
from citeproof.online.net.service import Clock, Kind, Service, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def silent() -> Iterator[str]:
    """Return the URL of a host that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_read_ends_when_the_clock_is_stopped(silent: str) -> None:
    clock = Clock()
    client = Client(clock, configured_hosts={"127.0.0.1"})
    threading.Timer(0.1, clock.stop).start()
    with pytest.raises(SourceError) as caught:
        client.send(
            Service("silent", silent, timeout=600.0), "/", read=lambda answer: answer, fields=()
        )
    assert caught.value.kind in {Kind.TIMEOUT, Kind.STOPPED}
    client.close()
