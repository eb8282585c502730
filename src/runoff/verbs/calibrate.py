"""Calibrate: whether runoff's own statements hold on boards like the given one, where the truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from runoff.arguments import checks_arguments
from runoff.choices import CALIBRATION_SIZES
from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.files.streams import usable_cores
from runoff.measures import NamedMeasure
from runoff.reading.boards import board_inputs, read_board_data
from runoff.reading.sources import Progress, QrelsSource, ReadOptions, RunSources
from runoff.results.calibration import CalibrationTablesResult
from runoff.simulation.calibration import (
    BY_NAME,
    QUANTITIES,
    QUANTITY_NAMES,
    Quantity,
    Settings,
    Source,
    simulate_calibration,
)
from runoff.tables.scores import Scores
from runoff.verdicts import Policy

DEFAULT_SIZES: Final = CALIBRATION_SIZES


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class CalibrationOptions:
    """What is simulated.

    sizes   queries of the simulated boards
    boards  how many are drawn for each quantity and size
    only    the quantities, by name; all of them if empty
    alpha   the level of the tests and verdicts
    trials  samples of every bootstrap and randomization
    most_runs  of a simulated board
    """

    sizes: Sequence[int] = DEFAULT_SIZES
    boards: int = 100
    only: Sequence[str] = ()
    alpha: float = 0.05
    trials: int = 400
    most_runs: int = 8
    seed: int = 0

    def quantities(self) -> tuple[Quantity, ...]:
        """What is calibrated, in the order of display."""
        unknown = [name for name in self.only if name not in BY_NAME]
        if unknown:
            raise UsageError(f"no quantity is called {unknown[0]!r}; expected some of {', '.join(QUANTITY_NAMES)}")
        return tuple(one for one in QUANTITIES if not self.only or one.name in self.only)


@checks_arguments
def calibrate(
    source: RunSources | Scores,
    qrels: QrelsSource | None = None,
    *,
    measures: NamedMeasure | None = None,
    options: CalibrationOptions | None = None,
    compared: CompareOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> CalibrationTablesResult:
    """Simulate boards with the lists and scores of some runs, and see which of runoff's statements they refute.

    source    runs (see `RunSource`), or `Scores`, a matrix where high is good, without statements about ranked lists
    measures  the measure of the runs, nDCG@10 or RR@10 by the labels
    options   sizes, boards and what to calibrate
    compared  depth, relevance level and gains of outcomes and IPSO; its measure is not looked at

    >>> qrels = {f"q{i}": {"d": 1} for i in range(20)}
    >>> runs = [{q: {"d": 1.0, "x": 2.0 * ((place + i) % 3)} for place, q in enumerate(qrels)} for i in (0, 1)]
    >>> options = CalibrationOptions(sizes=[20], boards=20, only=["tests"])
    >>> calibrate(runs, qrels, options=options).not_refuted
    True
    """
    options = options or CalibrationOptions()
    if isinstance(source, Scores):
        return _calibrated(Source(scores=source), options, progress)
    inputs = board_inputs(source, qrels)
    compared = replace(compared or CompareOptions(), measures=measures)
    data = read_board_data(
        inputs.sources, inputs.read_qrels(reading), runs=inputs.runs, options=compared, reading=reading
    )
    compared = data.compared
    if data.measure is None or data.serps is None:
        return _calibrated(Source(scores=data.scores), options, progress)
    result = _calibrated(
        Source(
            scores=_high_is_good(data.scores, low=data.best_is_low),
            serps=data.serps,
            cutoff=compared.compared_depth,
            level=compared.compared_level,
            gains=None if compared.gains is None else tuple(compared.gains),
        ),
        options,
        progress,
    )
    return replace(result, measure_note=compared.measure_note)


def _high_is_good(scores: Scores, *, low: bool) -> Scores:
    return replace(scores, values=-scores.values if low else np.asarray(scores.values))


def _calibrated(source: Source, asked: CalibrationOptions, progress: Progress | None) -> CalibrationTablesResult:
    chosen = asked.quantities()
    if source.serps is None and all(one.needs_serps for one in chosen):
        names = ", ".join(one.name for one in chosen)
        raise UsageError(f"{names} of scores alone; expected ranked lists to ask about it; give runs and their qrels")
    found = simulate_calibration(
        source,
        chosen,
        queries=tuple(asked.sizes),
        boards=asked.boards,
        settings=Settings(policy=Policy(alpha=asked.alpha), trials=asked.trials, runs=asked.most_runs),
        seed=asked.seed,
        threads=usable_cores(),
        progress=progress,
    )
    return CalibrationTablesResult(calibration=found)
