"""Draw many boards, count what each statement got wrong, and decide which promises hold."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from runoff.errors import UsageError
from runoff.simulation._streams import CALIBRATION, generator
from runoff.simulation.calibration._base import Promise, Quantity, Seen, Settings
from runoff.simulation.calibration._source import Source
from runoff.verdicts import CalibrationVerdict, Observation, calibration_verdicts

BLOCK: Final = 10
"""Boards that a thread draws before it says so."""
FEWEST_QUERIES: Final = 5


@dataclass(frozen=True, kw_only=True)
class CalibratedLine:
    """One promise, for boards of one size.

    boards   how many counted
    mean     the share of them in which it happened, or the mean of a bias
    error    Monte Carlo standard error of the mean
    """

    quantity: str
    title: str
    line: Promise
    queries: int
    boards: int
    mean: float
    error: float
    verdict: CalibrationVerdict

    @property
    def is_broken(self) -> bool:
        """Whether a promise of runoff is off."""
        return self.line.promised and self.verdict.word == "off"


@dataclass(frozen=True, kw_only=True)
class CalibrationResult:
    """Every promise on every size of boards.

    source_queries, source_runs  the size of the data
    left_out                     quantities that need ranked lists, where only scores are known
    """

    measure: str
    source_queries: int
    source_runs: int
    sizes: tuple[int, ...]
    boards: int
    settings: Settings
    seed: int
    lines: tuple[CalibratedLine, ...]
    left_out: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[CalibratedLine, ...]:
        """The promises that do not hold."""
        return tuple(line for line in self.lines if line.is_broken)


def simulate_calibration(
    source: Source,
    quantities: Sequence[Quantity],
    *,
    queries: Sequence[int] = (50, 500, 5000),
    boards: int = 100,
    settings: Settings | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> CalibrationResult:
    """Simulate boards of each size and see which promises hold.

    Board k of a quantity has a random stream of its own, by seed, quantity, size and k: neither more boards nor other
    quantities nor more threads change it.

    queries  sizes of the simulated boards
    boards   how many are drawn for each quantity and size

    Urbano, Lima & Hanjalic 2019, Statistical significance testing in information retrieval: an empirical analysis of
    type I, type II and type III errors, https://doi.org/10.1145/3331184.3331259
    """
    chosen = settings or Settings()
    _check(quantities, queries, boards)
    possible = [candidate for candidate in quantities if source.serps is not None or not candidate.needs_serps]
    blocks = [(quantity, size, first) for size in queries for quantity in possible for first in range(0, boards, BLOCK)]

    def observed(block: tuple[Quantity, int, int]) -> list[Seen]:
        quantity, size, first = block
        stream = zlib.crc32(quantity.name.encode())
        return [
            quantity.observe(source, size, generator(seed, CALIBRATION, stream, size, board), chosen)
            for board in range(first, min(first + BLOCK, boards))
        ]

    seen: dict[tuple[str, int], list[Seen]] = {}
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for done, (block, observations) in enumerate(zip(blocks, pool.map(observed, blocks), strict=True), start=1):
            seen.setdefault((block[0].name, block[1]), []).extend(observations)
            if progress is not None:
                progress(done, len(blocks))
    return CalibrationResult(
        measure=source.scores.measure,
        source_queries=len(source.values),
        source_runs=source.values.shape[1],
        sizes=tuple(queries),
        boards=boards,
        settings=chosen,
        seed=seed,
        lines=_lines(possible, queries, seen, chosen),
        left_out=tuple(candidate.name for candidate in quantities if candidate not in possible),
    )


def _lines(
    quantities: Sequence[Quantity],
    queries: Sequence[int],
    seen: dict[tuple[str, int], list[Seen]],
    settings: Settings,
) -> tuple[CalibratedLine, ...]:
    """Every line, by quantity and then by size; those that no board could show are left out."""
    places = [
        (quantity, line, size, observation)
        for quantity in quantities
        for line in quantity.lines(settings)
        for size in queries
        if (observation := _observation(line, seen[quantity.name, size])).boards
    ]
    verdicts = calibration_verdicts([observation for *_, observation in places])
    return tuple(
        CalibratedLine(
            quantity=quantity.name,
            title=quantity.title,
            line=line,
            queries=size,
            boards=observation.boards,
            mean=observation.mean,
            error=observation.error,
            verdict=verdict,
        )
        for (quantity, line, size, observation), verdict in zip(places, verdicts, strict=True)
    )


def _observation(line: Promise, seen: Sequence[Seen]) -> Observation:
    values = np.array([value for board in seen if (value := board.get(line.key)) is not None], dtype=np.float64)
    count = len(values)
    mean = float(values.mean()) if count else 0.0
    spread = float(values.std(ddof=1)) if count > 1 else 0.0
    return Observation(kind=line.kind, level=line.level, boards=count, mean=mean, error=spread / math.sqrt(count or 1))


def _check(quantities: Sequence[Quantity], queries: Sequence[int], boards: int) -> None:
    if not quantities:
        raise UsageError("nothing is to be calibrated; expected one quantity at least; name one")
    if not queries or min(queries) < FEWEST_QUERIES or len(set(queries)) < len(queries):
        raise UsageError(
            f"boards of {', '.join(map(str, queries)) or 'no'} queries; expected sizes of {FEWEST_QUERIES} or more, "
            "each once; write 50,500"
        )
    if boards < 2:
        raise UsageError(f"boards={boards} cannot be used; expected two or more, to know the Monte Carlo error")
