"""Near-duplicates of a stored board, found by a job."""

from __future__ import annotations

from datetime import timedelta

import pytest

from runoff.errors import NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.runs.jobs import (
    NEAR_DUPLICATES,
    find_near_duplicates,
    load_found_duplicates,
    queue_near_duplicates,
)
from runoff.server.cases.views.stored_board import load_visible_runs
from runoff.server.store.jobs import take_job
from runoff.server.store.submissions import NewRun, save_run
from tests.server.cases.served import NOW, run_text
from tests.server.store.backends import both_databases


@both_databases
def test_a_job_finds_what_is_nearly_the_same(served):
    olga = Actor(id=served.organiser.id, role="organiser")
    copied = run_text(2, skill=0.7).replace("run2", "mine").encode()
    stored = served.files.save([copied], limit=10**7)
    new = NewRun(
        board_id=served.board.id, team_id=served.team.id, submitted_by=served.member.id, submission_key="k",
        name="copied", content_hash=stored.content_hash, size=stored.size,
    )  # fmt: skip
    served.database.write(lambda connection: save_run(connection, new, now=NOW))
    served.work()
    with pytest.raises(NotAllowedError):
        served.database.write(lambda c: queue_near_duplicates(c, served.board, actor=served.actor, now=NOW))
    first = served.database.write(lambda c: queue_near_duplicates(c, served.board, actor=olga, now=NOW))
    again = served.database.write(lambda c: queue_near_duplicates(c, served.board, actor=olga, now=NOW))
    assert first == again
    job = served.database.write(
        lambda c: take_job(c, (NEAR_DUPLICATES,), worker="w", lease=timedelta(minutes=1), now=NOW)
    )
    assert find_near_duplicates(served.database, served.files, job, now=lambda: NOW) == 1
    with served.database.read() as connection:
        names = {one.run.id: one.name for one in load_visible_runs(connection, served.board, viewer=olga, now=NOW)}
        found = load_found_duplicates(connection, served.board, names)
        nothing = load_found_duplicates(connection, served.board, {})
    assert found is not None
    assert nothing is not None
    assert nothing.result.pairs == ()
    (pair,) = found.result.pairs
    assert (pair.first, pair.second, pair.overlap) == ("run 2", "copied", 1.0)
    assert (found.at, len(found.runs)) == (NOW, 4)
