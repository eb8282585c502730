import threading
from contextlib import suppress
from typing import Any

import pytest

from runoff.errors import NotFoundError, UsageError
from runoff.server.store.access import (
    NewLink,
    load_link,
    load_link_count,
    load_open_links,
    save_link,
    save_link_mailed,
    save_link_used,
    save_link_withdrawn,
)
from tests.server.store.world import NOW, later

TOKEN = "t"  # noqa: S105


def invite(world, token=TOKEN, **changes):
    row: dict[str, Any] = {
        "kind": "account",
        "email": "New@Example.org",
        "role": "assessor",
        "expires_at": later(days=7),
    }
    new = NewLink(token=token, **(row | changes))
    return world.database.write(lambda c: save_link(c, new, actor=world.organiser.id, now=NOW))


def test_a_link_is_used_once(world):
    number = invite(world)
    with world.database.read() as connection:
        link = load_link(connection, "t", NOW)
        assert link
        assert (link.id, link.kind, link.email, link.role) == (number, "account", "new@example.org", "assessor")
        assert load_link(connection, "other", NOW) is None
    assert world.database.write(lambda c: save_link_used(c, "t", NOW)).used_at == NOW
    with pytest.raises(NotFoundError, match="unknown, was used already, or is too old; ask for a new one"):
        world.database.write(lambda c: save_link_used(c, "t", NOW))


def test_of_many_who_use_it_at_once_one_succeeds(world):
    invite(world)
    used = []

    def use():
        with suppress(NotFoundError):
            used.append(world.database.write(lambda c: save_link_used(c, "t", NOW)).id)

    threads = [threading.Thread(target=use) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(used) == 1


def test_a_link_ends(world):
    number = invite(world, kind="team", role=None, team_id=world.team.id)
    invite(world, "u", kind="password", role=None)
    with world.database.read() as connection:
        assert len(load_open_links(connection, NOW)) == 2
        assert [link.id for link in load_open_links(connection, NOW, team_id=world.team.id)] == [number]
        assert load_open_links(connection, later(days=7)) == ()
        assert load_link(connection, "t", later(days=7)) is None
    world.database.write(lambda c: save_link_withdrawn(c, number, actor=world.organiser.id, now=NOW))
    with world.database.read() as connection:
        assert load_link(connection, "t", NOW) is None
    with pytest.raises(NotFoundError, match="no unused link 99"):
        world.database.write(lambda c: save_link_withdrawn(c, 99, actor=None, now=NOW))


@pytest.mark.parametrize(
    "changes",
    [{"role": None}, {"team_id": 1}, {"kind": "team", "role": None}, {"kind": "password"}],
)
def test_a_link_that_makes_no_sense_is_refused(world, changes):
    with pytest.raises(UsageError, match="makes no sense; expected a role with kind 'account'"):
        invite(world, **changes)


def mail(world, number, token, now=NOW):
    return world.database.write(lambda c: save_link_mailed(c, number, token, now))


def opened(world, *tokens):
    with world.database.read() as connection:
        return [load_link(connection, token, NOW) is not None for token in tokens]


def test_a_mailed_token_opens_the_same_link_once(world):
    number = invite(world)
    assert mail(world, number, "m1").id == number
    assert opened(world, TOKEN, "m1", "m2") == [True, True, False]
    mail(world, number, "m2")
    assert opened(world, TOKEN, "m1", "m2") == [True, False, True], "the newest mail counts"
    world.database.write(lambda c: save_link_used(c, "m2", NOW))
    assert opened(world, TOKEN, "m1", "m2") == [False, False, False]


def test_links_that_ended_are_not_mailed(world):
    used, withdrawn, old = (invite(world, token) for token in ("a", "b", "c"))
    world.database.write(lambda c: save_link_used(c, "a", NOW))
    world.database.write(lambda c: save_link_withdrawn(c, withdrawn, actor=None, now=NOW))
    assert [mail(world, number, "m") for number in (used, withdrawn)] == [None, None]
    assert mail(world, old, "m", now=later(days=8)) is None
    assert opened(world, "m") == [False]


def test_links_of_a_person_are_counted(world):
    invite(world)
    with world.database.read() as connection:
        counts = [load_link_count(connection, world.organiser.id, since=later(hours=at)) for at in (-1, 0)]
        assert [*counts, load_link_count(connection, world.member.id, since=later(days=-1))] == [1, 0, 0]
