"""Commands in processes of their own: how long they take and how much memory they need at most."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

PAUSE: Final = 0.05
"""Seconds between two looks at a process's threads and children."""
_MAXRSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Contender:
    """A command to time.

    warm_up  the same command on little data, run once and not timed: it fills caches of bytecode and compiled code
    rounds   how often it takes part at most; slow peers do it less often
    values   the results that it prints, from its standard output
    """

    name: str
    command: Sequence[str]
    warm_up: Sequence[str] = ()
    rounds: int | None = None
    values: Callable[[str], Sequence[float]] | None = None


@dataclass(frozen=True)
class TimedRun:
    """One run: its times in seconds, its peak in bytes, the most threads and processes seen at once."""

    seconds: float
    cpu: float
    peak: int
    threads: int
    processes: int
    output: str


@dataclass
class Timed:
    """All runs of a contender."""

    contender: Contender
    runs: list[TimedRun] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The contender's name."""
        return self.contender.name

    @property
    def best(self) -> float:
        """The shortest time in seconds; other work on the machine can only add to it."""
        return min(run.seconds for run in self.runs)

    @property
    def median(self) -> float:
        """The median time in seconds."""
        return statistics.median(run.seconds for run in self.runs)

    @property
    def cpu(self) -> float:
        """The median of the processor time in seconds, of all threads together."""
        return statistics.median(run.cpu for run in self.runs)

    @property
    def peak(self) -> int:
        """The highest memory in bytes."""
        return max(run.peak for run in self.runs)

    @property
    def parallel(self) -> str:
        """The most processes and threads at once."""
        processes = max(run.processes for run in self.runs)
        threads = max(run.threads for run in self.runs)
        if not threads:
            return "–"
        return f"{processes} × {threads}"

    @property
    def values(self) -> list[float]:
        """What it printed."""
        assert self.contender.values is not None
        return list(self.contender.values(self.runs[-1].output))


class _Watch(threading.Thread):
    """Looks at a process and its children from time to time."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.done = threading.Event()
        self.peak = self.threads = self.processes = 0

    def run(self) -> None:
        """Look until told to stop or the process is gone."""
        try:
            import psutil
        except ImportError:
            return
        while not self.done.wait(PAUSE):
            try:
                main = psutil.Process(self.pid)
                family = [main, *main.children(recursive=True)]
                self.peak = max(self.peak, sum(one.memory_info().rss for one in family))
                self.threads = max(self.threads, sum(one.num_threads() for one in family))
                self.processes = max(self.processes, len(family))
            except psutil.Error:
                continue


def interleave(contenders: Sequence[Contender], rounds: int) -> list[Timed]:
    """Time contenders in turn, A B C A B C, so that a slow spell of the machine meets them all."""
    for one in contenders:
        if one.warm_up:
            _run(one.warm_up)
    timed = [Timed(one) for one in contenders]
    for number in range(rounds):
        for entry in timed:
            if number < (entry.contender.rounds or rounds):
                entry.runs.append(_run(entry.contender.command))
                print(f"  {entry.name}: {entry.runs[-1].seconds:.2f} s", file=sys.stderr, flush=True)
    return timed


def _run(command: Sequence[str]) -> TimedRun:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        watch = _Watch(process.pid)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.done.set()
        watch.join()
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            tail = errors.read().decode(errors="replace")[-2000:]
            raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}:\n{tail}")
        return TimedRun(
            seconds=seconds,
            cpu=usage.ru_utime + usage.ru_stime,
            peak=max(usage.ru_maxrss * _MAXRSS_UNIT, watch.peak),
            threads=watch.threads,
            processes=watch.processes,
            output=output.read().decode(),
        )


def by_name(timed: Sequence[Timed]) -> dict[str, Timed]:
    """The contenders by their names."""
    return {one.name: one for one in timed}


def ratios(slow: Timed, fast: Timed) -> dict[str, float]:
    """How many times as long one takes as the other, by best and by median."""
    return {"best": slow.best / fast.best, "median": slow.median / fast.median}
