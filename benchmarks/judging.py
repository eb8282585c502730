"""Judging under load: 100 assessors at once, with and without time to think, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from benchmarks.data import ROOT
from benchmarks.tables import Benchmark, Scale, Section, Target

ASSESSORS: Final = 100
SECONDS: Final = 20
THINK: Final = 2.0
"""Seconds that an assessor looks at a pair here, on average; people take ten times as long."""
HEADER: Final = [
    "database", "way", "seconds to think", "what", "calls", "a second", "p50 ms", "p95 ms", "p99 ms", "slowest ms",
    "lost, doubled, beyond the plan", "faults", "CPU ms a choice", "load",
]  # fmt: skip


def measure(scale: Scale) -> Section:
    """Let a crowd judge, each time in a new process."""
    is_full = scale.main > 1000
    assessors, seconds = (ASSESSORS, SECONDS) if is_full else (4, 1)
    rows: list[list[str]] = []
    slowest: list[float] = []
    with tempfile.TemporaryDirectory(prefix="runoff-judging-") as place:
        addresses = {"SQLite": f"sqlite:///{Path(place) / 'runoff.db'}"}
        if os.environ.get("RUNOFF_BENCH_DATABASE", "").startswith("postgres"):
            addresses["PostgreSQL"] = os.environ["RUNOFF_BENCH_DATABASE"]
        for name, address in addresses.items():
            for way in ("full", "sequential"):
                for think in (THINK, 0.0) if is_full else (0.0,):
                    busy = os.getloadavg()[0]
                    asked = {"database": address, "way": way, "queries": 400 if is_full else 8}
                    found = _crowd({**asked, "assessors": assessors, "seconds": seconds, "think": think})
                    shown = [name, way, f"{think:g}" if think else "none"]
                    rows += result_rows(shown, found, seconds, f"{busy:.1f}–{os.getloadavg()[0]:.1f}")
                    if think or not is_full:
                        slowest.append(1000 * share(found["times"]["choose"], 0.95))
    notes = [
        f"{assessors} assessors, each a thread; 40 calls are at work at once, as in the server, and waiting counts.",
        "A choice is acknowledged when it is on the disk (SQLite: synchronous = FULL).",
        f"Whoever thinks takes {THINK:g} s a pair on average (exponential); else the next call follows at once.",
        "Lost: acknowledged, not stored. Doubled: stored twice or not acknowledged. Beyond the plan: two hold a task.",
    ]
    what = "judging: p95 of a choice with time to think"
    return Section(
        f"judging: {assessors} assessors at once", HEADER, rows, notes,
        [Target(what, "below", 150, "ms", min(slowest), max(slowest))],
    )  # fmt: skip


def _crowd(asked: dict[str, Any]) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "benchmarks.judging_load"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        input=json.dumps(asked) + "\n",
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    print(f"  {asked['way']}, think {asked['think']:g}: p95 {1000 * share(found['times']['choose'], 0.95):.1f} ms",
          file=sys.stderr, flush=True)  # fmt: skip
    return found


def result_rows(shown: list[str], found: dict[str, Any], seconds: float, busy: str) -> list[list[str]]:
    """A line for each kind of call."""
    faults = " ".join(f"{number} × {kind}" for kind, number in found["faults"].items()) or "none"
    wrong = ", ".join(str(number) for number in found["checked"].values())
    chosen = next(name for name in found["times"] if name.startswith("cho"))
    choices = max(len(found["times"][chosen]), 1)
    rows = []
    for what, times in found["times"].items():
        if times:
            shares = [f"{1000 * share(times, part):.1f}" for part in (0.5, 0.95, 0.99, 1.0)]
            cpu = f"{1000 * found['cpu'] / choices:.2f}" if what == chosen else ""
            rows.append(
                [*shown, what, f"{len(times):,}", f"{len(times) / seconds:.0f}", *shares, wrong, faults, cpu, busy]
            )
    return rows


def share(times: list[float], part: float) -> float:
    """The time within which such a part of the calls was done; raise if there was none."""
    if not times:
        raise RuntimeError("nobody made a choice, so nothing was measured; look at why no task was given out")
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


BENCHMARK: Final = Benchmark("judging", measure)
