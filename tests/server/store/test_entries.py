"""Which run stands for a team."""

from __future__ import annotations

from runoff.server.store.submissions import load_entries, save_entry, save_run
from tests.server.store.world import NOW, later


def test_the_last_choice_of_a_team_counts(world):
    runs = [world.database.write(lambda c, n=n: save_run(c, world.run(n), now=NOW)) for n in (1, 2)]

    def chosen():
        with world.database.read() as connection:
            return load_entries(connection, world.board.id)

    assert chosen() == {}
    for run, moment in ((runs[1], NOW), (runs[0], later(days=1))):
        world.database.write(lambda c, r=run, m=moment: save_entry(c, r, actor=world.organiser.id, now=m))
        assert chosen() == {run.team_id: run.id}
