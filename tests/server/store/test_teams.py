import pytest

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store.people import (
    load_members,
    load_team,
    load_team_by_slug,
    load_teams,
    save_departure,
    save_member,
    save_team,
)
from tests.server.store.world import NOW, later


def test_a_team_has_its_founder_and_those_who_join(world):
    number, other = world.team.id, world.assessor.id
    world.database.write(lambda c: save_member(c, number, other, actor=world.member.id, now=later(days=1)))
    with world.database.read() as connection:
        assert load_members(connection, number) == (world.member, world.assessor)
        assert load_teams(connection, person_id=other) == (world.team,)
        assert load_teams(connection, person_id=world.organiser.id) == ()
        assert load_team_by_slug(connection, "trees") == load_team(connection, number) == world.team
    world.database.write(lambda c: save_departure(c, number, world.member.id, actor=None, now=NOW))
    with world.database.read() as connection:
        assert load_members(connection, number) == (world.assessor,)


def test_mistakes_are_explained(world):
    write, person = world.database.write, world.member.id
    with pytest.raises(ConflictError, match="'trees' or 'Bushes', or by a name that looks like it; choose another"):
        write(lambda c: save_team(c, slug="trees", name="Bushes", founder=person, now=NOW))
    with pytest.raises(ConflictError, match="already called 'bushes' or 'Trees'"):
        write(lambda c: save_team(c, slug="bushes", name=" Trees ", founder=person, now=NOW))
    with pytest.raises(UsageError, match="'The Trees' cannot be part of an address"):
        write(lambda c: save_team(c, slug="The Trees", name="T", founder=person, now=NOW))
    with pytest.raises(ConflictError, match=f"person {person} is in team 1 already"):
        write(lambda c: save_member(c, 1, person, actor=None, now=NOW))
    with pytest.raises(NotFoundError, match="no team 99"):
        write(lambda c: save_member(c, 99, person, actor=None, now=NOW))
    with pytest.raises(NotFoundError, match="person 99 is not in team 1"):
        write(lambda c: save_departure(c, 1, 99, actor=None, now=NOW))
    with world.database.read() as connection, pytest.raises(NotFoundError, match="there is no team 'none'"):
        load_team_by_slug(connection, "none")
