"""Scoring: equal to the files, once, and sealed where it has to be."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from runoff.errors import ClusterError, InputError
from runoff.reading.units import HereEngine
from runoff.server.cases.runs.score import (
    JOB_KINDS,
    load_share,
    queue_rescoring,
    save_private_labels,
    save_private_queries,
    save_share,
    score_submission,
)
from runoff.server.cases.uploads.run import score_upload
from runoff.server.cases.views.serp_arrays import computation_version_of
from runoff.server.store.boards import load_board, save_board_settings
from runoff.server.store.jobs import load_job_counts, take_job
from runoff.server.store.label_sets import load_label_sets, load_query_sets
from runoff.server.store.scores import load_analysis, load_scores, load_verdicts
from runoff.server.store.submissions import load_runs
from tests.server.cases.reading_here import HERE
from tests.server.cases.served import NOW, PRIVATE, PUBLIC, Served, write_with_development
from tests.server.store.backends import both_databases
from tests.verbs.boards import board_of_file


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
        computation_version = computation_version_of(load_board(connection, served.board.id))
        for query_set in ("public", "private"):
            rows = board_of_file(served.toml, query_set=query_set, trials=10).rows
            found = {runs[one.run_id]: one.mean for one in scores if queries[one.query_set_id].name == query_set}
            assert found == pytest.approx({row.run: row.mean for row in rows}, abs=1e-15)
        for score in scores:
            assert score.computation_version == computation_version
            is_sealed = labels[score.label_set_id].sealed
            assert (load_analysis(connection, score, score.run_id) is None) == is_sealed
        sealed = connection.exec_driver_sql("SELECT count(*) FROM sealed_analysis").scalar_one()
    assert (len(scores), sealed) == (6, 3)


@both_databases
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
            save(served.database, served.board, b"", name="x", file_name="/a/s.txt", actor=None, now=NOW, reader=HERE)


def test_new_private_queries(served):
    served.work()
    content = "\n".join(PRIVATE[:3]).encode() + b"\n"
    made = save_private_queries(served.database, served.board, content, name="few", file_name="f", actor=None, now=NOW)
    assert served.work() == ["scored"] * 3
    with served.database.read() as connection:
        assert {one.queries for one in load_scores(connection, served.board.id) if one.query_set_id == made.id} == {3}
        assert set(load_job_counts(connection)) == {("score", "done"), ("rescore", "done")}


def changed(served, **settings):
    """Change settings and queue what follows, from the board as it was before: the store is asked, not the caller."""

    def work(connection):
        board = load_board(connection, served.board.id)
        save_board_settings(
            connection, board.id, replace(board, **settings), version=board.version, actor=None, now=NOW
        )
        return queue_rescoring(connection, board, now=NOW)

    return served.database.write(work)


def computation_versions(served):
    """How many runs have a public mean under each version of the computation."""
    with served.database.read() as connection:
        (queries,) = (one.id for one in load_query_sets(connection, served.board.id) if one.name == "public")
        return Counter(
            one.computation_version for one in load_scores(connection, served.board.id) if one.query_set_id == queries
        )


@pytest.mark.parametrize("settings", [{"measure": "RR@5"}, {"depth": 7}, {"relevance_level": 2}])
def test_other_settings_let_every_run_be_scored_again(served, settings):
    served.work()
    before = computation_versions(served)
    assert changed(served, **settings) == 3
    assert served.work() == ["scored"] * 3
    with served.database.read() as connection:
        now = computation_version_of(load_board(connection, served.board.id))
    assert now not in before
    assert computation_versions(served) == before + Counter({now: 3})


def test_a_share_is_left_out_by_a_new_computation_beside_the_whole_one(served):
    served.work()
    (whole,) = computation_versions(served)

    def hide(share):
        def work(connection):
            board = load_board(connection, served.board.id)
            is_new = save_share(connection, board, share, actor=None, now=NOW)
            return is_new, queue_rescoring(connection, board, now=NOW), load_share(connection, board)

        return served.database.write(work)

    assert hide(0.5) == (True, 3, 0.5)
    assert served.work() == ["scored"] * 3
    assert hide(0.5)[0] is False
    assert served.work() == []
    found = computation_versions(served)
    assert found[whole] == 3
    assert sorted(found.values()) == [3, 3]
    (part,) = set(found) - {whole}
    with served.database.read() as connection:
        scores = load_scores(connection, served.board.id)
        assert load_board(connection, served.board.id).hidden_subset == 1
    queries = {
        computation_version: {one.queries for one in scores if one.computation_version == computation_version}
        for computation_version in (whole, part)
    }
    assert queries[whole] == {24}
    assert len(queries[part]) == 2, "some of the public queries, and all private ones"
    assert max(queries[part]) == 24
    hide(0.0)
    with served.database.read() as connection:
        assert computation_version_of(load_board(connection, served.board.id)) == whole


def test_no_development_query_is_left_out(database, tmp_path):
    served = Served.made_in(database, tmp_path, write=write_with_development)
    served.database.write(lambda c: save_share(c, load_board(c, served.board.id), 0.5, actor=None, now=NOW))
    served.work()
    with served.database.read() as connection:
        names = {one.id: one.name for one in load_query_sets(connection, served.board.id)}
        part = computation_version_of(load_board(connection, served.board.id))
        scores = [one for one in load_scores(connection, served.board.id) if one.computation_version == part]
    counts = {names[one.query_set_id]: one.queries for one in scores}
    assert (counts["development"], counts["private"]) == (8, 24)
    assert counts["public"] < 16


@both_databases
def test_settings_that_change_while_a_run_is_scored_are_not_missed(served, monkeypatch):
    job = served.database.write(lambda c: take_job(c, JOB_KINDS, worker="w", lease=timedelta(minutes=1), now=NOW))
    changes: list[int] = []

    def slow(*given, **named):
        if not changes:
            changes.append(changed(served, measure="RR@5"))
        return score_upload(*given, **named)

    monkeypatch.setattr("runoff.server.cases.uploads.run.score_upload", slow)
    score_submission(served.database, served.files, job, now=lambda: NOW, reader=HERE)
    assert changes == [1], "the run that is just being scored is queued again"
    served.work()
    with served.database.read() as connection:
        computation_version = computation_version_of(load_board(connection, served.board.id))
    assert computation_versions(served)[computation_version] == 3


class Away(HereEngine):
    """An engine that notes the queries it is told of; with an error, it fails like a cluster that is gone."""

    def __init__(self, error=None):
        self.error = error
        self.queries: set[str] = set()

    def scored(self, units, qrels):
        self.queries |= set(qrels.query_ids)
        if self.error is not None:
            raise self.error
        return HereEngine().scored(units, qrels)


@pytest.mark.parametrize("error", [None, ClusterError("gone"), InputError(["run: no such file"])])
def test_a_cluster_scores_on_open_labels_alone_and_refuses_no_run(served, error):
    engine = Away(error)
    while job := served.database.write(
        lambda connection: take_job(connection, JOB_KINDS, worker="w", lease=timedelta(minutes=1), now=NOW)
    ):
        done = score_submission(served.database, served.files, job, now=lambda: NOW, reader=HERE, engine=engine)
        assert done == "scored"
    assert engine.queries == set(PUBLIC)
    with served.database.read() as connection:
        scores = load_scores(connection, served.board.id)
        runs = {run.id: run.name for run in load_runs(connection, served.board.id)}
        queries = {one.id: one.name for one in load_query_sets(connection, served.board.id)}
    for query_set in ("public", "private"):
        found = {runs[one.run_id]: one.mean for one in scores if queries[one.query_set_id] == query_set}
        rows = board_of_file(served.toml, query_set=query_set, trials=10).rows
        assert found == pytest.approx({row.run: row.mean for row in rows}, abs=1e-15)
