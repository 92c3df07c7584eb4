"""Every way in Python to open a connection is refused.

The audit hook cannot be removed, so a child process installs it.
"""

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
from citeproof.online.offline import OfflineError, refuse_connections, refuses_connections
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


def test_refuse_connections_refuses_every_way_to_connect() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(roads=ROADS)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [f"refused {name}" for name in ROADS]
