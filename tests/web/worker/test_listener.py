"""The listening socket: no delay, a bound on connections, one socket for each worker."""

from __future__ import annotations

import pickle
import socket
from contextlib import ExitStack

import pytest

from citeproof.errors import ConfigurationError
from citeproof.web.worker.listener import OwnListener, bind, listen, most_connections


def test_a_body_does_not_wait_until_its_header_is_acknowledged() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_connection_beyond_the_bound_is_closed_at_once_and_room_is_made_by_one_that_ends() -> None:
    with ExitStack() as open_, listen("127.0.0.1", 0) as listener:
        listener.most_connections = 2
        listener.setblocking(False)
        clients = [open_.enter_context(socket.create_connection(listener.getsockname())) for _ in range(3)]
        kept = [open_.enter_context(listener.accept()[0]) for _ in range(2)]
        with pytest.raises(BlockingIOError):
            listener.accept()
        assert clients[2].recv(1) == b""
        kept[0].close()
        open_.enter_context(socket.create_connection(listener.getsockname()))
        assert open_.enter_context(listener.accept()[0]).getpeername()


def test_connections_leave_descriptors_for_everything_else() -> None:
    resource = pytest.importorskip("resource")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, limit[1]))
    try:
        assert 1024 - 500 < most_connections() < 1024 - 128
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)


def test_each_worker_listens_with_a_socket_of_its_own() -> None:
    with bind("127.0.0.1", 0, shared=True) as reserved:
        host, port = reserved.getsockname()
        in_workers = [pickle.loads(pickle.dumps(OwnListener(host, port))) for _ in range(2)]
        try:
            assert {worker.getsockname() for worker in in_workers} == {(host, port)}
            assert len({worker.fileno() for worker in in_workers}) == 2
        finally:
            for worker in in_workers:
                worker.close()


def test_an_address_in_use_is_refused_even_where_it_is_shared() -> None:
    with bind("127.0.0.1", 0, shared=True) as first:
        first.listen()
        with pytest.raises(ConfigurationError, match="Address already in use"):
            bind(*first.getsockname(), shared=False)
