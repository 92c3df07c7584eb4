"""A proxy in front of several hosts: each connection goes to the next live host."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count
from threading import Thread
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence


class Proxy:
    """A proxy that listens at ``port`` inside a ``with`` block."""

    port: int

    def __init__(self, hosts: Sequence[int]) -> None:
        """Go in turns to the ports of ``hosts``."""
        self._hosts = hosts
        self._turn = count()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        listening = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = (
            asyncio.run_coroutine_threadsafe(listening, self._loop)
            .result(10)
            .sockets[0]
            .getsockname()[1]
        )
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        """Cut all connections."""
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        first = next(self._turn)
        for place in range(len(self._hosts)):
            with suppress(OSError):
                host, to_host = await asyncio.open_connection(
                    "127.0.0.1", self._hosts[(first + place) % len(self._hosts)]
                )
                await asyncio.gather(_copy(client, to_host), _copy(host, to_client))
                return
        to_client.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()
