"""Tables and results whose arrays nobody can write to."""

from __future__ import annotations

import numpy as np


class ReadOnlyArrays:
    """Base of a frozen dataclass: its fields that are arrays are made read-only, so that no caller changes a result.

    >>> from runoff.tables.scores import Scores
    >>> Scores(measure="AP", query_ids=("q",), runs=("a",), values=np.array([[0.5]])).values.flags.writeable
    False
    """

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
