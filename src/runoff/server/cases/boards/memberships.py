"""Memberships: invitations to the site and to teams, making teams, and leaving."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from runoff.errors import NotAllowedError, NotFoundError, QuotaError, UsageError
from runoff.server.cases.accounts.permissions import Actor, Role, Thing, may, require
from runoff.server.cases.accounts.sign_in import draw_token, make_link
from runoff.server.cases.boards.make import slug_of
from runoff.server.store.access import (
    NewLink,
    load_api_tokens,
    load_invitation_count,
    load_link_count,
    load_open_links,
    save_api_token_revoked,
    save_link,
    save_link_withdrawn,
)
from runoff.server.store.database import Database
from runoff.server.store.erase import save_person_deleted
from runoff.server.store.people import (
    IMPORTER,
    Person,
    Team,
    load_members,
    load_people,
    load_person,
    load_person_by_email,
    load_teams,
    lock_person,
    lock_team,
    save_departure,
    save_disabled,
    save_role,
    save_team,
    save_team_approved,
    save_team_refused,
)
from runoff.server.store.submissions import save_link_mail

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_DIGITS: Final = 9
"""Of a person's number."""
DAY: Final = timedelta(days=1)
MOST_INVITATIONS: Final = 20
MOST_TEAMS: Final = 10
"""Teams that one person is in, when they make another."""
MOST_MAILED: Final = 20
"""Invitations into teams that one person makes in a day on a server that mails them."""


def invite_person(
    database: Database, *, email: str, role: Role, hours: int, actor: Actor, now: datetime, mailed: bool = False
) -> str:
    """The token of a one-time link to make an account, or a new password where there is an account.

    mailed  whether the link is mailed to the address too
    """
    require(actor, "manage person")
    return database.write(
        lambda connection: make_link(
            connection, email=email, role=role, hours=hours, actor=actor.id, now=now, mailed=mailed
        )
    )


def invite_to_team(
    database: Database,
    team: Team,
    *,
    email: str,
    hours: int,
    actor: Actor,
    now: datetime,
    most: int = MOST_INVITATIONS,
    mailed: bool = False,
) -> str:
    """The token of a one-time link into a team; whoever has no account yet makes one with it.

    most    how many people the team may invite in all; organisers may invite more
    mailed  whether the link is mailed to the address too; then one person makes `MOST_MAILED` in a day at most, so that
            nobody sends mail to strangers through the server
    """
    require(actor, "manage team", Thing(team=team.id))
    team.check_approved()
    token = draw_token()
    new = NewLink(kind="team", email=email, token=token, expires_at=now + timedelta(hours=hours), team_id=team.id)

    def work(connection: Connection) -> None:
        lock_team(connection, team.id)
        count = load_invitation_count(connection, team.id, now)
        if count >= most and not may(actor, "manage board"):
            raise QuotaError(
                f"{team.name} has invited {count} people; expected {most} at most; withdraw an invitation, or ask an "
                "organiser to invite more",
                free_at=None,
            )
        if mailed and load_link_count(connection, actor.id or 0, since=now - DAY) >= MOST_MAILED:
            raise QuotaError(
                f"you have made {MOST_MAILED} invitations in a day; expected no more, because each is mailed; "
                "try again tomorrow",
                free_at=now + DAY,
            )
        number = save_link(connection, new, actor=actor.id, now=now)
        if mailed:
            save_link_mail(connection, number, now=now)

    database.write(work)
    return token


def withdraw_link(database: Database, link_id: int, *, actor: Actor, now: datetime) -> None:
    """Let an invitation end: organisers any, a team those into it."""

    def work(connection: Connection) -> None:
        links = {link.id: link for link in load_open_links(connection, now)}
        if link_id not in links:
            raise NotFoundError(f"there is no open invitation {link_id}; it was used, or is too old")
        link = links[link_id]
        if link.team_id is None:
            require(actor, "manage person")
        else:
            require(actor, "manage team", Thing(team=link.team_id))
        save_link_withdrawn(connection, link_id, actor=actor.id, now=now)

    database.write(work)


def found_team(database: Database, name: str, *, actor: Actor, now: datetime, free: bool = False) -> Team:
    """A new team with the actor as its first member.

    free  whether it can submit at once; otherwise it waits for an organiser, unless one makes it
    """
    require(actor, "create team")
    if actor.id is None:
        raise NotAllowedError("nobody is signed in; sign in to make a team")
    founder = actor.id

    def work(connection: Connection) -> Team:
        lock_person(connection, founder)
        teams = load_teams(connection, person_id=founder)
        for team in teams:
            if team.approved_at is None:
                raise UsageError(f"{team.name} already waits for an organiser; make another team when it is approved")
        if len(teams) >= MOST_TEAMS:
            raise UsageError(f"you are in {len(teams)} teams; expected fewer than {MOST_TEAMS}; leave one first")
        approved = free or actor.role == "organiser"
        return save_team(connection, slug=slug_of(name), name=name, founder=founder, approved=approved, now=now)

    return database.write(work)


def approve_team(database: Database, team_id: int, *, actor: Actor, now: datetime) -> None:
    """Let a team that waits submit and invite."""
    _require_organiser(actor)
    database.write(lambda connection: save_team_approved(connection, team_id, actor=actor.id, now=now))


def refuse_team(database: Database, team_id: int, *, actor: Actor, now: datetime) -> None:
    """Remove a team that waits."""
    _require_organiser(actor)
    database.write(lambda connection: save_team_refused(connection, team_id, actor=actor.id, now=now))


def may_remove(members: Sequence[Person], person_id: int, actor: Actor) -> bool:
    """Whether the actor may take somebody out of a team: oneself, or anybody as its longest member or an organiser.

    members  of the team, in the order in which they joined
    """
    people = [member for member in members if member.email != IMPORTER]
    is_longest = bool(people) and people[0].id == actor.id
    return person_id == actor.id or is_longest or may(actor, "manage board")


def remove_member(database: Database, team: Team, person_id: int, *, actor: Actor, now: datetime) -> None:
    """Take somebody out of a team, or leave it; the last member stays, so that its runs belong to somebody."""
    require(actor, "manage team", Thing(team=team.id))

    def work(connection: Connection) -> None:
        members = load_members(connection, team.id)
        if not may_remove(members, person_id, actor):
            raise NotAllowedError("only whoever is in the team longest, and organisers, remove others; ask one of them")
        if len(members) == 1:
            raise UsageError(f"{team.name} has only one member; expected another one to stay; invite somebody first")
        save_departure(connection, team.id, person_id, actor=actor.id, now=now)

    database.write(work)


def close_account(database: Database, person_id: int, *, actor: Actor, now: datetime) -> None:
    """Close an account: sessions end and tokens are revoked. The last organiser stays."""
    _require_organiser(actor)

    def work(connection: Connection) -> None:
        _check_rest(connection, person_id)
        save_disabled(connection, person_id, actor=actor.id, now=now)

    database.write(work)


def find_person(database: Database, who: str) -> Person:
    """The person of a mail address, or of a number."""
    with database.read() as connection:
        if who.isdecimal() and len(who) <= MOST_DIGITS:
            return load_person(connection, int(who))
        person = load_person_by_email(connection, who)
    if person is None:
        raise NotFoundError("nobody has this mail address; runoff admin people lists everybody")
    return person


def delete_person(database: Database, person_id: int, *, actor: Actor | None, now: datetime) -> Person:
    """Delete a person's data at their request, for good; what they did stays under a number. The last organiser stays.

    actor  an organiser; None for whoever looks after the server on its machine
    """
    if actor is not None:
        _require_organiser(actor)

    def work(connection: Connection) -> Person:
        if load_person(connection, person_id).role == "organiser":
            _check_rest(connection, person_id)
        return save_person_deleted(connection, person_id, actor=None if actor is None else actor.id, now=now)

    return database.write(work)


def give_role(database: Database, person_id: int, role: Role, *, actor: Actor, now: datetime) -> None:
    """Give somebody another role. The last organiser stays one."""
    _require_organiser(actor)

    def work(connection: Connection) -> None:
        if role != "organiser":
            _check_rest(connection, person_id)
        save_role(connection, person_id, role, actor=actor.id, now=now)

    database.write(work)


def revoke_token(database: Database, token_id: int, *, actor: Actor, now: datetime) -> None:
    """Revoke an API token, one's own or as an organiser anybody's."""

    def work(connection: Connection) -> None:
        for token in load_api_tokens(connection):
            if token.id == token_id:
                require(actor, "manage person", Thing(person=token.person_id))
                save_api_token_revoked(connection, token_id, person_id=token.person_id, actor=actor.id, now=now)
                return
        raise NotFoundError(f"there is no API token {token_id}")

    database.write(work)


def _require_organiser(actor: Actor) -> None:
    # "manage person" lets everybody manage their own account; roles and closing are for organisers.
    require(actor, "manage board")


def _check_rest(connection: Connection, person_id: int) -> None:
    load_person(connection, person_id)
    rest = [
        person
        for person in load_people(connection)
        if person.role == "organiser" and person.disabled_at is None and person.id != person_id
    ]
    if not rest:
        raise UsageError("this is the last organiser; expected another one to stay; make somebody an organiser first")
