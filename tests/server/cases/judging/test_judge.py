"""Assessors judge, take back, finish and leave."""

from dataclasses import replace

import pytest

from runoff.errors import ConflictError, NotAllowedError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.judge import choose, finish_task, leave, offer_task, take_back
from runoff.server.store.campaigns import save_campaign_state
from runoff.server.store.participation import load_completions
from tests.server.store.backends import both_databases


@pytest.fixture
def campaign(campaigned):
    return campaigned.opened(judgments_per_pair=2)


@both_databases
def test_a_task_is_offered_answered_and_finished(campaigned, campaign):
    actor = campaigned.assessor(campaign)
    offer = campaigned.offer(campaign, actor)
    assert offer.state == "given"
    assert campaigned.offer(campaign, actor) == offer
    sheet = offer.sheet
    assert sheet.next_pair == sheet.pairs[0]
    campaigned.answer(sheet, actor, pairs=2)
    again = campaigned.offer(campaign, actor).sheet
    assert [pair.answer is None for pair in again.pairs[:3]] == [False, False, True]
    assert again.next_pair == again.pairs[2]
    now = campaigned.now()
    assert take_back(campaigned.database, sheet.assignment.id, actor=actor, now=now) == sheet.pairs[1].id
    campaigned.answer(campaigned.offer(campaign, actor).sheet, actor)
    for _ in range(2):
        assert finish_task(campaigned.database, sheet.assignment.id, actor=actor, now=now) == "done"
    other = campaigned.assessor(campaign)
    with pytest.raises(ConflictError, match="somebody else's"):
        finish_task(campaigned.database, sheet.assignment.id, actor=other, now=now)


def test_who_fails_a_test_pair_is_stopped_and_the_copy_goes_to_another(campaigned, campaign):
    bad, good = campaigned.assessor(campaign), campaigned.assessor(campaign)
    first = campaigned.offer(campaign, bad).sheet.assignment
    assert campaigned.do(campaign, bad, wrong=True) == "discarded"
    assert campaigned.offer(campaign, bad).state == "stopped"
    again = campaigned.offer(campaign, good).sheet.assignment
    assert (again.task_id, again.person_id) == (first.task_id, good.id)


def test_a_task_of_somebody_who_vanished_goes_to_another_and_late_answers_are_refused(campaigned, campaign):
    lost, other = campaigned.assessor(campaign), campaigned.assessor(campaign)
    sheet = campaigned.offer(campaign, lost).sheet
    campaigned.answer(sheet, lost, pairs=1)
    campaigned.wait(minutes=campaign.lease_minutes)
    taken = campaigned.offer(campaign, other).sheet
    assert taken.assignment.task_id == sheet.assignment.task_id
    assert all(pair.answer is None for pair in taken.pairs)
    with pytest.raises(ConflictError, match="is returned; ask for another task"):
        campaigned.answer(sheet, lost)
    assert campaigned.offer(campaign, lost).sheet.assignment.batch != sheet.assignment.batch


@both_databases
def test_leaving_pays_pro_rata_under_a_code_once(campaigned, campaign):
    actor = campaigned.assessor(campaign)
    campaigned.do(campaign, actor)
    sheet = campaigned.offer(campaign, actor).sheet
    campaigned.answer(sheet, actor, pairs=2)
    now = campaigned.now()
    code = leave(campaigned.database, campaign.id, actor=actor, now=now)
    assert code is not None
    assert (code.tasks, code.discarded) == (1, 0)
    assert code.pay == round(campaign.pay * (1 + 2 / len(sheet.pairs)), 2)
    assert len(code.code) == 16
    assert leave(campaigned.database, campaign.id, actor=actor, now=now) == code
    assert campaigned.offer(campaign, actor).state == "left"
    assert campaigned.read(load_completions, campaign.id) == (code,)


def test_who_did_nothing_gets_no_code_and_a_failed_task_pays_nothing(campaigned, campaign):
    idle, bad = campaigned.assessor(campaign), campaigned.assessor(campaign)
    assert leave(campaigned.database, campaign.id, actor=idle, now=campaigned.now()) is None
    campaigned.do(campaign, bad, wrong=True)
    code = leave(campaigned.database, campaign.id, actor=bad, now=campaigned.now())
    assert code is not None
    assert (code.pay, code.judgments) == (0.0, 0)
    assert code.discarded > 0
    with pytest.raises(ConflictError, match="not taking part"):
        leave(campaigned.database, campaign.id, actor=campaigned.organiser, now=campaigned.now())


def test_an_offer_says_why_there_is_nothing(campaigned, campaign):
    organiser = campaigned.organiser
    assert campaigned.offer(campaign, organiser).state == "no consent"
    actor = campaigned.assessor(campaign)
    for state in ("paused", "closed"):
        campaigned.database.write(
            lambda c, state=state: save_campaign_state(c, campaign.id, state, actor=None, now=campaigned.now())
        )
        assert campaigned.offer(campaign, actor).state == state
    campaigned.database.write(lambda c: save_campaign_state(c, campaign.id, "open", actor=None, now=campaigned.now()))
    campaigned.judge_all(campaign, [actor])
    assert campaigned.offer(campaign, actor).state == "nothing"


def test_members_of_teams_do_not_judge(campaigned, campaign):
    actor = campaigned.assessor(campaign)
    member = replace(actor, role="member")
    sheet = campaigned.offer(campaign, actor).sheet
    with pytest.raises(NotAllowedError):
        offer_task(campaigned.database, campaign.id, actor=member, now=campaigned.now())
    with pytest.raises(NotAllowedError):
        choose(
            campaigned.database, sheet.assignment.id, sheet.pairs[0].id, "left", claimed=1, actor=Actor(),
            now=campaigned.now(),
        )  # fmt: skip


def test_texts_are_shown_in_place_of_ids(campaigned):
    queries = "".join(f"q{number}\tquestion {number}\n" for number in range(8))
    docs = "".join(f"{letter}.q{number}\ttext {letter}.q{number}\n" for letter in "abcde" for number in range(8))
    row = {
        name: campaigned.files.save([text.encode()], limit=100_000).content_hash
        for name, text in (("query_texts", queries), ("doc_texts", docs + "x\tunused\n"))
    }
    campaign = campaigned.opened(**row)
    pair = campaigned.offer(campaign, campaigned.assessor(campaign)).sheet.pairs[0]
    assert pair.query.startswith("question ")
    assert pair.left.startswith("text ")
