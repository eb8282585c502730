"""The random streams of simulations.

All begin with the spawn key 5: the tests that resample have 0 to 2 and boards 3 and 4. So with one seed for a
simulation and for its analysis, no two draw the same numbers.
"""

from __future__ import annotations

from typing import Final

import numpy as np

SIMULATION: Final = 5
YEAR, BOARD, COMPARISON, SEQUENTIAL, CALIBRATION = range(5)


def generator(seed: int, kind: int, *stream: int) -> np.random.Generator:
    """The random numbers of one stream of one kind of simulation."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(SIMULATION, kind, *stream)))
