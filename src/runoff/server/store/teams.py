"""Teams and who is in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError

from runoff.errors import ConflictError, NotFoundError
from runoff.server.store._rows import add, columns, is_duplicate, many, note, one, values
from runoff.server.store.models.people import PERSON, TEAM, TEAM_MEMBER
from runoff.server.store.names import clean_name, clean_slug
from runoff.server.store.people import Person


@dataclass(frozen=True, kw_only=True)
class Team:
    """The people who submit runs together."""

    id: int
    slug: str
    name: str
    created_at: datetime


def save_team(connection: Connection, *, slug: str, name: str, founder: int, now: datetime) -> Team:
    """Make a team; its founder is its first member."""
    short, long = clean_slug(slug), clean_name(name)
    clash = f"a team is called {short!r} or {long!r} already; choose another name"
    number = add(connection, TEAM, clash, slug=short, name=long, created_at=now)
    note(connection, "create", "team", number, actor=founder, now=now, slug=short)
    save_member(connection, number, founder, actor=founder, now=now)
    return load_team(connection, number)


def load_team(connection: Connection, team_id: int) -> Team:
    """The team of a number."""
    return one(connection, Team, TEAM, TEAM.c.id == team_id, what=f"team {team_id}")


def load_team_by_slug(connection: Connection, slug: str) -> Team:
    """The team of a name in an address."""
    return one(connection, Team, TEAM, TEAM.c.slug == slug, what=f"team {slug!r}")


def load_teams(connection: Connection, *, person_id: int | None = None) -> tuple[Team, ...]:
    """All teams, or those of one person, the oldest first."""
    if person_id is None:
        return many(connection, Team, TEAM)
    return values(connection.execute(_OWN_TEAMS, {"person": person_id}), Team)


def load_members(connection: Connection, team_id: int) -> tuple[Person, ...]:
    """The people of a team, in the order in which they joined."""
    query = select(*columns(Person, PERSON)).join(TEAM_MEMBER, TEAM_MEMBER.c.person_id == PERSON.c.id)
    query = query.where(TEAM_MEMBER.c.team_id == team_id).order_by(TEAM_MEMBER.c.joined_at, PERSON.c.id)
    return values(connection.execute(query), Person)


def save_member(connection: Connection, team_id: int, person_id: int, *, actor: int | None, now: datetime) -> None:
    """Add a person to a team."""
    try:
        with connection.begin_nested():
            row = {"team_id": team_id, "person_id": person_id, "joined_at": now}
            connection.execute(insert(TEAM_MEMBER).values(**row))
    except IntegrityError as error:
        if is_duplicate(error):
            raise ConflictError(f"person {person_id} is in team {team_id} already") from error
        raise NotFoundError(f"there is no team {team_id} or no person {person_id}") from error
    note(connection, "join", "team", team_id, actor=actor, now=now, person=person_id)


def save_departure(connection: Connection, team_id: int, person_id: int, *, actor: int | None, now: datetime) -> None:
    """Take a person out of a team; the team's runs stay."""
    where = (TEAM_MEMBER.c.team_id == team_id) & (TEAM_MEMBER.c.person_id == person_id)
    if connection.execute(delete(TEAM_MEMBER).where(where)).rowcount != 1:
        raise NotFoundError(f"person {person_id} is not in team {team_id}")
    note(connection, "leave", "team", team_id, actor=actor, now=now, person=person_id)


# Made once: every request of somebody who is logged in asks.
_OWN_TEAMS: Final = (
    select(*columns(Team, TEAM))
    .join(TEAM_MEMBER, TEAM_MEMBER.c.team_id == TEAM.c.id)
    .where(TEAM_MEMBER.c.person_id == bindparam("person", type_=Integer))
    .order_by(TEAM.c.id)
)
