"""Requests at a fixed rate, whether or not earlier ones are answered, in a process of its own.

Reads a JSON object from standard input and prints what happened as JSON. A request's time runs from the moment at which
it should have been sent until its last byte: a server that is late makes all that follow late, and these count too.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from typing import Any

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Load:
    """What is sent, and what came back.

    ports     of servers on this machine, in turn
    paths     of pages, in turn
    headers   lines that every request has
    rate      requests in a second
    seconds   how long; or until a line is read from standard input, if that comes first
    """

    ports: list[int]
    paths: list[str]
    headers: list[str]
    rate: float
    seconds: float
    free: dict[int, list[Connection]] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    due: list[float] = field(default_factory=list)
    sent_late: list[float] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    bytes: int = 0

    async def run(self) -> dict[str, Any]:
        """Send everything, wait for all answers, and tell how it went."""
        loop = asyncio.get_running_loop()
        stop = loop.run_in_executor(None, sys.stdin.readline)
        begin, spent, number, tasks = time.perf_counter() + 0.2, time.process_time(), 0, set()
        while number < self.rate * self.seconds and not (stop.done() and stop.result()):
            due = begin + number / self.rate
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            tasks.add(loop.create_task(self.one(number, due, begin)))
            number += 1
        await asyncio.gather(*tasks)
        return {
            "times": self.times, "due": self.due, "sent_late": self.sent_late, "faults": self.faults,
            "bytes": self.bytes, "cpu": time.process_time() - spent, "clock": time.perf_counter() - begin,
        }  # fmt: skip

    async def one(self, number: int, due: float, begin: float) -> None:
        """One request; a connection is used again when its answer has come."""
        port = self.ports[number % len(self.ports)]
        path = self.paths[number // len(self.ports) % len(self.paths)]
        free = self.free.setdefault(port, [])
        try:
            while free and free[-1][0].at_eof():
                free.pop()  # the server closes connections that nobody uses
            connection = free.pop() if free else await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
            self.sent_late.append(time.perf_counter() - due)
            status, size = await self._ask(connection, path)
        except (OSError, EOFError, asyncio.IncompleteReadError) as error:
            status, size = type(error).__name__, 0
        else:
            free.append(connection)
        self.times.append(time.perf_counter() - due)
        self.due.append(due - begin)
        self.bytes += size
        if status != "200":
            self.faults[status] = self.faults.get(status, 0) + 1

    async def _ask(self, connection: Connection, path: str) -> tuple[str, int]:
        reader, writer = connection
        lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *self.headers]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
        await reader.readexactly(int(length))
        return head[9:12].decode(), len(head) + int(length)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(Load(**json.loads(sys.stdin.readline())).run())), flush=True)
    # The thread that waits for a line would keep the process.
    sys.stdout.flush()
    import os

    os._exit(0)
