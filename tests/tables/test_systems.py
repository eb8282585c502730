"""Systems: seeds of one system are found by their names, and scored by their mean for each query."""

import numpy as np
import pytest

from runoff.errors import UsageError
from runoff.tables.scores import Scores
from runoff.tables.systems import scores_of_systems, systems_of


@pytest.mark.parametrize(
    "runs, systems",
    [
        (["a", "b"], {"a": ("a",), "b": ("b",)}),
        (["a#1", "b", "a#2"], {"a": ("a#1", "a#2"), "b": ("b",)}),
        (["a#10.run", "a#2.run"], {"a.run": ("a#10.run", "a#2.run")}),
        (["a#1.run", "a#1.trec"], {"a#1.run": ("a#1.run",), "a#1.trec": ("a#1.trec",)}),
        (["a#x", "a#y"], {"a#x": ("a#x",), "a#y": ("a#y",)}),
        (["#1", "#2"], {"#1": ("#1",), "#2": ("#2",)}),
        (["v1#2#1", "v1#2#2"], {"v1#2": ("v1#2#1", "v1#2#2")}),
        (["bm25#1.5", "bm25#2.5"], {"bm25#1.5": ("bm25#1.5",), "bm25#2.5": ("bm25#2.5",)}),
    ],
)
def test_systems_of(runs, systems):
    assert systems_of(runs) == systems


def test_a_run_with_the_name_of_a_system_is_refused():
    with pytest.raises(UsageError, match=r"'a' is a run, and the system of a#1; .*rename the first to a#0"):
        systems_of(["a", "a#1"])


def test_scores_are_means_over_the_runs_for_each_query():
    values = np.array([[0.1, 0.2, 0.6], [0.3, np.nan, 0.5]])
    scores = Scores(measure="AP", query_ids=("p", "q"), runs=("a#1", "a#2", "b"), values=values)
    found = scores_of_systems(scores, systems_of(scores.runs))
    assert found.runs == ("a", "b")
    np.testing.assert_allclose(found.values, [[0.15, 0.6], [np.nan, 0.5]])
    assert scores_of_systems(found, systems_of(found.runs)) is found
