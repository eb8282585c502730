"""Runs scored: values and facts in the order given, SERPs only where they are wanted."""

import numpy as np

import runoff
from runoff.measures import RR, P
from runoff.reading.scored_runs import DEEPEST_CUT, depth_of, score_runs
from tests.verbs.comparisons import qrels_of, run_of


def test_values_are_the_measures_own_and_serps_are_kept_on_demand():
    qrels = runoff.as_qrels(qrels_of(3))
    runs = [run_of("b", [2, 0, 1]), run_of("a", [1, 1, 1])]
    plain = score_runs(runs, qrels, [RR @ 10, P @ 1], depth=10)
    assert [one.facts.run for one in plain] == ["b", "a"]
    assert np.array_equal(plain[0].values[0], [0.5, 0, 1])
    assert np.array_equal(plain[1].values[1], [1, 1, 1])
    assert plain[0].serps is None
    kept = score_runs(runs, qrels, [RR @ 10], depth=10, keep_serps=True)[0].serps
    assert kept is not None
    assert kept.depth == 10


def test_the_depth_is_the_deepest_cutoff_or_the_whole_list():
    assert depth_of([RR @ 10, P @ 20]) == 20
    assert depth_of([RR @ 10, RR()]) is None
    assert depth_of([RR @ (DEEPEST_CUT + 1)]) is None
