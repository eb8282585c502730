"""Scoring runs: tables of values, and runs that do not fit together."""

from dataclasses import replace

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.measures import ESL, RR, parse_measure, score
from runoff.measures._example import serps_of


def test_one_table_per_measure_with_runs_in_columns():
    first, second = serps_of([1], [0], run="a"), serps_of([0, 1], [1], run="b", judged=[[1, 1], [0, 1]])
    rr, esl = score([first, second], [parse_measure("MRR@10"), ESL @ 10])
    assert (rr.measure, rr.runs, rr.query_ids) == ("RR@10", ("a", "b"), ("q1", "q2"))
    np.testing.assert_array_equal(rr.values, [[1.0, 0.5], [0.0, 1.0]])
    np.testing.assert_array_equal(esl.values, [[1.0, 2.0], [np.nan, 1.0]])
    assert not rr.values.flags.writeable


def test_runs_must_fit_together():
    serps = serps_of([1], [0])
    with pytest.raises(UsageError, match="no runs to score"):
        score([], [RR @ 10])
    with pytest.raises(UsageError, match="two runs are called 'example'"):
        score([serps, serps], [RR @ 10])
    with pytest.raises(UsageError, match="are over different queries"):
        score([serps, replace(serps, run="other", query_ids=("q2", "q1"))], [RR @ 10])
