"""The server under load: pages of a board of 117 runs at a fixed rate, and while a large run is sent and scored."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.commands import runoff_command
from benchmarks.data import ROOT, Sample, sample
from benchmarks.server_board import SLUG
from benchmarks.tables import Benchmark, Scale, Section, Target

RUNS: Final = 117
RATE: Final = 200
SECONDS: Final = 20
POLL_RATE: Final = 50
AFTER_SECONDS: Final = 5
"""Pages are asked for so long after the run is scored, because the board is computed anew then."""
BROWSER: Final = ("Accept-Encoding: gzip",)
START_SECONDS: Final = 60
BOUNDARY: Final = "a-boundary-that-is-in-no-run"


@dataclass(frozen=True, kw_only=True)
class Server:
    """Servers that run: their ports, the processes, and what is on their board."""

    ports: list[int]
    processes: list[subprocess.Popen[bytes]]
    board: dict[str, Any]

    def cpu(self) -> float:
        """Processor seconds of all of them, their workers, and children that have ended; 0 where it cannot be known."""
        times = [one.cpu_times() for one in self._all()]
        return float(sum(one.user + one.system + one.children_user + one.children_system for one in times))

    def memory(self) -> int:
        """Bytes that all of them and their workers have for themselves; 0 where that cannot be known."""
        return int(sum(one.memory_full_info().uss for one in self._all()))

    def _all(self) -> list[Any]:
        try:
            import psutil
        except ImportError:
            return []
        mains = [psutil.Process(process.pid) for process in self.processes]
        return [one for main in mains for one in (main, *main.children(recursive=True))]


@dataclass(frozen=True, kw_only=True)
class Load:
    """A load, and what came of it: times in seconds, the servers' processor seconds, the load before and after."""

    name: str
    rate: float
    found: dict[str, Any]
    cpu: float
    busy: tuple[float, float]

    def __post_init__(self) -> None:
        answered = len(self.found["times"]) - sum(self.found["faults"].values())
        if answered <= 0:
            raise RuntimeError(f"{self.name}: no page was answered, so nothing was measured: {self.found['faults']}")

    def share(self, part: float) -> float:
        """The time within which such a part of the requests was answered."""
        times = sorted(self.found["times"])
        return float(times[min(len(times) - 1, int(part * len(times)))])

    def row(self) -> list[str]:
        """A line of the table."""
        count = len(self.found["times"])
        late = max(self.found["sent_late"], default=0.0)
        return [
            self.name, f"{self.rate:g}", f"{count:,}",
            *(f"{1000 * self.share(part):.1f}" for part in (0.5, 0.95, 0.99, 1.0)),
            " ".join(f"{number} × {kind}" for kind, number in self.found["faults"].items()) or "none",
            f"{1000 * self.cpu / count:.2f}" if self.cpu else "–",
            f"{1000 * self.found['cpu'] / count:.2f}", f"{1000 * late:.0f}",
            f"{self.found['bytes'] / count / 1000:.0f}", f"{self.busy[0]:.1f}–{self.busy[1]:.1f}",
        ]  # fmt: skip


HEADER: Final = [
    "pages", "asked a second", "requests", "p50 ms", "p95 ms", "p99 ms", "slowest ms", "faults",
    "server CPU ms each", "sender CPU ms each", "sent late by at most ms", "kB each", "load",
]  # fmt: skip


def measure(scale: Scale) -> Section:
    """Fill a database, serve it, and ask for pages at a fixed rate."""
    is_full = scale.main > 1000
    data = sample(scale.main)
    runs, rate, seconds = (RUNS, RATE, SECONDS) if is_full else (4, 20, 1)
    loads: list[Load] = []
    sent: list[tuple[float, float, float]] = []
    with tempfile.TemporaryDirectory(prefix="runoff-server-") as place:
        folder = Path(place)
        board = filled(data, runs, folder)
        pages = pages_of(board["runs"])
        with serving(folder, board) as server:
            print(f"  first page after the start: {warm(server, pages):.1f} s", file=sys.stderr, flush=True)
            for name, paths in pages.items():
                loads.append(driven(server, name, paths, rate, seconds))
            mixed = [path for paths in pages.values() for path in paths]
            loads.append(driven(server, "all of these in turn", mixed, rate, seconds))
            loads.append(driven(server, "board, not compressed", pages["board"], rate, seconds, headers=()))
            signed_in = (*BROWSER, f"Cookie: runoff={board['session']}")
            for name in ("board", "run"):
                some = driven(server, f"{name}, signed in", pages[name], rate / 10, seconds, headers=signed_in)
                loads.append(some)
        with serving(folder, board, processes=2) as server:
            warm(server, pages)
            loads.append(driven(server, "board, two servers", pages["board"], rate, seconds))
        with serving(folder, board, workers=1) as server:
            warm(server, pages)
            for number in range(1 + (scale.slow_rounds > 0)):
                during, spent = uploading(server, data, number, POLL_RATE if is_full else 5)
                loads.append(during)
                sent.append(spent)
    best = min(sent, key=lambda one: one[1])
    how = "; ".join(
        f"acknowledged after {taken:.1f} s, scored after {scored:.1f} s in all, {cpu:.1f} s of processor time of "
        "server and worker"
        for taken, scored, cpu in sent
    )
    notes = [
        f"{runs} runs x {data.queries:,} queries; visitors are not signed in unless it says so; no answer is 304.",
        "Times run from when a request was due, so that waiting for a slow server counts.",
        f"Sent as a form over HTTP: {data.lines:,} lines, {data.run.stat().st_size / 1e6:,.0f} MB; {how}.",
        f"Pages are asked for until {AFTER_SECONDS} s after that; they show the new run, which is checked.",
    ]
    board_load = next(one for one in loads if one.name == "board")
    p95 = [1000 * one.share(0.95) for one in loads if one.name.startswith("board, while")]
    middle = sorted(one[1] for one in sent)[len(sent) // 2]
    page = 1000 * board_load.share(0.95)
    return Section(
        f"server: a board of {runs} runs under load",
        HEADER,
        [one.row() for one in loads],
        notes,
        [
            Target(f"server: p95 of a board's page at {rate} a second", "below", 100, "ms", page, page),
            Target(f"server: {data.lines:,} lines sent and scored", "below", 10, "s", best[1], middle),
            Target("server: p95 of the page meanwhile", "below", 200, "ms", min(p95), sorted(p95)[len(p95) // 2]),
        ],
    )


def filled(data: Sample, runs: int, folder: Path) -> dict[str, Any]:
    """Fill a database in a process of its own, and return what is on the board."""
    command = [sys.executable, "-m", "benchmarks.server_board", str(data.queries), str(runs)]
    command += [_database(folder), str(folder / "files")]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, env=_environment())
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def pages_of(runs: list[int]) -> dict[str, list[str]]:
    """Addresses by the name of the page; the last runs are the best ones."""
    board, first = f"/boards/{SLUG}", runs[-1]
    others = runs[: -1 : max(1, len(runs) // 10)]
    return {
        "board": [board],
        "run": [f"{board}/runs/{number}" for number in others],
        "compare": [f"{board}/compare?champion={first}&challenger={number}" for number in others],
        "API board": [f"/api/v1{board}"],
    }


@contextmanager
def serving(
    folder: Path, board: dict[str, Any], *, processes: int = 1, workers: int = 0, database: str = ""
) -> Iterator[Server]:
    """`runoff serve`, once or several times over the same database, until the block ends."""
    ports = [_free_port() for _ in range(processes)]
    started = []
    with (folder / "log").open("ab") as log:
        for port in ports:
            command = runoff_command("serve", "--port", str(port), "--workers", str(workers))
            command += ["--database", database or _database(folder), "--folder", str(folder / "files")]
            started.append(subprocess.Popen(command, env=_environment(), stdout=log, stderr=log))
    try:
        for port in ports:
            _await(port)
        yield Server(ports=ports, processes=started, board=board)
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.wait()


def warm(server: Server, pages: dict[str, list[str]]) -> float:
    """Ask every server once for every page; return how long the first board's page took at most."""
    longest = 0.0
    for port in server.ports:
        begin = time.perf_counter()
        for place, path in enumerate(path for paths in pages.values() for path in paths):
            _get(port, path)
            if not place:
                longest = max(longest, time.perf_counter() - begin)
    return longest


def driven(
    server: Server, name: str, paths: list[str], rate: float, seconds: float, *, headers: tuple[str, ...] = BROWSER
) -> Load:
    """Ask for pages at a rate, so many seconds long."""
    busy, spent = os.getloadavg()[0], server.cpu()
    with _sending(server, paths, rate, seconds, headers) as sender:
        found = json.loads(sender.communicate()[0])
    load = Load(name=name, rate=rate, found=found, cpu=server.cpu() - spent, busy=(busy, os.getloadavg()[0]))
    print(f"  {name}: p95 {1000 * load.share(0.95):.1f} ms", file=sys.stderr, flush=True)
    return load


def uploading(server: Server, data: Sample, number: int, rate: float) -> tuple[Load, tuple[float, float, float]]:
    """Send a run while the page of the board is asked for; also seconds until 202 and until it is scored, and CPU."""
    busy, spent = os.getloadavg()[0], server.cpu()
    with _sending(server, [f"/boards/{SLUG}"], rate, 600, BROWSER) as sender:
        time.sleep(1)
        begin = time.perf_counter()
        run = _send_run(server, data.run, f"large {number}")
        taken = time.perf_counter() - begin
        while (state := _state(server, run)) in ("queued", "scoring"):
            time.sleep(0.1)
        scored = time.perf_counter() - begin
        work = server.cpu() - spent
        if state != "scored":
            raise RuntimeError(f"the run was {state}")
        page = _get(server.ports[0], f"/boards/{SLUG}").decode()
        if f"large {number}" not in page:
            raise RuntimeError("the page does not show the run that was scored before it was asked for")
        time.sleep(AFTER_SECONDS)
        found = json.loads(sender.communicate(b"\n")[0])
    name = f"board, while a run is scored ({number + 1})"
    load = Load(name=name, rate=rate, found=found, cpu=0.0, busy=(busy, os.getloadavg()[0]))
    print(f"  scored after {scored:.1f} s, p95 {1000 * load.share(0.95):.1f} ms", file=sys.stderr, flush=True)
    return load, (taken, scored, work)


@contextmanager
def _sending(
    server: Server, paths: list[str], rate: float, seconds: float, headers: tuple[str, ...]
) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "benchmarks.server_load"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as sender:
        what = {"ports": server.ports, "paths": paths, "headers": headers, "rate": rate, "seconds": seconds}
        assert sender.stdin is not None
        sender.stdin.write(json.dumps(what).encode() + b"\n")
        sender.stdin.flush()
        yield sender


def _send_run(server: Server, run: Path, name: str) -> int:
    """Send a run in a form, as a program would, block after block."""
    about = json.dumps({"name": name, "team": "Own"})
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{about}\r\n'
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{run.name}"\r\n\r\n'
    ).encode()
    tail = f"\r\n--{BOUNDARY}--\r\n".encode()
    # A line more makes it another run: the same content is taken once.
    more = f"0 Q0 {name.split()[1]} 1 1.0 bench\n".encode()
    connection = http.client.HTTPConnection("127.0.0.1", server.ports[0])
    connection.putrequest("POST", f"/api/v1/boards/{SLUG}/runs")
    connection.putheader("Authorization", f"Bearer {server.board['token']}")
    connection.putheader("Content-Type", f"multipart/form-data; boundary={BOUNDARY}")
    connection.putheader("Content-Length", str(len(head) + run.stat().st_size + len(more) + len(tail)))
    connection.endheaders(head)
    with run.open("rb") as file:
        while block := file.read(1 << 18):
            connection.send(block)
    connection.send(more + tail)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    if answer.status != 202:
        raise RuntimeError(f"the run was not taken: {body}")
    return int(body["id"])


def _state(server: Server, run: int) -> str:
    token = {"Authorization": f"Bearer {server.board['token']}"}
    return str(json.loads(_get(server.ports[0], f"/api/v1/runs/{run}", token))["status"])


def _get(port: int, path: str, headers: dict[str, str] | None = None) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("GET", path, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status} {body[:200]!r}")
    return body


def _await(port: int) -> None:
    for _ in range(START_SECONDS * 10):
        try:
            _get(port, "/healthz")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server did not answer in {START_SECONDS} s")


def _database(folder: Path) -> str:
    return os.environ.get("RUNOFF_BENCH_DATABASE") or f"sqlite:///{folder / 'runoff.db'}"


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


BENCHMARK: Final = Benchmark("server", measure)
