"""Seconds of a choice: the browser's, and never more than the server's clock allows."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from runoff.server.cases.judging.judge import choose, counted_seconds, finish_task
from runoff.server.store.judging import TaskTimes
from runoff.server.store.judgments import load_judgments
from tests.server.cases.judging.campaigned import NOW, better
from tests.server.store.backends import both_databases


@given(steps=st.lists(st.tuples(st.floats(0, 100), st.one_of(st.none(), st.floats(0, 1e6))), max_size=13))
def test_the_times_of_a_task_are_together_no_longer_than_it_was_held(steps):
    now, last, total = NOW, None, 0.0
    for passed, claimed in steps:
        now += timedelta(seconds=passed)
        # A claim that is missing is the time since the answer before, and no claim before it took that time.
        claims_only = claimed is not None
        seconds = counted_seconds(TaskTimes(given_at=NOW, last_at=last, seconds=total), claimed, now)
        assert seconds >= 0
        if claims_only:
            assert seconds <= claimed
            total += seconds
            assert total <= (now - NOW).total_seconds() + 1e-6
        last = now


@both_databases
def test_choices_that_come_together_keep_the_time_of_the_browser(campaigned):
    campaign = campaigned.opened()
    actor = campaigned.assessor(campaign)
    sheet = campaigned.offer(campaign, actor).sheet
    campaigned.wait(seconds=60)
    for pair, claimed in zip(sheet.pairs, (10.0, 20.0, 40.0, 5.0, 5.0), strict=False):
        worth = [doc if doc.endswith(f".{pair.query}") else "" for doc in (pair.left, pair.right)]
        side = better(*worth)
        choose(
            campaigned.database, sheet.assignment.id, pair.id, side,  # type: ignore[arg-type]
            claimed=claimed, retry_key=str(pair.id), actor=actor, now=campaigned.now(),
        )  # fmt: skip
    finish_task(campaigned.database, sheet.assignment.id, actor=actor, now=campaigned.now())
    seconds = [row.seconds for row in campaigned.read(load_judgments, campaign.id)]
    assert seconds[:4] == [10.0, 20.0, 30.0, 0.0][: len(seconds)]
