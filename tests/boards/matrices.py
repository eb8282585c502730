"""Boards from matrices of scores, queries x runs."""

import numpy as np

from runoff.tables.scores import Scores


def board(values, measure="AP"):
    values = np.asarray(values, dtype=np.float64)
    names = tuple(f"r{place}" for place in range(values.shape[1]))
    return Scores(measure=measure, query_ids=tuple(map(str, range(len(values)))), runs=names, values=values)
