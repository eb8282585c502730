"""A test pair with the wrong answer: nineteen careful people judge, and nobody may lose work or pay for it."""

from __future__ import annotations

import pytest

from runoff.preferences import quality
from runoff.server.cases.judging.assessors import load_assessors
from runoff.server.cases.judging.campaign_files import add_known_pairs
from runoff.server.cases.judging.enter import reinstate
from runoff.server.cases.judging.judge import finish_task, leave
from runoff.server.cases.judging.known_pairs import list_known_pairs, remove_known_pair
from runoff.server.cases.judging.votes import load_tallies, load_votes
from runoff.server.store.audit import load_audit
from runoff.server.store.campaign_pools import load_known_pairs, load_removed_known_pairs
from runoff.server.store.participation import load_participation
from tests.server.cases.judging.campaigned import Campaigned
from tests.server.store.backends import both_databases

PEOPLE = 19
BAD = ("q0", "a.q1", "a.q0")
"""A passage about another question as the right answer: whoever reads it fails."""


@pytest.fixture
def campaigned(database, tmp_path) -> Campaigned:
    return Campaigned.made_in(database, tmp_path)


def opened(made: Campaigned, *pairs: tuple[str, str, str], **changes):
    draft = made.draft(judgments_per_pair=4, **changes)
    add_known_pairs(made.database, made.files, draft.id, pairs, actor=made.organiser, now=made.now())
    return made.start(draft)


def views(made: Campaigned, campaign):
    return {one.person_id: one for one in made.read(load_assessors, campaign, actor=made.organiser)}


@both_databases
def test_nobody_stays_barred_by_a_pair_that_everybody_fails(campaigned):
    campaign = opened(campaigned, BAD)
    people = [campaigned.assessor(campaign) for _ in range(PEOPLE)]
    ended = [campaigned.do(campaign, person) for person in people]
    assert ended[:4] == ["discarded"] * 4
    assert set(ended[4:]) == {"done"}
    assert campaigned.read(load_removed_known_pairs, campaign.id) == (BAD,)
    found = views(campaigned, campaign)
    assert {found[person.id].state for person in people} == {"active"}
    assert all((one.tasks, one.failed_tasks, one.discarded) == (1, 0, 0) and one.kept for one in found.values())
    assert {one.due for one in found.values()} == {campaign.pay}
    kept = quality(campaigned.read(load_votes, campaign)).kept
    assert len(kept) == sum(one.kept for one in found.values())
    counted = campaigned.read(load_tallies, campaign)
    assert sum(sum(tally) for pairs in counted.values() for tally in pairs.values()) == 2 * len(kept)
    actions = [(one.action, one.actor_id) for one in campaigned.read(load_audit, thing="campaign")]
    assert actions.count(("remove test pair", None)) == 1
    assert sum(action == "reinstate" for action, _ in actions) == 5


@both_databases
def test_a_button_restores_answers_and_pay_even_of_tasks_that_others_did_again(campaigned):
    campaign = opened(campaigned, BAD)
    first, second, third = (campaigned.assessor(campaign) for _ in range(3))
    assert campaigned.do(campaign, first) == "discarded"
    left = leave(campaigned.database, campaign.id, actor=first, now=campaigned.now())
    assert left is not None
    assert left.pay == 0
    assert campaigned.do(campaign, second) == "discarded"
    held = campaigned.offer(campaign, third).sheet
    (bad,) = campaigned.read(load_known_pairs, campaign.id)
    options = {"actor": campaigned.organiser, "now": campaigned.wait(seconds=1)}
    assert remove_known_pair(campaigned.database, campaign.id, bad.id, **options) == 2
    campaigned.answer(held, third)
    found = views(campaigned, campaign)
    assert (found[first.id].state, found[second.id].state) == ("left", "active")
    assert found[first.id].kept == found[second.id].kept > 0
    again = leave(campaigned.database, campaign.id, actor=first, now=campaigned.wait(seconds=1))
    assert again is not None
    assert (again.pay, again.tasks) == (campaign.pay, 1)
    assert leave(campaigned.database, campaign.id, actor=first, now=campaigned.wait(seconds=1)) == again


@both_databases
def test_who_failed_another_pair_too_stays_barred(campaigned):
    campaign = opened(campaigned, BAD, ("q1", "a.q1", "a.q2"), tests_per_task=2)
    careful, careless = (campaigned.assessor(campaign) for _ in range(2))
    campaigned.do(campaign, careful)
    offer = campaigned.offer(campaign, careless).sheet
    campaigned.answer(offer, careless, wrong=True)
    assert finish_task(campaigned.database, offer.assignment.id, actor=careless, now=campaigned.now()) == "discarded"
    shown = list_known_pairs(campaigned.database, campaign.id, actor=campaigned.organiser)
    assert {one.known.pair: (one.answers.answered, one.answers.failed) for one in shown} == {
        BAD: (2, 1),
        ("q1", "a.q1", "a.q2"): (2, 1),
    }
    options = {"actor": campaigned.organiser, "now": campaigned.wait(seconds=1)}
    (bad,) = [one.known.id for one in shown if one.known.pair == BAD]
    assert remove_known_pair(campaigned.database, campaign.id, bad, **options) == 1
    found = views(campaigned, campaign)
    assert (found[careful.id].state, found[careless.id].state) == ("active", "stopped")
    assert found[careless.id].due == 0


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_good_pair_is_not_switched_off_by_a_few_who_fail(campaigned):
    campaign = opened(campaigned, ("q0", "a.q0", "a.q1"))
    people = [campaigned.assessor(campaign) for _ in range(12)]
    ended = [campaigned.do(campaign, person, wrong=place % 3 == 0) for place, person in enumerate(people)]
    assert ended.count("discarded") == 4
    assert campaigned.read(load_removed_known_pairs, campaign.id) == ()
    reinstate(campaigned.database, campaign.id, people[0].id, actor=campaigned.organiser, now=campaigned.now())
    part = campaigned.read(load_participation, campaign.id, people[0].id)
    assert part.stopped_at is None
