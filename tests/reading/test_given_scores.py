"""Scores that a caller has: tables and frames, and the measures among them."""

import numpy as np
import pytest

import runoff
from runoff.errors import UsageError
from runoff.reading.given_scores import as_scores, runs_named


def table(measure, *, queries=("p", "q"), runs=("a", "b#1", "b#2")):
    return runoff.Scores(measure=measure, query_ids=queries, runs=runs, values=np.zeros((len(queries), len(runs))))


def test_one_table_or_several():
    assert [each.measure for each in as_scores(table("AP"))] == ["AP"]
    both = [table("AP"), table("nDCG@10")]
    assert [each.measure for each in as_scores(both)] == ["AP", "nDCG@10"]
    assert [each.measure for each in as_scores(both, [runoff.parse_measure("ndcg_cut_10")])] == ["nDCG@10"]


def test_runs_by_name_and_by_system():
    assert runs_named(table("AP"), ["a", "b"]) == ["a", "b#1", "b#2"]
    assert runs_named(table("AP"), ["b#2"]) == ["b#2"]


@pytest.mark.parametrize(
    "source, measures, message",
    [
        ([], (), "no scores"),
        ([table("AP"), "AP"], (), "no scores"),
        ([table("AP"), table("AP")], (), "scores of AP and AP; expected every measure once"),
        ([table("AP"), table("RR", queries=("p", "r"))], (), "the scores of AP and RR are of different queries"),
        ([table("AP")], [runoff.parse_measure("RR")], "no scores of RR; expected one of AP; choose one of these"),
    ],
)
def test_faults(source, measures, message):
    with pytest.raises(UsageError, match=message):
        as_scores(source, measures)


@pytest.mark.parametrize("measures", ["my own", ["my own", "MAP"], ["my own", "map", "AP"]])
def test_measures_that_runoff_does_not_know(measures):
    asked = ["my own"] if isinstance(measures, str) else ["my own", "AP"]
    assert [each.measure for each in as_scores([table("AP"), table("my own")], measures)] == asked
    scored = [table("AP"), table("my own")]
    assert runoff.compare("a", "b", scores=scored, measures=measures).measure_name == "my own"
    with pytest.raises(UsageError, match="no scores of mine; expected one of AP and my own"):
        runoff.compare("a", "b", scores=scored, measures="mine")


def test_files_are_read_together(tmp_path):
    files = [tmp_path / "b.txt", tmp_path / "a.txt"]
    for file, score in zip(files, (0.5, 0.25), strict=True):
        file.write_text(f"map\t1\t{score}\nmap\t2\t{score}\n")
    (scores,) = as_scores(files, "AP")
    assert (scores.runs, scores.means.tolist()) == (("b.txt", "a.txt"), [0.5, 0.25])
    assert runoff.compare("b.txt", "a.txt", scores=[str(file) for file in files]).means.difference == -0.25


def test_a_file_among_the_runs_is_one_of_the_scores(tmp_path):
    file = tmp_path / "b.txt"
    file.write_text("map\tq1\t0.5\n")
    with pytest.raises(UsageError, match="expected one of a and b; repeat --scores for each file"):
        runs_named(table("AP"), [str(file)])
    with pytest.raises(UsageError, match="no scores of a run 'else'; expected one of a and b; choose one"):
        runs_named(table("AP"), ["else"])
