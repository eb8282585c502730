import threading
from collections import Counter

import pytest

from runoff.errors import ConflictError
from runoff.server.store.campaign_pools import load_known_pairs, save_known_pair_removed, save_known_pairs
from runoff.server.store.campaigns import save_campaign_state
from runoff.server.store.judging import load_answers, load_pairs, return_assignment
from runoff.server.store.judgments import load_judgments
from runoff.server.store.participation import load_participation, save_stopped
from tests.server.store.judged import BATCHES, COPIES, PAIRS, Judging
from tests.server.store.world import NOW, later


@pytest.fixture
def judging(world):
    return Judging(world)


def test_a_task_is_given_answered_and_done(judging):
    person = judging.people[0]
    assignment = judging.take(person)
    assert judging.take(person) == assignment
    with judging.database.read() as connection:
        pairs = load_pairs(connection, assignment)
    assert [(pair.place, pair.left_doc) for pair in pairs] == [(1, "d1"), (2, "good")]
    assert not hasattr(pairs[1], "expected")
    with pytest.raises(ConflictError, match="2 of 2 pairs have no answer yet"):
        judging.finish(assignment)
    judging.answer(assignment, ["right", "left"])
    with judging.database.read() as connection:
        assert load_answers(connection, assignment) == {pairs[0].id: "right", pairs[1].id: "left"}
        assert load_judgments(connection, judging.campaign) == ()
    assert judging.finish(assignment) == "done"
    with judging.database.read() as connection:
        rows = load_judgments(connection, judging.campaign)
    assert [(row.left_doc, row.preferred, row.expected, row.seconds, row.person_id) for row in rows] == [
        ("d1", "right", None, 2.5, person),
        ("good", "left", "left", 2.5, person),
    ]
    assert judging.progress() == {"open": 7, "given": 0, "done": 1}


def test_who_fails_a_test_pair_is_stopped_and_the_task_goes_to_another(judging):
    first, second = judging.people[:2]
    assignment = judging.take(first)
    judging.answer(assignment, ["right", "right"])
    assert judging.finish(assignment) == "discarded"
    assert judging.take(first) is None
    with judging.database.read() as connection:
        part = load_participation(connection, judging.campaign, first)
        assert part is not None
        assert part.stopped_at == NOW
        assert load_judgments(connection, judging.campaign) == ()
        assert len(load_judgments(connection, judging.campaign, states=("discarded",))) == 2
    again = judging.take(second)
    assert again.task_id == assignment.task_id
    assert again.id != assignment.id


def test_a_task_that_is_overdue_or_returned_goes_to_another(judging):
    first, second = judging.people[:2]
    overdue = judging.take(first)
    tomorrow = later(days=1)
    assert judging.take(second, tomorrow).task_id == overdue.task_id
    with pytest.raises(ConflictError, match="is returned; ask for another task"):
        judging.finish(overdue)
    given = judging.take(first, tomorrow)
    assert given.batch != overdue.batch, "nobody sees a batch twice"
    judging.database.write(lambda c: return_assignment(c, given.id, now=tomorrow))
    assert judging.progress()["given"] == 1


def test_who_left_did_not_consent_or_comes_when_it_is_closed_gets_nothing(judging, world):
    assert judging.take(world.assessor.id) is None
    judging.database.write(lambda c: save_stopped(c, judging.campaign, judging.people[0], left=True, now=NOW))
    assert judging.take(judging.people[0]) is None
    judging.database.write(lambda c: save_campaign_state(c, judging.campaign, "closed", actor=None, now=NOW))
    assert judging.take(judging.people[1]) is None


def test_assessors_at_once_never_get_more_than_the_plan(judging):
    """Six assessors ask at once, twice each, until nothing is left: every place of the plan is done by one person."""
    done = []

    def assess(person):
        while assignment := judging.take(person):
            try:
                judging.answer(assignment, ["left", "left"])
                judging.finish(assignment)
            except ConflictError:
                continue  # the other window of the same assessor was first
            done.append((assignment.task_id, assignment.batch, person))

    threads = [threading.Thread(target=assess, args=(person,)) for person in judging.people for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert judging.progress() == {"open": 0, "given": 0, "done": BATCHES * COPIES}
    assert len({task for task, _, _ in done}) == BATCHES * COPIES
    assert set(Counter((batch, person) for _, batch, person in set(done)).values()) == {1}
    with judging.database.read() as connection:
        assert len(load_judgments(connection, judging.campaign)) == BATCHES * COPIES * len(PAIRS)


def test_a_test_pair_that_was_removed_stops_nobody(judging):
    def remove(connection):
        save_known_pairs(connection, judging.campaign, [("q1", "good", "off topic")], drawn=True, actor=None, now=NOW)
        (known,) = load_known_pairs(connection, judging.campaign)
        save_known_pair_removed(connection, judging.campaign, known.id, actor=None, now=NOW)

    assignment = judging.take(judging.people[0])
    judging.answer(assignment, ["right", "right"])
    judging.database.write(remove)
    assert judging.finish(assignment) == "done"


def test_nothing_is_given_while_a_campaign_is_paused(judging):
    judging.database.write(lambda c: save_campaign_state(c, judging.campaign, "paused", actor=None, now=NOW))
    assert judging.take(judging.people[0]) is None
    judging.database.write(lambda c: save_campaign_state(c, judging.campaign, "open", actor=None, now=NOW))
    assert judging.take(judging.people[0]) is not None


def test_with_pairs_once_nobody_gets_a_pair_again_in_another_batch(judging):
    """All batches hold the same real pair, so each assessor gets one task in all."""
    person = judging.people[0]
    assignment = judging.take(person, pairs_once=True)
    judging.answer(assignment, ["left", "left"])
    judging.finish(assignment)
    assert judging.take(person, pairs_once=True) is None
    assert judging.take(person) is not None
