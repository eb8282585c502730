import threading
from collections import Counter
from typing import Any

import pytest

from runoff.errors import ConflictError, NotFoundError
from runoff.store.campaigns import (
    PlannedPair,
    load_participation,
    load_progress,
    save_campaign,
    save_campaign_state,
    save_consent,
    save_stopped,
    save_task,
)
from runoff.store.judging import (
    finish_assignment,
    load_answers,
    load_judgments,
    load_pairs,
    return_assignment,
    save_judgment,
    take_task,
)
from runoff.store.people import save_person
from tests.store.world import NOW, later

BATCHES, COPIES = 4, 2
PAIRS = [
    PlannedPair(query_id="q1", left_doc="d1", right_doc="d2"),
    PlannedPair(query_id="q1", left_doc="good", right_doc="off topic", expected="left"),
]


class Judging:
    """An open campaign of 4 batches, each for 2 assessors, and 6 assessors who consented."""

    def __init__(self, world):
        self.database = world.database
        self.database.write(self._fill)

    def _fill(self, connection):
        self.campaign = save_campaign(connection, slug="c", title="C", instructions="", actor=None, now=NOW).id
        save_campaign_state(connection, self.campaign, "open", actor=None, now=NOW)
        for batch in range(BATCHES):
            for copy in range(1, COPIES + 1):
                save_task(connection, self.campaign, batch, copy, PAIRS)
        self.people = []
        for number in range(6):
            row: dict[str, Any] = {"email": f"a{number}@example.org", "display_name": "A", "role": "assessor"}
            self.people.append(save_person(connection, **row, actor=None, now=NOW).id)
            save_consent(connection, self.campaign, self.people[-1], now=NOW)

    def take(self, person, now=NOW):
        return self.database.write(
            lambda c: take_task(c, self.campaign, person, expires_at=now.replace(hour=23), now=now)
        )

    def answer(self, assignment, sides, now=NOW):
        def work(connection):
            for pair, side in zip(load_pairs(connection, assignment), sides, strict=True):
                save_judgment(connection, assignment.id, pair.id, side, seconds=2.5, now=now)

        self.database.write(work)

    def finish(self, assignment, now=NOW):
        return self.database.write(lambda c: finish_assignment(c, assignment.id, now=now))

    def progress(self):
        return self.database.write(lambda c: load_progress(c, self.campaign))


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


def test_an_answer_counts_once_and_is_final(judging):
    assignment = judging.take(judging.people[0])
    judging.answer(assignment, ["right", "left"])
    judging.answer(assignment, ["right", "left"])
    with pytest.raises(ConflictError, match=r"was answered already \(right\); an answer cannot be changed"):
        judging.answer(assignment, ["left", "left"])
    other = judging.take(judging.people[1])
    with judging.database.read() as connection:
        foreign = load_pairs(connection, other)[0].id
    with pytest.raises(NotFoundError, match="is not in assignment"):
        judging.database.write(lambda c: save_judgment(c, assignment.id, foreign, "left", seconds=1, now=NOW))
    judging.finish(assignment)
    with pytest.raises(ConflictError, match="is done; ask for another task"):
        judging.answer(assignment, ["right", "left"])
    with pytest.raises(NotFoundError, match="no assignment 99"):
        judging.database.write(lambda c: save_judgment(c, 99, 1, "left", seconds=1, now=NOW))


def test_double_clicks_make_one_judgment(judging):
    assignment = judging.take(judging.people[0])
    with judging.database.read() as connection:
        pair = load_pairs(connection, assignment)[0].id
    outcomes = []

    def click(side):
        try:
            judging.database.write(lambda c: save_judgment(c, assignment.id, pair, side, seconds=1, now=NOW))
            outcomes.append(side)
        except ConflictError:
            outcomes.append("refused")

    threads = [threading.Thread(target=click, args=(side,)) for side in ("left", "right") * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with judging.database.read() as connection:
        (kept,) = load_answers(connection, assignment).values()
    assert sorted(outcomes) == sorted([kept] * 4 + ["refused"] * 4)


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
    with pytest.raises(ConflictError, match="has not consented to campaign 1; consent comes first"):
        judging.take(world.assessor.id)
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
