"""People and their teams."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Integer, Table, bindparam, delete, exists, or_, select, update

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store._rows import add, columns, many, maybe, note, one, values
from runoff.server.store.models.accounts import API_TOKEN, PERSON, ROLES, SESSION, TEAM, TEAM_MEMBER, Role
from runoff.server.store.models.boards import RUN, RUN_MEMBER
from runoff.server.store.models.campaigns import CAMPAIGN
from runoff.server.store.names import clean_email, clean_name, clean_slug, name_key

IMPORTER: Final = "import@runoff.invalid"
"""Who submitted the runs that came with a board; nobody can sign in as it, and no mail goes there."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody with an account; the hash of the password is not part of it."""

    id: int
    email: str
    display_name: str
    role: Role
    created_at: datetime
    disabled_at: datetime | None


def save_person(
    connection: Connection,
    *,
    email: str,
    display_name: str,
    role: Role,
    password_hash: str | None = None,
    distinct_name: bool = True,
    actor: int | None,
    now: datetime,
) -> Person:
    """Make an account.

    password_hash  of `hash_password`, or None until the person has chosen a password
    distinct_name  refuse a name that looks like somebody else's; not for people who cannot sign in
    """
    address = clean_email(email)
    key = name_key(display_name) if distinct_name else None
    if key is not None and _is_taken(connection, PERSON, key):
        raise ConflictError(
            f"the name {clean_name(display_name)!r} is somebody else's or looks like it; expected one that nobody "
            "confuses with theirs; add a middle name or where you work"
        )
    number = add(
        connection,
        PERSON,
        f"{address} already has an account",
        email=address,
        display_name=clean_name(display_name),
        role=_checked_role(role),
        password_hash=password_hash,
        name_key=key,
        created_at=now,
    )
    note(connection, "create", "person", number, actor=actor, now=now, role=role)
    return load_person(connection, number)


def load_person(connection: Connection, person_id: int) -> Person:
    """The person of a number."""
    return one(connection, Person, PERSON, PERSON.c.id == person_id, what=f"person {person_id}")


def load_person_by_email(connection: Connection, email: str) -> Person | None:
    """The person of an address, or None."""
    return maybe(connection, Person, PERSON, PERSON.c.email == clean_email(email))


def load_people(connection: Connection) -> tuple[Person, ...]:
    """Everybody with an account, the oldest first."""
    return many(connection, Person, PERSON)


def load_password_hash(connection: Connection, person_id: int) -> str | None:
    """The hash of a person's password, for `check_password`; None before one was chosen."""
    row = connection.execute(select(PERSON.c.password_hash).where(PERSON.c.id == person_id)).one_or_none()
    if row is None:
        raise NotFoundError(f"there is no person {person_id}")
    return None if row[0] is None else str(row[0])


def save_password(
    connection: Connection, person_id: int, password_hash: str, *, actor: int | None, now: datetime
) -> None:
    """Set a password; every session of the person ends, and every API token is revoked: others may have had it."""
    _change(connection, person_id, password_hash=password_hash)
    _end_sessions(connection, person_id, now)
    _revoke_tokens(connection, person_id, now)
    note(connection, "set password", "person", person_id, actor=actor, now=now)


def save_rehashed_password(connection: Connection, person_id: int, password_hash: str) -> None:
    """Keep the same password under a newer hash."""
    _change(connection, person_id, password_hash=password_hash)


def save_role(connection: Connection, person_id: int, role: Role, *, actor: int | None, now: datetime) -> None:
    """Give a person a role."""
    _change(connection, person_id, role=_checked_role(role))
    note(connection, "set role", "person", person_id, actor=actor, now=now, role=role)


def save_disabled(connection: Connection, person_id: int, *, actor: int | None, now: datetime) -> None:
    """Close an account: every session ends, every API token is revoked; what the person did stays."""
    _change(connection, person_id, disabled_at=now)
    _end_sessions(connection, person_id, now)
    _revoke_tokens(connection, person_id, now)
    note(connection, "disable", "person", person_id, actor=actor, now=now)


def _is_taken(connection: Connection, table: Table, key: str) -> bool:
    return connection.execute(select(table.c.id).where(table.c.name_key == key)).first() is not None


def _checked_role(role: Role) -> Role:
    if role not in ROLES:
        raise UsageError(f"role {role!r} is unknown; expected one of {', '.join(ROLES)}")
    return role


def _change(connection: Connection, person_id: int, **row: object) -> None:
    if connection.execute(update(PERSON).where(PERSON.c.id == person_id).values(**row)).rowcount != 1:
        raise NotFoundError(f"there is no person {person_id}")


def _end_sessions(connection: Connection, person_id: int, now: datetime) -> None:
    live = (SESSION.c.person_id == person_id) & SESSION.c.ended_at.is_(None)
    connection.execute(update(SESSION).where(live).values(ended_at=now))


def _revoke_tokens(connection: Connection, person_id: int, now: datetime) -> None:
    usable = (API_TOKEN.c.person_id == person_id) & API_TOKEN.c.revoked_at.is_(None)
    connection.execute(update(API_TOKEN).where(usable).values(revoked_at=now))


@dataclass(frozen=True, kw_only=True)
class Team:
    """The people who submit runs together; one that is not approved can neither submit nor invite."""

    id: int
    slug: str
    name: str
    created_at: datetime
    approved_at: datetime | None

    def check_approved(self) -> None:
        """Raise `ConflictError` if the team waits for an organiser."""
        if self.approved_at is None:
            raise ConflictError(f"{self.name} waits for an organiser to approve it; try again when that is done")


def save_team(
    connection: Connection,
    *,
    slug: str,
    name: str,
    founder: int,
    approved: bool = True,
    distinct_name: bool = True,
    now: datetime,
) -> Team:
    """Make a team; its founder is its first member.

    distinct_name  refuse a name that looks like that of another team; not where a board comes with its teams
    """
    short, long = clean_slug(slug), clean_name(name)
    clash = f"a team is already called {short!r} or {long!r}, or by a name that looks like it; choose another name"
    key: str | None = name_key(long)
    if key is not None and not distinct_name and _is_taken(connection, TEAM, key):
        key = None
    row = {"name_key": key, "approved_at": now if approved else None}
    number = add(connection, TEAM, clash, slug=short, name=long, created_at=now, **row)
    note(connection, "create", "team", number, actor=founder, now=now, slug=short)
    save_member(connection, number, founder, actor=founder, now=now)
    return load_team(connection, number)


def save_team_approved(connection: Connection, team_id: int, *, actor: int | None, now: datetime) -> None:
    """Let a team that waits submit and invite."""
    waits = (TEAM.c.id == team_id) & TEAM.c.approved_at.is_(None)
    if connection.execute(update(TEAM).where(waits).values(approved_at=now)).rowcount != 1:
        raise NotFoundError(f"there is no team {team_id} that waits for approval")
    note(connection, "approve", "team", team_id, actor=actor, now=now)


def save_team_refused(connection: Connection, team_id: int, *, actor: int | None, now: datetime) -> None:
    """Remove a team that waits: it has no runs and no invitations yet."""
    lock = select(TEAM.c.slug).where(TEAM.c.id == team_id, TEAM.c.approved_at.is_(None)).with_for_update()
    slug = connection.execute(lock).scalar_one_or_none()
    if slug is None:
        raise NotFoundError(f"there is no team {team_id} that waits for approval")
    connection.execute(delete(TEAM_MEMBER).where(TEAM_MEMBER.c.team_id == team_id))
    connection.execute(delete(TEAM).where(TEAM.c.id == team_id))
    note(connection, "refuse", "team", team_id, actor=actor, now=now, slug=slug)


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


def lock_team(connection: Connection, team_id: int) -> None:
    """Let nobody else who locks the team go on before the transaction ends."""
    connection.execute(select(TEAM.c.id).where(TEAM.c.id == team_id).with_for_update(key_share=True))


def lock_person(connection: Connection, person_id: int) -> None:
    """Let nobody else who locks the person go on before the transaction ends."""
    connection.execute(select(PERSON.c.id).where(PERSON.c.id == person_id).with_for_update(key_share=True))


def load_members(connection: Connection, team_id: int) -> tuple[Person, ...]:
    """The people of a team, in the order in which they joined."""
    query = select(*columns(Person, PERSON)).join(TEAM_MEMBER, TEAM_MEMBER.c.person_id == PERSON.c.id)
    query = query.where(TEAM_MEMBER.c.team_id == team_id).order_by(TEAM_MEMBER.c.joined_at, PERSON.c.id)
    return values(connection.execute(query), Person)


def load_competes(connection: Connection, campaign_id: int, person_id: int) -> bool:
    """Whether a person has a stake in a run on a campaign's board, published or not: their team has or had it."""
    row = {"campaign": campaign_id, "person": person_id}
    return connection.execute(_COMPETES, row).first() is not None


def save_member(connection: Connection, team_id: int, person_id: int, *, actor: int | None, now: datetime) -> None:
    """Add a person to a team."""
    clash = f"person {person_id} is in team {team_id} already"
    missing = f"there is no team {team_id} or no person {person_id}"
    add(connection, TEAM_MEMBER, clash, missing, team_id=team_id, person_id=person_id, joined_at=now)
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
# And this one at every task.
_PERSON: Final = bindparam("person", type_=Integer)
_COMPETES: Final = (
    select(RUN.c.id)
    .join(CAMPAIGN, CAMPAIGN.c.board_id == RUN.c.board_id)
    .where(
        CAMPAIGN.c.id == bindparam("campaign", type_=Integer),
        or_(
            exists().where(TEAM_MEMBER.c.team_id == RUN.c.team_id, TEAM_MEMBER.c.person_id == _PERSON),
            exists().where(RUN_MEMBER.c.run_id == RUN.c.id, RUN_MEMBER.c.person_id == _PERSON),
        ),
    )
    .limit(1)
)
