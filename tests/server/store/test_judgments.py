"""Answers: one statement each, once, and taken back without losing what was said."""

import threading

import pytest
from sqlalchemy import event, select

from runoff.errors import ConflictError, NotFoundError
from runoff.server.store.judging import load_answers
from runoff.server.store.judgments import (
    load_answer_turns,
    load_judgment_count,
    load_judgments,
    save_judgment,
    save_undo,
)
from runoff.server.store.models.campaigns import JUDGMENT
from tests.server.store.judged import Judging
from tests.server.store.world import NOW


@pytest.fixture
def judging(world):
    return Judging(world)


def answer(judging, assignment, pair, side, **options):
    row = {"person_id": assignment.person_id, "seconds": 1.0, "now": NOW} | options
    judging.database.write(lambda c: save_judgment(c, assignment.id, pair.id, side, **row))


def undo(judging, assignment, **options):
    row = {"person_id": assignment.person_id, "now": NOW} | options
    return judging.database.write(lambda c: save_undo(c, assignment.id, **row))


def test_an_answer_counts_once_and_must_be_taken_back_to_change(judging):
    assignment = judging.take(judging.people[0])
    judging.answer(assignment, ["right", "left"])
    judging.answer(assignment, ["right", "left"])
    with pytest.raises(ConflictError, match=r"was answered already \(right\); take that back first"):
        judging.answer(assignment, ["left", "left"])
    other = judging.take(judging.people[1])
    foreign = judging.pairs(other)[0]
    with pytest.raises(NotFoundError, match="is not in assignment"):
        answer(judging, assignment, foreign, "left")
    with pytest.raises(NotFoundError, match=r"no assignment \d+ of person"):
        answer(judging, assignment, judging.pairs(assignment)[0], "left", person_id=judging.people[1])
    judging.finish(assignment)
    with pytest.raises(ConflictError, match="is done; ask for another task"):
        answer(judging, assignment, judging.pairs(assignment)[0], "left")
    assert judging.read(load_judgment_count, judging.campaign) == 2


def test_a_choice_is_one_statement(judging):
    assignment = judging.take(judging.people[0])
    pair = judging.pairs(assignment)[0]
    seen = []
    event.listen(judging.database.engine, "before_cursor_execute", lambda *given: seen.append(given[2]))
    answer(judging, assignment, pair, "left", retry_key="k")
    assert [one.split()[0] for one in seen if not one.startswith(("BEGIN", "PRAGMA"))] == ["INSERT"]


def test_what_is_sent_again_with_its_key_is_one_answer_also_after_an_undo(judging):
    assignment = judging.take(judging.people[0])
    first = judging.pairs(assignment)[0]
    answer(judging, assignment, first, "left", retry_key="one")
    assert undo(judging, assignment, retry_key="two") == first.id
    answer(judging, assignment, first, "left", retry_key="one")
    assert judging.read(load_answers, assignment) == {}, "a late repetition of the first request changes nothing"
    assert undo(judging, assignment, retry_key="two") == first.id
    assert undo(judging, assignment) is None
    answer(judging, assignment, first, "right", retry_key="three")
    assert judging.read(load_answers, assignment) == {first.id: "right"}


def test_undo_goes_back_one_by_one_and_the_history_stays(judging):
    assignment = judging.take(judging.people[0])
    first, second = judging.pairs(assignment)
    answer(judging, assignment, second, "left")
    answer(judging, assignment, first, "left")
    assert [undo(judging, assignment) for _ in range(3)] == [first.id, second.id, None]
    assert judging.read(load_answer_turns, assignment.id) == {second.id: (4, None), first.id: (3, None)}
    answer(judging, assignment, first, "right")
    answer(judging, assignment, second, "left")
    assert judging.finish(assignment) == "done"
    found = judging.read(load_judgments, judging.campaign)
    assert [(row.left_doc, row.preferred, row.expected, row.batch, row.copy) for row in found] == [
        ("d1", "right", None, 0, 1),
        ("good", "left", "left", 0, 1),
    ]
    with judging.database.read() as connection:
        history = connection.execute(select(JUDGMENT.c.preferred).order_by(JUDGMENT.c.turn)).scalars().all()
    assert history == ["left", "left", None, None, "right", "left"]
    with pytest.raises(ConflictError, match="is done; ask for another task"):
        undo(judging, assignment)


def test_a_wrong_answer_to_a_test_pair_that_was_taken_back_stops_nobody(judging):
    assignment = judging.take(judging.people[0])
    judging.answer(assignment, ["left", "right"])
    undo(judging, assignment)
    with pytest.raises(ConflictError, match="1 of 2 pairs have no answer yet"):
        judging.finish(assignment)
    answer(judging, assignment, judging.pairs(assignment)[1], "left")
    assert judging.finish(assignment) == "done"


def test_double_clicks_make_one_judgment(judging):
    assignment = judging.take(judging.people[0])
    pair = judging.pairs(assignment)[0]
    outcomes = []

    def click(side):
        try:
            answer(judging, assignment, pair, side)
            outcomes.append(side)
        except ConflictError:
            outcomes.append("refused")

    threads = [threading.Thread(target=click, args=(side,)) for side in ("left", "right") * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (kept,) = judging.read(load_answers, assignment).values()
    assert judging.read(load_judgment_count, judging.campaign) == 1
    assert set(outcomes) <= {kept, "refused"}
    assert outcomes.count(kept) >= 1
