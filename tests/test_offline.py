"""A process that refuses connections, by every road that Python has. The hook stays, so it runs in one of its own."""

from __future__ import annotations

import subprocess
import sys

ROADS = {
    "connect": "socket.socket().connect(('127.0.0.1', 9))",
    "connect_ex": "socket.socket().connect_ex(('127.0.0.1', 9))",
    "create_connection": "socket.create_connection(('127.0.0.1', 9))",
    "ipv6": "socket.socket(socket.AF_INET6).connect(('::1', 9))",
    "datagram": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "name": "socket.getaddrinfo('localhost', 80)",
    "old name": "socket.gethostbyname('localhost')",
    "urllib": "urllib.request.urlopen('http://127.0.0.1:9/')",
    "http": "http.client.HTTPConnection('127.0.0.1', 9).request('GET', '/')",
    "asyncio": "asyncio.run(asyncio.wait_for(asyncio.open_connection('127.0.0.1', 9), 5))",
    "program": "subprocess.run(['/bin/true'])",
    "shell": "os.system('true')",
}
SCRIPT = """
import asyncio, http.client, os, socket, subprocess, sys, urllib.error, urllib.request
from citeproof.offline import OfflineError, refuse_connections, refuses_connections
assert not refuses_connections()
refuse_connections()
assert refuses_connections()
for name, road in {roads!r}.items():
    try:
        exec(road)
    except OfflineError:
        print("refused", name)
    except urllib.error.URLError as error:
        print("refused" if isinstance(error.reason, OfflineError) else "missed", name)
one, other = socket.socketpair()
subprocess.run([sys.executable, "-c", ""], check=True)
"""


def test_every_road_is_refused_and_our_own_processes_are_not() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(roads=ROADS)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"refused {name}" for name in ROADS]
