import pytest

from runoff.errors import ConflictError
from runoff.server.store.judging import return_assignment
from runoff.server.store.participation import (
    Work,
    load_completion,
    load_completions,
    load_unpaid,
    save_completion,
)
from tests.server.store.judged import Judging
from tests.server.store.world import NOW


def test_work_is_paid_once_in_full_by_share_or_not_at_all(world):
    judging = Judging(world)
    person = judging.people[0]
    done = judging.take(person)
    judging.answer(done, ["left", "left"])
    judging.finish(done)
    left = judging.take(person)
    judging.answer(left, ["left", "left"])
    judging.database.write(lambda c: return_assignment(c, left.id, now=NOW))
    failed = judging.take(person)
    judging.answer(failed, ["left", "right"])
    judging.finish(failed)
    work = judging.read(load_unpaid, judging.campaign, person)
    assert [(one.state, one.answered, one.pairs, one.pay(2.0)) for one in work] == [
        ("done", 2, 2, 2.0), ("returned", 2, 2, 2.0), ("discarded", 2, 2, 0.0),
    ]  # fmt: skip

    def complete(code):
        row = {"code": code, "reference": "hit", "rate": 2.0, "now": NOW}
        return judging.database.write(lambda c: save_completion(c, judging.campaign, person, **row))

    made = complete("A1B2")
    assert (made.tasks, made.judgments, made.discarded, made.pay) == (1, 4, 2, 4.0)
    assert judging.read(load_unpaid, judging.campaign, person) == ()
    with pytest.raises(ConflictError, match="draw another"):
        complete("A1B2")
    assert complete("OTHER").pay == 0.0
    assert judging.read(load_completion, made.id) == made
    assert len(judging.read(load_completions, judging.campaign, person_id=person)) == 2
    assert judging.read(load_completions, judging.campaign, person_id=judging.people[1]) == ()


def test_a_part_of_a_task_is_paid_as_a_part():
    assert Work(assignment_id=1, state="returned", answered=3, pairs=12).pay(2.0) == 0.5
