import threading
from dataclasses import replace

import pytest

from runoff.errors import ConflictError, NotFoundError, QuotaError, UsageError
from runoff.server.store.audit import load_audit
from runoff.server.store.boards import save_board_settings
from runoff.server.store.jobs import load_job_by_key
from runoff.server.store.people import save_team
from runoff.server.store.submissions import load_run, load_runs, save_run, save_run_counts, save_run_state
from tests.server.store.world import NOW, SETTINGS, later


def submit(world, number, now=NOW, **changes):
    return world.database.write(lambda connection: save_run(connection, world.run(number, **changes), now=now))


def change_board(world, **changes):
    settings = replace(SETTINGS, **changes)
    world.database.write(
        lambda connection: save_board_settings(
            connection, world.board.id, settings, version=1, actor=world.organiser.id, now=NOW
        )
    )


def test_a_submission_is_kept_queued_and_noted(world):
    run = submit(world, 1, description="first", metadata={"model": "bm25"}, embargo_until=later(days=3))
    assert (run.state, run.counts, run.submitted_at) == ("queued", True, NOW)
    with world.database.read() as connection:
        assert load_run(connection, run.id) == run
        job = load_job_by_key(connection, f"score:{run.id}")
        assert job
        assert job.payload == {"run_id": run.id}
        (entry,) = load_audit(connection, thing="run", thing_id=run.id)
    assert (entry.action, entry.actor_id, entry.details["size"]) == ("submit", world.member.id, 1000)


def test_the_same_request_again_is_the_same_submission(world):
    first = submit(world, 1)
    assert submit(world, 1, now=later(hours=1)) == first
    assert submit(world, 2).id != first.id
    with pytest.raises(ConflictError, match="key 1' was used for another file; draw a new one"):
        submit(world, 3, submission_key="key 1")


def test_the_rule_leaves_two_in_any_30_days(world):
    submit(world, 1)
    submit(world, 2, now=later(days=3))
    with pytest.raises(
        QuotaError, match=r"used 2 of the 2 submissions that board 'passages' takes in any 30 days; .* 2026-04-14"
    ):
        submit(world, 3, now=later(days=4))
    with pytest.raises(QuotaError) as caught:
        submit(world, 3, now=later(days=29))
    assert caught.value.free_at == NOW.replace(hour=0, minute=0, day=14, month=4)
    submit(world, 3, now=caught.value.free_at)


def test_variations_have_a_limit_of_their_own(world):
    change_board(world, most=5)
    first = submit(world, 1)
    submit(world, 2, variant_of=first.id)
    with pytest.raises(QuotaError, match="used 1 of the 1 small variations that board 'passages' takes in any 30 days"):
        submit(world, 3, variant_of=first.id)
    submit(world, 3)
    with pytest.raises(UsageError, match="variant_of=99 is not a run of this team"):
        submit(world, 4, variant_of=99)


def test_a_rejected_run_gives_the_submission_back(world):
    first = submit(world, 1)
    submit(world, 2)
    world.database.write(
        lambda connection: save_run_state(connection, first.id, "rejected", problems=["a:1: bad"], now=NOW)
    )
    with world.database.read() as connection:
        run = load_run(connection, first.id)
    assert (run.state, run.counts, run.problems) == ("rejected", False, ["a:1: bad"])
    assert submit(world, 3, content_hash=first.content_hash).state == "queued"


def test_organisers_give_back_and_baselines_are_outside_the_rule(world):
    for number in (1, 2):
        submit(world, number)
    assert not submit(world, 3, baseline=True).counts
    with pytest.raises(QuotaError):
        submit(world, 4)
    world.database.write(
        lambda connection: save_run_counts(connection, 1, counts=False, actor=world.organiser.id, now=NOW)
    )
    submit(world, 4)


def test_two_at_once_cannot_both_take_the_last_slot(world):
    submit(world, 1)
    outcomes = []
    start = threading.Barrier(8)

    def one(number):
        start.wait(10)
        try:
            outcomes.append(submit(world, number).state)
        except QuotaError:
            outcomes.append("refused")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(2, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["queued"] + ["refused"] * 7
    with world.database.read() as connection:
        assert len(load_runs(connection, world.board.id)) == 2


def test_states_go_forward_only(world):
    number = submit(world, 1).id

    def step(state):
        return world.database.write(lambda connection: save_run_state(connection, number, state, now=NOW))

    with pytest.raises(ConflictError, match="is queued and cannot become scored"):
        step("scored")
    for state in ("scoring", "queued", "scoring"):
        assert step(state).state == state
    assert step("scored").scored_at == NOW
    for state in ("queued", "scoring", "scored", "rejected"):
        with pytest.raises(ConflictError, match="is scored and cannot become"):
            step(state)


def test_what_a_board_does_not_take(world):
    change_board(world, opens_at=later(days=1), closes_at=later(days=2), upload_limit=1000)
    for moment in (NOW, later(days=2)):
        with pytest.raises(ConflictError, match="'passages' is not taking submissions now"):
            submit(world, 1, now=moment)
    with pytest.raises(UsageError, match="1,001 bytes; board 'passages' takes 1,000 at most"):
        submit(world, 1, now=later(days=1), size=1001)
    submit(world, 1, now=later(days=1))
    with pytest.raises(ConflictError, match="already submitted this file, as 'run 1'"):
        submit(world, 2, now=later(days=1), content_hash=world.run(1).content_hash)
    with pytest.raises(ConflictError, match="already has a run 'run 1' on this board"):
        submit(world, 2, now=later(days=1), name="run 1")
    with pytest.raises(NotFoundError, match="no team 99"):
        submit(world, 2, now=later(days=1), team_id=99)
    with pytest.raises(NotFoundError, match="no board 99"):
        submit(world, 2, board_id=99)


def test_teams_of_different_people_do_not_share_a_quota_or_a_list(world):
    other = world.database.write(
        lambda connection: save_team(connection, slug="oaks", name="Oaks", founder=world.organiser.id, now=NOW)
    )
    for number in (1, 2):
        submit(world, number)
        submit(world, number, team_id=other.id, submitted_by=world.organiser.id)
    with world.database.read() as connection:
        assert [run.team_id for run in load_runs(connection, world.board.id, team_id=other.id)] == [other.id] * 2
        assert len(load_runs(connection, world.board.id, state="queued")) == 4
        assert load_runs(connection, world.board.id, state="scored") == ()


def test_published_means_scored_and_out_of_embargo(world):
    run = submit(world, 1, embargo_until=later(days=3))
    assert not run.is_published(later(days=5))
    scored = replace(run, state="scored")
    assert [scored.is_published(later(days=days)) for days in (2, 3)] == [False, True]
    assert replace(scored, embargo_until=None).is_published(NOW)
