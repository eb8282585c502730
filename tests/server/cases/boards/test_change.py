"""Settings of a board that is in use: what is scored again, and that nothing wrong is shown meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runoff.errors import ConflictError, MeasureError, NotAllowedError, NotFoundError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.boards.change import change_board, load_organiser_settings
from runoff.server.cases.runs.score import load_share
from runoff.server.cases.views.stored_board import load_board_data, load_open_means, load_unscored
from runoff.server.store.boards import load_board
from runoff.server.store.scores import load_scores, load_verdicts
from runoff.tables.settings import BoardSettings, settings_of
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases


def olga(served):
    return Actor(id=served.organiser.id, role="organiser")


def now_of(served):
    with served.database.read() as connection:
        return load_board(connection, served.board.id)


def change(served, *, version=None, actor=None, **more):
    with served.database.read() as connection:
        board = load_board(connection, served.board.id)
        settings = replace(load_organiser_settings(connection, board), **more)
    version, actor = version or board.version, actor or olga(served)
    return change_board(served.database, board.id, settings, version=version, actor=actor, now=NOW)


def unscored(served):
    with served.database.read() as connection:
        return load_unscored(connection, load_board(connection, served.board.id))


def test_another_measure_lets_every_run_be_scored_again_and_old_verdicts_stand(served):
    served.work()
    with served.database.read() as connection:
        before = load_verdicts(connection, served.board.id)
    assert change(served, title="Other").rescored == 0
    assert served.work() == []
    found = change(served, measure="nDCG@10")
    assert (found.board.measure, found.rescored, unscored(served)) == ("nDCG@10", 3, (3, 3))
    with served.database.read() as connection, pytest.raises(NotFoundError):
        load_board_data(connection, found.board, now=NOW)
    assert served.work() == ["scored"] * 3
    assert unscored(served) == (0, 3)
    with served.database.read() as connection:
        assert load_board_data(connection, found.board, now=NOW).scores.measure == "nDCG@10"
        assert len(load_open_means(connection, found.board)) == 3
        assert load_verdicts(connection, served.board.id) == before


def test_settings_that_go_to_and_fro_before_a_job_is_done(served):
    served.work()
    for measure in ("nDCG@10", "RR@10", "nDCG@10", "AP@10", "nDCG@10"):
        change(served, measure=measure)
    served.work()
    assert unscored(served) == (0, 3)
    with served.database.read() as connection:
        assert {one.measure for one in load_scores(connection, served.board.id)} == {"RR@10", "nDCG@10"}


def test_a_run_that_is_being_scored_is_scored_again(served):
    from runoff.server.store.submissions import load_runs, save_run_state

    with served.database.read() as connection:
        first = load_runs(connection, served.board.id)[0]
    served.database.write(lambda connection: save_run_state(connection, first.id, "scoring", now=NOW))
    assert change(served, depth=7).rescored == 1


def test_a_verdict_waits_for_runs_that_are_scored_again(served):
    from runoff.server.store.submissions import NewRun, save_run
    from tests.server.cases.served import run_text

    served.work()
    change(served, measure="nDCG@10")
    stored = served.files.save([run_text(77, skill=0.9).encode()], limit=10**7)
    new = NewRun(
        board_id=served.board.id, team_id=served.team.id, submitted_by=served.member.id, submission_key="k",
        name="late", content_hash=stored.content_hash, size=stored.size,
    )  # fmt: skip
    run = served.database.write(lambda connection: save_run(connection, new, now=NOW))
    # The new run first, as another worker could finish it before the others.
    served.database.write(
        lambda connection: connection.exec_driver_sql(
            f"UPDATE job SET run_after = '2030-01-01 00:00:00' WHERE job_key <> 'score:{run.id}'"
        )
    )
    assert served.work() == ["scored"]
    with served.database.read() as connection:
        assert run.id not in {one.run_id for one in load_verdicts(connection, served.board.id)}
    served.database.write(
        lambda connection: connection.exec_driver_sql("UPDATE job SET run_after = '2026-01-01 00:00:00'")
    )
    assert served.work() == ["scored"] * 3
    with served.database.read() as connection:
        (verdict,) = [one for one in load_verdicts(connection, served.board.id) if one.run_id == run.id]
    assert verdict.champion_id is not None
    assert "nDCG@10" in verdict.computation_version


@both_databases
def test_the_hidden_share_is_set_and_scored(served):
    served.work()
    assert change(served, hidden_share=0.25).rescored == 3
    assert change(served, hidden_share=0.25).rescored == 0
    with served.database.read() as connection:
        assert load_share(connection, served.board) == 0.25
    settings = BoardSettings(**settings_of(now_of(served)))
    change_board(
        served.database, served.board.id, settings, version=now_of(served).version, actor=olga(served), now=NOW
    )
    with served.database.read() as connection:
        assert load_share(connection, served.board) == 0.25
    change(served, hidden_share=0.0)
    with served.database.read() as connection:
        assert load_share(connection, served.board) == 0.0


def test_what_cannot_be_changed(served):
    with pytest.raises(NotAllowedError):
        change(served, title="x", actor=served.actor)
    with pytest.raises(UsageError, match="keeps its name"):
        change(served, slug="other")
    with pytest.raises(MeasureError):
        change(served, measure="RR@ten")
    with pytest.raises(ConflictError, match="since been changed"):
        change(served, version=99, title="x")
