"""Scoring: equal to the files, once, and sealed where it has to be."""

from __future__ import annotations

import pytest

from runoff.errors import InputError
from runoff.store.boards import load_board
from runoff.store.jobs import load_job_counts
from runoff.store.label_sets import load_label_sets, load_query_sets
from runoff.store.scores import Condition, load_analysis, load_scores, load_verdicts
from runoff.store.submissions import load_runs
from runoff.workflows.board import board_from_file
from runoff.workflows.score_submission import (
    queue_rescoring,
    save_private_labels,
    save_private_queries,
)
from runoff.workflows.serp_arrays import KIND, kernel_of
from tests.workflows.served import NOW, PRIVATE, PUBLIC, Served


@pytest.fixture
def served(database, tmp_path):
    return Served.made_in(database, tmp_path)


def test_means_equal_those_of_the_files_and_private_arrays_are_sealed(served):
    served.work()
    with served.database.read() as connection:
        runs = {run.id: run.name for run in load_runs(connection, served.board.id)}
        scores = load_scores(connection, served.board.id)
        labels = {one.id: one for one in load_label_sets(connection, served.board.id)}
        queries = {one.id: one for one in load_query_sets(connection, served.board.id)}
        kernel = kernel_of(load_board(connection, served.board.id))
        for query_set in ("public", "private"):
            rows = board_from_file(served.toml, query_set=query_set, trials=10).rows
            found = {runs[one.run_id]: one.mean for one in scores if queries[one.query_set_id].name == query_set}
            assert found == pytest.approx({row.run: row.mean for row in rows}, abs=1e-15)
        for score in scores:
            condition = Condition(
                run_id=score.run_id, label_set_id=score.label_set_id, query_set_id=score.query_set_id, kernel=kernel
            )
            is_sealed = labels[score.label_set_id].sealed
            assert (load_analysis(connection, condition, KIND) is None) == is_sealed
        sealed = connection.exec_driver_sql("SELECT count(*) FROM sealed_analysis").scalar_one()
    assert (len(scores), sealed) == (6, 3)


def test_new_private_labels_let_every_run_be_scored_again_without_a_new_verdict(served):
    served.work()
    with served.database.read() as connection:
        before = load_verdicts(connection, served.board.id)
    content = "".join(f"{query} 0 d 1\n" for query in PUBLIC[:5]).encode()
    made = save_private_labels(
        served.database, served.board, content, name="secret", file_name="s.txt", actor=None, now=NOW
    )
    assert (made.sealed, made.content_hash, made.queries) == (True, None, 5)
    assert served.work() == ["scored"] * 3
    with served.database.read() as connection:
        assert load_verdicts(connection, served.board.id) == before
        assert sum(one.label_set_id == made.id for one in load_scores(connection, served.board.id)) == 3
        assert (
            connection.exec_driver_sql(f"SELECT count(*) FROM analysis WHERE label_set_id = {made.id}").scalar_one()
            == 0
        )
        queued = served.database.write(lambda connection: queue_rescoring(connection, served.board, now=NOW))
        assert queued == 3
    # The same jobs are there already, and done.
    assert served.work() == []


def test_bad_private_files_are_told_by_their_name(served):
    for save in (save_private_labels, save_private_queries):
        with pytest.raises(InputError, match=r"^s\.txt"):
            save(served.database, served.board, b"", name="x", file_name="/a/s.txt", actor=None, now=NOW)


def test_new_private_queries(served):
    served.work()
    content = "\n".join(PRIVATE[:3]).encode() + b"\n"
    made = save_private_queries(served.database, served.board, content, name="few", file_name="f", actor=None, now=NOW)
    assert served.work() == ["scored"] * 3
    with served.database.read() as connection:
        assert {one.queries for one in load_scores(connection, served.board.id) if one.query_set_id == made.id} == {3}
        assert set(load_job_counts(connection)) == {("score", "done"), ("rescore", "done")}
