"""Judging over HTTP: 100 assessors at once at a server process, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.data import ROOT
from benchmarks.judging import ASSESSORS, HEADER, SECONDS, THINK, result_rows, share
from benchmarks.postgresql import postgresql
from benchmarks.server import Server, serving
from benchmarks.tables import Benchmark, Scale, Section, Target


def measure(scale: Scale) -> Section:
    """Let a crowd judge in several campaigns of one server, one after the other."""
    is_full = scale.main > 1000
    assessors = ASSESSORS if is_full else 4
    rows: list[list[str]] = []
    slowest: list[float] = []
    with tempfile.TemporaryDirectory(prefix="runoff-judging-") as place, _databases(Path(place)) as addresses:
        for name, address in addresses.items():
            (Path(place) / name).mkdir()
            with serving(Path(place) / name, {}, database=address) as server:
                for way in ("full", "sequential"):
                    for think in (THINK, 0.0) if is_full else (0.0,):
                        # Whoever thinks needs 26 seconds for a task.
                        seconds = (SECONDS + bool(think) * SECONDS) if is_full else 1
                        busy = os.getloadavg()[0]
                        asked = {"database": address, "way": way, "queries": 400 if is_full else 8, "think": think}
                        found = _crowd(server, {**asked, "assessors": assessors, "seconds": seconds})
                        shown = [name, way, f"{think:g}" if think else "none"]
                        rows += result_rows(shown, found, seconds, f"{busy:.1f}–{os.getloadavg()[0]:.1f}")
                        if think or not is_full:
                            slowest.append(1000 * share(found["times"]["choices"], 0.95))
    notes = [
        f"{assessors} assessors with a session each come in by a link, take tasks, choose and hand in.",
        "One process sends for all of them. A time runs from when a request is sent until its last byte.",
        "A choice is acknowledged when it is on the disk (SQLite: synchronous = FULL; PostgreSQL: fsync = on).",
        f"Whoever thinks takes {THINK:g} s a pair on average (exponential); else the next request follows at once.",
        "Server CPU ms a choice: all of the server's work, tasks and hand-ins among it, without its database's.",
        "Lost: acknowledged, not stored. Doubled: stored twice or not acknowledged. Beyond the plan: two hold a task.",
    ]
    what = "judging over HTTP: p95 of a choice with time to think"
    return Section(
        f"judging_server: {assessors} assessors at once over HTTP", HEADER, rows, notes,
        [Target(what, "below", 150, "ms", min(slowest), max(slowest))],
    )  # fmt: skip


@contextmanager
def _databases(folder: Path) -> Iterator[dict[str, str]]:
    """Addresses by name: a SQLite file, and the PostgreSQL of RUNOFF_BENCH_DATABASE or one that is started here."""
    addresses = {"SQLite": f"sqlite:///{folder / 'runoff.db'}"}
    given = os.environ.get("RUNOFF_BENCH_DATABASE", "")
    if given.startswith("postgres"):
        yield {**addresses, "PostgreSQL": given}
        return
    with postgresql() as started:
        yield {**addresses, "PostgreSQL": started} if started else addresses


def _crowd(server: Server, asked: dict[str, Any]) -> dict[str, Any]:
    """Let assessors come in, then judge; with the processor seconds of the server."""
    command = [sys.executable, "-m", "benchmarks.judging_sender"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as sender:
        assert sender.stdin is not None
        assert sender.stdout is not None
        sender.stdin.write(json.dumps({**asked, "port": server.ports[0]}) + "\n")
        sender.stdin.flush()
        if sender.stdout.readline() != "ready\n":
            raise RuntimeError("the assessors could not come in")
        spent = server.cpu()
        found: dict[str, Any] = json.loads(sender.communicate("go\n")[0])
    found["cpu"] = server.cpu() - spent
    print(f"  {asked['way']}, think {asked['think']:g}: p95 {1000 * share(found['times']['choices'], 0.95):.1f} ms",
          file=sys.stderr, flush=True)  # fmt: skip
    return found


BENCHMARK: Final = Benchmark("judging_server", measure)
