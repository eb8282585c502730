"""Times of a task: when it was given, when its last answer came, and the seconds of all of them."""

from datetime import timedelta

import pytest

from runoff.errors import NotFoundError
from runoff.server.store.judging import TaskTimes, load_task_times
from runoff.server.store.judgments import save_judgment, save_undo
from tests.server.store.judged import Judging
from tests.server.store.world import NOW


def test_times_of_a_task_hold_answers_that_were_taken_back(world):
    judging = Judging(world)
    assignment = judging.take(judging.people[0])
    pair, later = judging.pairs(assignment)[0], NOW + timedelta(seconds=30)

    def times(person_id=assignment.person_id) -> TaskTimes:
        with judging.database.read() as connection:
            return load_task_times(connection, assignment.id, person_id)

    assert times() == TaskTimes(given_at=assignment.given_at, last_at=None, seconds=0.0)
    row = {"person_id": assignment.person_id, "now": later}
    judging.database.write(lambda c: save_judgment(c, assignment.id, pair.id, "left", seconds=4.5, **row))
    judging.database.write(lambda c: save_undo(c, assignment.id, **row))
    assert times() == TaskTimes(given_at=assignment.given_at, last_at=later, seconds=4.5)
    with pytest.raises(NotFoundError, match="there is no assignment"):
        times(judging.people[1])
