"""What is read of a board: scores and SERPs in the order and under the names of the board."""

import hashlib

import numpy as np
import pytest

from runoff import InputError, UsageError
from runoff.comparisons.options import CompareOptions
from runoff.files import read_board
from runoff.measures import parse_measure
from runoff.reading.boards import (
    asked_of,
    board_data,
    board_data_of_scores,
    board_inputs,
    input_files,
    needed_ranks,
    private_scores,
    read_board_data,
    read_board_inputs,
)
from runoff.reading.conditions import read_label_sets
from runoff.reading.runs import read_runs
from runoff.reading.sources import as_qrels
from runoff.tables.scores import Scores
from runoff.verdicts import Policy
from tests.verbs.audited import DEVELOPMENT, PRIVATE, PUBLIC, write_audited
from tests.verbs.boards import HISTORY, data_of
from tests.verbs.comparisons import qrels_of, run_of


def test_scores_and_serps_are_in_the_order_of_the_board():
    data = data_of(HISTORY)
    assert data.scores.runs == tuple(HISTORY)
    assert data.means["best"] == pytest.approx(29 / 30)
    for name in HISTORY:
        assert data.serps_of(name).run == name
        assert data.measure is not None
        assert np.array_equal(data.measure.values(data.serps_of(name)), data.scores.of(name))


def test_the_depth_is_that_of_measure_and_comparison():
    runs, qrels = [run_of("a", [2, 12, 12, 12], length=30)], as_qrels(qrels_of(4))

    def depth(**options):
        serps = read_board_data(runs, qrels, options=CompareOptions(**options)).serps
        assert serps is not None
        return serps[0].depth

    assert depth(measures="RR@10") == 10
    assert depth(measures="RR@10", depth=20) == 20
    assert depth(measures="RR") == depth(measures="RR@1000000000") == 30


def test_a_measure_of_ir_measures_has_no_serps():
    data = read_board_data([run_of("a", [1, 2])], as_qrels(qrels_of(2)), options=CompareOptions(measures="SetP"))
    assert data.serps is None
    with pytest.raises(UsageError, match="expected ranked lists"):
        data.serps_of("a")


def test_a_matrix_is_a_board_too():
    scores = Scores(measure="AP", query_ids=("1", "2"), runs=("a", "b"), values=np.array([[0.1, 0.2], [0.3, 0.4]]))
    data = board_data_of_scores(scores)
    assert [run.name for run in data.runs] == ["a", "b"]
    assert (data.serps, data.best_is_low) == (None, False)
    with pytest.raises(UsageError, match="AP is undefined for 1 of 2 queries"):
        board_data_of_scores(
            Scores(measure="AP", query_ids=("1", "2"), runs=("a",), values=np.array([[np.nan], [0.4]]))
        )


def test_a_board_file_sets_the_policy_and_the_question(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d 2\nq2 0 d 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d 1 2 t\nq2 Q0 d 1 2 t\n")
    (tmp_path / "board.toml").write_text(
        'title = "T"\nmeasure = "RR(rel=2)@10"\ndepth = 5\nrelevance_level = 2\nalpha = 0.01\n'
        'correction = "bonferroni"\nrecord_rule = "holm"\n[labels.l]\npath = "q.txt"\n'
        '[[runs]]\npath = "a.run"\nname = "A"\n'
    )
    data = read_board_inputs(board_inputs(tmp_path / "board.toml"))
    assert data.policy == Policy(alpha=0.01, correction="bonferroni", record_rule="holm")
    assert (data.compared.depth, data.compared.level) == (5, 2)
    assert data.means == {"A": 0.5}


def test_the_relevance_level_of_a_board_is_that_of_its_measure(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d 2\nq2 0 d 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d 1 2 t\nq2 Q0 d 1 2 t\n")
    run = '[[runs]]\npath = "a.run"\nname = "{}"\n'
    text = 'title = "T"\nmeasure = "RR@10"\nrelevance_level = 2\n[labels.l]\npath = "q.txt"\n'
    (tmp_path / "board.toml").write_text(text + run.format("A") + run.format("B"))  # one file, two names
    data = read_board_inputs(board_inputs(tmp_path / "board.toml"))
    assert data.scores.measure == "RR(rel=2)@10"
    assert data.means == {"A": 0.5, "B": 0.5}


@pytest.mark.parametrize("queries", [("public", "private"), ("private",), ("development", "private"), ()])
def test_the_same_as_read_alone(tmp_path, queries):
    file = write_audited(tmp_path, queries=queries)
    file.write_text(f'record_rule = "holm"\n{file.read_text()}')
    board = read_board(file)
    measure = parse_measure("RR@10")
    sets = read_label_sets(board, whole="public" not in queries)
    files, names = [run.path for run in board.runs], [run.name for run in board.runs]
    scorings = [labels.scoring([measure], keep_serps=labels is sets[0]) for labels in sets]
    read = read_runs(files, *scorings, depth=10, top=10, names=names)
    found = board_data(board, board.runs, sets[0], read, measure, asked_of(board, sets[0], measure, 0))
    alone = read_board_inputs(board_inputs(file))
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
    files, names = [run.path for run in board.runs], [run.name for run in board.runs]
    scorings = [labels.scoring([measure], keep_serps=labels is sets[0]) for labels in sets]
    read = read_runs(files, *scorings, depth=10, top=10, names=names)
    found = private_scores(sets[0], read, measure)
    if len(queries) < 2:
        assert found is None
        return
    assert found is not None
    name, scores = found
    alone = read_board_inputs(board_inputs(file, query_set="private")).scores
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
    assert needed_ranks(chosen, CompareOptions(measures=chosen[0], depth=depth), *others) == ranks


def test_checksums(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"abc")
    (found,) = input_files([("run a", file), ("run a", file)], tmp_path)
    assert (found.role, found.path, found.size) == ("run a", "a.txt", 3)
    assert found.sha256 == hashlib.sha256(b"abc").hexdigest()
    (outside,) = input_files([("run a", file)], None)
    assert outside.path == str(file)
    with pytest.raises(InputError, match="cannot be read"):
        input_files([("run b", tmp_path / "absent")], None)


def test_a_folder_of_shards_has_one_digest(tmp_path):
    first = tmp_path / "run"
    first.mkdir()
    for number in (10, 9):
        (first / f"part-{number}.parquet").write_bytes(f"{number}".encode())
    (found,) = input_files([("run", first)], tmp_path)
    sums = "".join(hashlib.sha256(one).hexdigest() for one in (b"9", b"10"))
    assert (found.path, found.size) == ("run", 3)
    assert found.sha256 == hashlib.sha256(sums.encode()).hexdigest()
