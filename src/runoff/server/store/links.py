"""One-time links: invitations to an account or a team, and new passwords."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, or_, select, update

from runoff.errors import NotFoundError, UsageError
from runoff.server.store._rows import add, columns, many, maybe, note
from runoff.server.store.models.access import ONE_TIME_LINK as LINK
from runoff.server.store.models.access import LinkKind
from runoff.server.store.models.people import Role
from runoff.server.store.names import clean_email
from runoff.server.store.passwords import token_hash


@dataclass(frozen=True, kw_only=True)
class Link:
    """What a link lets its holder do, once.

    account   make an account with this address and role
    team      join a team
    password  choose a new password for the account of this address
    """

    id: int
    kind: LinkKind
    email: str
    role: Role | None
    team_id: int | None
    created_by: int | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class NewLink:
    """A link to be made; its token is drawn at random by the caller and never stored."""

    kind: LinkKind
    email: str
    token: str
    expires_at: datetime
    role: Role | None = None
    team_id: int | None = None

    def __post_init__(self) -> None:
        if (self.kind == "account") != (self.role is not None) or (self.kind == "team") != (self.team_id is not None):
            raise UsageError(
                f"a link of kind {self.kind!r} with role {self.role!r} and team {self.team_id!r} makes no sense; "
                "expected a role with kind 'account' and a team with kind 'team'"
            )


def save_link(connection: Connection, new: NewLink, *, actor: int | None, now: datetime) -> int:
    """Make a link and return its number."""
    row = {"kind": new.kind, "email": clean_email(new.email), "role": new.role, "team_id": new.team_id}
    times = {"created_by": actor, "created_at": now, "expires_at": new.expires_at}
    number = add(connection, LINK, token_hash=token_hash(new.token), **row, **times)
    note(connection, "create", "link", number, actor=actor, now=now, kind=new.kind, team=new.team_id)
    return number


def load_link(connection: Connection, token: str, now: datetime) -> Link | None:
    """What a token stands for, without using it; None if it is unknown, used or too old."""
    return maybe(connection, Link, LINK, *_usable(token, now))


def save_link_used(connection: Connection, token: str, now: datetime) -> Link:
    """Use a link up; of two people who try at once only one succeeds."""
    statement = update(LINK).where(*_usable(token, now)).values(used_at=now).returning(*columns(Link, LINK))
    row = connection.execute(statement).mappings().one_or_none()
    if row is None:
        raise NotFoundError("this link is unknown, was used already, or is too old; ask for a new one")
    link = Link(**row)
    note(connection, "use", "link", link.id, actor=None, now=now, kind=link.kind)
    return link


def save_link_mailed(connection: Connection, link_id: int, token: str, now: datetime) -> Link | None:
    """Let another token, which is mailed, open a link too; None if the link was used or is too old.

    A token that was mailed before opens it no longer.
    """
    open_one = (LINK.c.id == link_id) & LINK.c.used_at.is_(None) & (LINK.c.expires_at > now)
    statement = update(LINK).where(open_one).values(mailed_hash=token_hash(token)).returning(*columns(Link, LINK))
    row = connection.execute(statement).mappings().one_or_none()
    return None if row is None else Link(**row)


def load_link_count(connection: Connection, person_id: int, *, since: datetime) -> int:
    """How many links a person has made since a moment."""
    query = select(func.count()).where(LINK.c.created_by == person_id, LINK.c.created_at > since)
    return int(connection.execute(query).scalar_one())


def load_open_links(connection: Connection, now: datetime, *, team_id: int | None = None) -> tuple[Link, ...]:
    """Links that can still be used: all of them, or the invitations to one team."""
    where = [LINK.c.used_at.is_(None), LINK.c.expires_at > now]
    return many(connection, Link, LINK, *where, *([] if team_id is None else [LINK.c.team_id == team_id]))


def save_link_withdrawn(connection: Connection, link_id: int, *, actor: int | None, now: datetime) -> None:
    """Let a link end now."""
    statement = update(LINK).where(LINK.c.id == link_id, LINK.c.used_at.is_(None)).values(expires_at=now)
    if connection.execute(statement).rowcount != 1:
        raise NotFoundError(f"there is no unused link {link_id}")
    note(connection, "withdraw", "link", link_id, actor=actor, now=now)


def _usable(token: str, now: datetime) -> list:  # type: ignore[type-arg]
    hashed = token_hash(token)
    return [
        or_(LINK.c.token_hash == hashed, LINK.c.mailed_hash == hashed),
        LINK.c.used_at.is_(None),
        LINK.c.expires_at > now,
    ]
