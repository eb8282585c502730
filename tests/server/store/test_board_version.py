"""The stamp of a board: it changes with everything that its page shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runoff.errors import NotFoundError
from runoff.server.store.boards import load_board_stamp, save_board_settings
from runoff.server.store.label_sets import NewVersion, save_label_set
from runoff.server.store.submissions import save_run, save_run_state
from tests.server.store.world import NOW, SETTINGS, later


def stamp(world, now=NOW):
    with world.database.read() as connection:
        return load_board_stamp(connection, "passages", now)


def test_it_stays_while_nothing_changes(world):
    assert stamp(world) == stamp(world, later(days=3))
    with pytest.raises(NotFoundError, match="no board"), world.database.read() as connection:
        load_board_stamp(connection, "nowhere", NOW)


def test_it_changes_with_settings_labels_runs_and_dates(world):
    seen = {stamp(world)}

    def changed(work, now=NOW):
        world.database.write(work)
        found = stamp(world, now)
        assert found not in seen
        seen.add(found)

    settings = replace(SETTINGS, private_until=later(days=9))
    changed(lambda c: save_board_settings(c, world.board.id, settings, version=1, actor=None, now=NOW))
    new = NewVersion(board_id=world.board.id, name="public", queries=3, content_hash="cd" * 32)
    changed(lambda c: save_label_set(c, new, judged=2, actor=None, now=NOW))
    run = world.database.write(lambda c: save_run(c, world.run(1, embargo_until=later(days=5)), now=NOW))
    assert stamp(world) in seen, "a run that waits is on no page of others"

    def score(connection):
        save_run_state(connection, run.id, "scoring", now=NOW)
        save_run_state(connection, run.id, "scored", now=NOW)

    changed(score)
    assert stamp(world, later(days=6)) not in seen, "its embargo is over"
    named = world.database.write(
        lambda c: save_run(c, world.run(2, anonymous=True, anonymous_until=later(days=7)), now=NOW)
    )
    for state in ("scoring", "scored"):
        world.database.write(lambda c, state=state: save_run_state(c, named.id, state, now=NOW))
    assert stamp(world, later(days=8)) != stamp(world, later(days=6)), "a team is named"
    assert stamp(world, later(days=10)) != stamp(world, later(days=6)), "private results are shown"
