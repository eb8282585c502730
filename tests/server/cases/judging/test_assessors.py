"""One view of every assessor, for organisers."""

import pytest

from runoff.errors import NotAllowedError
from runoff.preferences import agreement, quality, side_bias, timing
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.assessors import load_assessors
from runoff.server.cases.judging.judge import leave
from runoff.server.cases.judging.votes import load_votes
from tests.server.store.backends import both_databases


@both_databases
def test_the_view_has_the_numbers_of_each_statistic(campaigned):
    campaign = campaigned.opened(judgments_per_pair=2, too_fast=6.5)
    good, second, bad, idle = (campaigned.assessor(campaign) for _ in range(4))
    campaigned.do(campaign, bad, wrong=True)
    campaigned.judge_all(campaign, [good, second])
    leave(campaigned.database, campaign.id, actor=good, now=campaigned.now())
    found = {one.person_id: one for one in campaigned.read(load_assessors, campaign, actor=campaigned.organiser)}
    assert [found[one.id].state for one in (good, second, bad, idle)] == ["left", "active", "stopped", "active"]
    table = campaigned.read(load_votes, campaign)
    kept = quality(table).kept
    one = found[good.id]
    (tests,) = [row for row in quality(table).assessors if row.assessor == one.pseudonym]
    assert (one.tasks, one.failed_tasks, one.kept, one.discarded) == (tests.tasks, 0, tests.kept, 0)
    (times,) = [row for row in timing(table, below=6.5).assessors if row.assessor == one.pseudonym]
    assert (one.seconds, one.too_fast) == (times.median, times.too_fast)
    assert one.too_fast > 0
    (sides,) = [row for row in side_bias(kept).assessors if row.assessor == one.pseudonym]
    assert (one.left_share, one.left_p) == (sides.left.share, sides.p)
    (alike,) = [row for row in agreement(kept).assessors if row.assessor == one.pseudonym]
    assert (one.agrees, one.agrees_of) == (alike.agrees.share, alike.agrees.wins) == (1.0, one.kept)
    assert (one.paid, one.due) == (one.tasks * 2.0, 0.0)
    assert (found[second.id].paid, found[second.id].due) == (0.0, found[second.id].tasks * 2.0)
    assert found[bad.id].failed_tasks == 1
    assert (found[bad.id].kept, found[bad.id].due) == (0, 0.0)
    assert (found[idle.id].tasks, found[idle.id].seconds) == (0, None)


def test_it_is_for_organisers_and_empty_at_first(campaigned):
    campaign = campaigned.draft()
    assert campaigned.read(load_assessors, campaign, actor=campaigned.organiser) == ()
    with pytest.raises(NotAllowedError):
        campaigned.read(load_assessors, campaign, actor=Actor(id=1, role="assessor"))
