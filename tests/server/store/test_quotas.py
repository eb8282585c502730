"""The quota of the store against `runoff.boards.submissions`, which checks the rule afterwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runoff.boards.submissions import SubmissionRule, submissions
from runoff.errors import QuotaError
from runoff.server.store.boards import save_board
from runoff.server.store.submissions import load_quota, save_run, save_run_state
from runoff.tables.board import BoardRun
from tests.server.store.world import NOW, SETTINGS

STEPS = st.lists(
    st.tuples(st.sampled_from([0, 1, 6, 12, 24, 30, 72, 240]), st.booleans(), st.sampled_from([False, False, True])),
    max_size=14,
)
RULES = st.builds(SubmissionRule, days=st.integers(1, 6), most=st.integers(1, 3), variants=st.integers(0, 2))


def check(world, rule, steps):
    """Submit whenever a step says so; what is refused must be what the rule, asked afterwards, calls a violation."""
    connection = world.database.engine.connect()
    transaction = connection.begin()
    try:
        chosen = replace(SETTINGS, slug="other", window_days=rule.days, most=rule.most, variants=rule.variants)
        board = save_board(connection, chosen, actor=None, now=NOW)
        kept: list[BoardRun] = []
        now = datetime(2026, 1, 1, tzinfo=UTC)
        first: int | None = None
        for number, (hours, variant, reject) in enumerate(steps):
            now += timedelta(hours=hours)
            base = first if variant else None
            run = BoardRun(
                name=f"run {number}", team="A", date=now.date(), variant_of=None if base is None else "run 0"
            )
            breaks = bool(submissions([*kept, run], rule=rule).violations)
            quota = load_quota(connection, board, world.team.id, now)
            free_at = quota.variant_free_at if base is not None else quota.free_at
            assert breaks == (free_at is None or free_at > now)
            new = world.run(number, board_id=board.id, variant_of=base)
            if breaks:
                with pytest.raises(QuotaError) as caught:
                    save_run(connection, new, now=now)
                assert caught.value.free_at is None or caught.value.free_at > now
                continue
            saved = save_run(connection, new, now=now)
            first = first or saved.id
            if reject:
                save_run_state(connection, saved.id, "rejected", now=now)
            else:
                kept.append(run)
        assert submissions(kept, rule=rule).violations == ()
    finally:
        transaction.rollback()
        connection.close()


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rule=RULES, steps=STEPS)
def test_the_quota_refuses_exactly_what_the_rule_calls_a_violation(world, rule, steps):
    check(world, rule, steps)


@pytest.mark.proof
@settings(max_examples=1000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rule=RULES, steps=STEPS)
def test_the_quota_refuses_exactly_what_the_rule_calls_a_violation_often(world, rule, steps):
    check(world, rule, steps)


def test_what_is_left_is_told(world):
    with world.database.read() as connection:
        quota = load_quota(connection, world.board, world.team.id, NOW)
    assert (quota.used, quota.left, quota.variants_used, quota.free_at) == (0, 2, 0, NOW)
