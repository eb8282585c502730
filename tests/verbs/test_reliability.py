"""What the workflow of reliability adds: scores from runs, keys, words and a table."""

import json

import numpy as np
import pytest

import runoff
from runoff.boards import reliability as of_board
from runoff.display.charts import HalfSplits
from runoff.reading.sources import as_run

QRELS = {f"q{place}": {"d": 1} for place in range(21)}


def run(name, seed):
    ranks = np.random.default_rng(seed).integers(1, 5 + seed, size=21)
    return as_run(
        {query: {"d": float(-rank), **{f"x{at}": -at - 0.5 for at in range(12)}}
         for query, rank in zip(QRELS, ranks, strict=True)},
        name=name,
    )  # fmt: skip


RUNS = [run("a", 0), run("b", 1), run("c", 8)]
RESULT = runoff.reliability(RUNS, QRELS, splits=7, alpha=0.1, seed=3)


def test_the_promised_keys():
    content = json.loads(RESULT.to_json())
    assert {"splits", "pairs", "tests"} <= set(content)
    assert (content["splits"], content["pairs"], content["alpha"], content["seed"]) == (7, 3, 0.1, 3)
    assert (content["measure"], content["queries"], content["runs"]) == ("RR@10", 21, 3)
    assert [(line["test"], line["aggregate"]) for line in content["tests"]] == [
        ("sign", "mean"), ("rank_sum", "mean"), ("signed_rank", "mean"), ("t", "mean"),
        ("sign", "median"), ("rank_sum", "median"), ("signed_rank", "median"),
    ]  # fmt: skip
    for line in content["tests"]:
        assert {"agree", "partial", "disagree", "significant"} <= set(line)
        assert line["agree"] + line["partial"] + line["disagree"] == pytest.approx(1)


def test_the_table_names_tests_as_people_write_them():
    tests = [row[0] for row in RESULT.grid().rows]
    assert tests[:4] == ["sign test", "rank sum test", "signed rank test", "t test"]


def test_it_is_that_of_the_board():
    scores = runoff.evaluate(RUNS, QRELS, measures=["RR@10"]).scores[0]
    assert RESULT.reliability == of_board(scores, level=0.1, splits=7, seed=3)
    assert runoff.reliability(scores, splits=7, alpha=0.1, seed=3).to_dict() == {**RESULT.to_dict(), "measure_note": ""}
    assert runoff.reliability(RUNS[::-1], QRELS, splits=7, alpha=0.1, seed=3).to_dict() == RESULT.to_dict()


def test_the_table_says_what_its_words_mean():
    grid = RESULT.grid()
    assert grid.title == "Do the tests repeat? RR@10, 21 queries, 3 runs"
    assert len(grid.rows) == 7
    assert grid.values("agree") == tuple(line.agree for line in RESULT.reliability.tests)
    assert "7 random splits of the queries (10 and 11) times 3 pairs of runs; significant is p < 0.1" in grid.notes[0]
    assert "Disagree: different runs, and at least one half significant." in grid.notes
    assert RESULT.opening(0)[0].startswith("The two halves agree in ")
    assert RESULT.to_text(100).startswith("The two halves agree in ")
    assert RESULT.to_csv().startswith("test,aggregate,agree,partial,disagree,significant")


def test_progress_counts_splits_and_defaults_are_the_same_everywhere():
    seen = []
    runoff.reliability(RUNS, QRELS, splits=2, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_the_chart_is_of_the_same_shares():
    chart = RESULT.chart()
    assert isinstance(chart, HalfSplits)
    assert chart.reliability is RESULT.reliability
