from dataclasses import replace

import pytest

from runoff.boards.submissions import SubmissionRule
from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store.audit import load_audit
from runoff.server.store.boards import load_board, load_boards, save_board, save_board_settings
from tests.server.store.world import NOW, SETTINGS, later


def test_a_board_comes_back_as_it_was_saved(world):
    settings = replace(
        SETTINGS,
        slug="graded",
        gains=(0.0, 0.2, 0.8),
        opens_at=NOW,
        closes_at=later(days=9),
        private_until=later(days=10),
        anonymous_until=later(days=11),
        digits=2,
    )
    saved = world.database.write(lambda c: save_board(c, settings, actor=world.organiser.id, now=NOW))
    with world.database.read() as connection:
        assert load_board(connection, saved.id) == load_board(connection, "graded") == saved
        assert load_boards(connection) == (world.board, saved)
    assert (saved.gains, saved.closes_at, saved.version) == ((0.0, 0.2, 0.8), later(days=9), 1)
    assert world.board.gains is None
    assert saved.rule == SubmissionRule(days=30, most=2, variants=1)


def test_what_is_shown_depends_on_the_time(world):
    board = replace(
        world.board, opens_at=NOW, closes_at=later(days=1), private_until=later(days=2), anonymous_until=later(days=3)
    )
    days = (-1, 0, 1, 2, 3)
    assert [board.is_open(later(days=day)) for day in days] == [False, True, False, False, False]
    assert [board.shows_private(later(days=day)) for day in days] == [False, False, False, True, True]
    assert [board.shows_teams(later(days=day)) for day in days] == [False, False, False, False, True]
    assert [replace(board, closes_at=later(days=9)).shows_private(later(days=day)) for day in (2, 8, 9)] == [0, 0, 1]
    assert not replace(board, closes_at=None).shows_private(later(days=99))
    assert world.board.is_open(NOW)
    assert not world.board.shows_private(NOW)
    assert world.board.shows_teams(NOW)


def test_nobody_overwrites_what_they_did_not_see(world):
    def change(version, **changes):
        settings = replace(SETTINGS, **changes)
        return world.database.write(
            lambda c: save_board_settings(
                c, world.board.id, settings, version=version, actor=world.organiser.id, now=NOW
            )
        )

    assert change(1, most=3).version == 2
    with pytest.raises(ConflictError, match=r"has since been changed \(version 2, not 1\); look at it again"):
        change(1, most=4)
    with world.database.read() as connection:
        assert load_board(connection, world.board.id).most == 3
        *_, entry = load_audit(connection, thing="board")
    assert (entry.action, entry.details) == ("change", {"version": 2, "changed": ["most"]})


def test_mistakes_are_explained(world):
    with pytest.raises(ConflictError, match="a board is called 'passages' already"):
        world.database.write(lambda c: save_board(c, SETTINGS, actor=None, now=NOW))
    with world.database.read() as connection:
        with pytest.raises(NotFoundError, match="there is no board 'none'"):
            load_board(connection, "none")
        with pytest.raises(NotFoundError, match="there is no board 99"):
            load_board(connection, 99)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"depth": 0}, "depth=0 cannot be used; expected a whole number from 1 to 1,000,000"),
        ({"digits": 0}, "digits=0 cannot be used; expected a whole number from 1 to 10"),
        ({"upload_limit": 2**53 + 1}, "upload_limit=9007199254740993 cannot be used"),
        ({"alpha": 1.0}, "alpha=1.0 cannot be used"),
        ({"most": 0}, "most=0 cannot be used"),
        ({"opens_at": NOW, "closes_at": NOW}, "expected a later time to close"),
    ],
)
def test_settings_that_cannot_be_are_refused(changes, message):
    with pytest.raises(UsageError, match=message):
        replace(SETTINGS, **changes)


def test_a_board_may_take_uploads_of_many_gigabytes(world):
    settings = replace(world.board, upload_limit=10**13)
    world.database.write(
        lambda connection: save_board_settings(
            connection, world.board.id, settings, version=world.board.version, actor=None, now=NOW
        )
    )
    with world.database.read() as connection:
        assert load_board(connection, world.board.id).upload_limit == 10**13
