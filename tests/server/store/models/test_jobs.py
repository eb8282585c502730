import pytest

from runoff.server.store.models.boards import JOB
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW

ROW = {"kind": "k", "job_key": "1", "payload": {}, "state": "queued", "attempts": 0, "most_attempts": 2, "fence": 0}
TIMES = {"run_after": NOW, "created_at": NOW}


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"state": "lost"}, "state_known"),
        ({"attempts": 3}, "attempts_inside"),
        ({"state": "running"}, "lease_of_the_running"),
        ({"lease_until": NOW}, "lease_of_the_running"),
        ({"state": "done"}, "end_of_the_finished"),
    ],
)
def test_impossible_jobs_are_refused(database, change, reason):
    refused(database, JOB, ROW | TIMES | change, reason)


def test_a_key_is_one_job(database):
    taken(database, JOB, ROW | TIMES)
    refused(database, JOB, ROW | TIMES, "(?i)unique")
