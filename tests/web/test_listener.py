"""The listening socket: TCP_NODELAY, the maximum of connections, one socket for each worker."""

import pickle
import socket
from contextlib import ExitStack
from multiprocessing.reduction import ForkingPickler

import pytest

from citeproof.model.errors import ConfigurationError
from citeproof.web import listener
from citeproof.web.listener import bind, listen, most_connections


def test_listen_sets_nodelay_on_connections() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_accept_closes_a_connection_beyond_the_maximum() -> None:
    with ExitStack() as open_, listen("127.0.0.1", 0) as listener:
        listener.most_connections = 2
        listener.setblocking(False)
        clients = [
            open_.enter_context(socket.create_connection(listener.getsockname())) for _ in range(3)
        ]
        kept = [open_.enter_context(listener.accept()[0]) for _ in range(2)]
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert clients[2].recv(1) == b""
        kept[0].close()
        open_.enter_context(socket.create_connection(listener.getsockname()))
        assert open_.enter_context(listener.accept()[0]).getpeername()


def test_most_connections_leaves_descriptors_for_other_files() -> None:
    resource = pytest.importorskip("resource")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, limit[1]))
    try:
        assert 1024 - 500 < most_connections() < 1024 - 128
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)


@pytest.mark.parametrize("separate", [listener.SEPARATE_SOCKETS, False])
def test_listener_of_a_worker_has_the_reserved_address(
    monkeypatch: pytest.MonkeyPatch, *, separate: bool
) -> None:
    monkeypatch.setattr(listener, "SEPARATE_SOCKETS", separate)
    with bind("127.0.0.1", 0, shared=True) as reserved:
        in_workers = [
            pickle.loads(ForkingPickler.dumps(reserved)) if separate else _adopted(reserved)
            for _ in range(2)
        ]
        try:
            assert {worker.getsockname() for worker in in_workers} == {reserved.getsockname()}
            assert len({worker.fileno() for worker in in_workers}) == 2
            assert all(worker.most_connections for worker in in_workers)
        finally:
            for worker in in_workers:
                worker.close()


def _adopted(reserved: listener.Listener) -> listener.Listener:
    adopt, arguments = reserved.__reduce__()
    return adopt(*arguments)


def test_reserve_refuses_an_address_in_use_even_if_shared() -> None:
    with bind("127.0.0.1", 0, shared=True) as first:
        first.listen()
        with pytest.raises(ConfigurationError, match="Address already in use"):
            bind(*first.getsockname(), shared=False)
