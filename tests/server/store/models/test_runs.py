import dataclasses

from runoff.server.store.models.boards import RUN
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW


def test_a_name_a_key_and_a_state_are_kept_right(world):
    row = dataclasses.asdict(world.run(1)) | {"submitted_at": NOW, "state": "queued", "counts": True, "problems": []}
    taken(world.database, RUN, row)
    refused(world.database, RUN, row | {"name": "other"}, "(?i)unique")
    refused(world.database, RUN, row | {"submission_key": "other"}, "(?i)unique")
    other = row | {"name": "other", "submission_key": "other"}
    refused(world.database, RUN, other | {"state": "lost"}, "state_known")
    refused(world.database, RUN, other | {"size": -1}, "size_possible")
    refused(world.database, RUN, other | {"team_id": 99}, "(?i)foreign key")
    taken(world.database, RUN, other)
