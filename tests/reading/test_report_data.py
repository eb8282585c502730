"""A board read for a report is the board that is read for itself, whatever query sets it has."""

import numpy as np
import pytest

from runoff.comparisons.options import CompareOptions
from runoff.files import read_board
from runoff.measures import parse_measure
from runoff.reading.board_data import read_board_file
from runoff.reading.conditions import read_label_sets
from runoff.reading.report_data import asked_of, board_data, needed_ranks, private_scores
from runoff.reading.report_inputs import read_runs_once
from tests.verbs.audited import DEVELOPMENT, PRIVATE, PUBLIC, write_audited


@pytest.mark.parametrize("queries", [("public", "private"), ("private",), ("development", "private"), ()])
def test_the_same_as_read_alone(tmp_path, queries):
    file = write_audited(tmp_path, queries=queries)
    file.write_text(f'record_rule = "holm"\n{file.read_text()}')
    board = read_board(file)
    measure = parse_measure("RR@10")
    sets = read_label_sets(board, whole="public" not in queries)
    read = read_runs_once(board.runs, sets, [measure], depth=10, top=10)
    found = board_data(board, board.runs, sets[0], read, measure, asked_of(board, sets[0], measure, 0))
    alone = read_board_file(file)
    assert found.policy == alone.policy
    assert found.policy.record_rule == "holm"
    assert found.scores.query_ids == alone.scores.query_ids
    held = set(DEVELOPMENT) if "development" in queries else set(PRIVATE) if "public" in queries else set()
    assert set(alone.scores.query_ids) == {*PUBLIC, *PRIVATE} - held
    np.testing.assert_array_equal(found.scores.values, alone.scores.values)
    assert found.serps is not None
    for one, other in zip(found.serps or (), alone.serps or (), strict=True):
        np.testing.assert_array_equal(one.grades, other.grades)
        assert (one.extra_queries, one.missing_queries) == (other.extra_queries, other.missing_queries)


@pytest.mark.parametrize("queries", [("public", "private"), ("private",), ("public",), ()])
def test_private_queries_are_scored_where_the_board_is_about_the_public_ones(tmp_path, queries):
    file = write_audited(tmp_path, queries=queries)
    board = read_board(file)
    measure = parse_measure("RR@10")
    sets = read_label_sets(board, whole="public" not in queries)
    read = read_runs_once(board.runs, sets, [measure], depth=10, top=10)
    found = private_scores(sets[0], read, board.runs, measure)
    if len(queries) < 2:
        assert found is None
        return
    assert found is not None
    name, scores = found
    alone = read_board_file(file, query_set="private").scores
    assert (name, scores.query_ids, scores.runs) == ("private", alone.query_ids, alone.runs)
    np.testing.assert_array_equal(scores.values, alone.values)


@pytest.mark.parametrize(
    "measures, depth, others, ranks",
    [
        (["RR@10"], None, (), 10),
        (["RR@10", "nDCG@20"], None, (), 20),
        (["RR@10"], 50, (), 50),
        (["RR@10"], None, (30,), 30),
        (["RR@10"], None, (None,), None),
        (["AP"], None, (), None),
    ],
)
def test_the_ranks_that_are_needed(measures, depth, others, ranks):
    chosen = [parse_measure(name) for name in measures]
    assert needed_ranks(chosen, CompareOptions(measure=chosen[0], depth=depth), *others) == ranks
