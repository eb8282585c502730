"""API tokens: hashed, limited to scopes, revocable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, select, update

from runoff.errors import NotFoundError, UsageError
from runoff.server.store._rows import add, columns, many, note, one
from runoff.server.store.models.access import API_TOKEN
from runoff.server.store.models.people import PERSON
from runoff.server.store.names import clean_name
from runoff.server.store.passwords import token_hash

SCOPES: Final = ("read", "submit", "judge", "organise")


@dataclass(frozen=True, kw_only=True)
class ApiToken:
    """A token as its owner sees it; the token itself is shown once and not kept."""

    id: int
    person_id: int
    name: str
    scopes: Sequence[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


def save_api_token(
    connection: Connection,
    person_id: int,
    token: str,
    *,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None,
    now: datetime,
) -> ApiToken:
    """Make a token for a person; `token` is drawn at random by the caller."""
    wanted = sorted(set(scopes))
    unknown = [scope for scope in wanted if scope not in SCOPES]
    if unknown or not wanted:
        raise UsageError(f"scopes {unknown or wanted} cannot be used; expected some of {', '.join(SCOPES)}")
    row = {"person_id": person_id, "name": clean_name(name), "scopes": wanted, "expires_at": expires_at}
    number = add(connection, API_TOKEN, token_hash=token_hash(token), created_at=now, **row)
    note(connection, "create", "API token", number, actor=person_id, now=now, scopes=wanted)
    return one(connection, ApiToken, API_TOKEN, API_TOKEN.c.id == number, what=f"API token {number}")


def load_api_token(connection: Connection, token: str, now: datetime) -> ApiToken | None:
    """The token, if it can be used: known, not revoked, not too old, its owner's account open."""
    query = select(*columns(ApiToken, API_TOKEN)).join(PERSON, PERSON.c.id == API_TOKEN.c.person_id)
    query = query.where(
        API_TOKEN.c.token_hash == token_hash(token),
        API_TOKEN.c.revoked_at.is_(None),
        API_TOKEN.c.expires_at.is_(None) | (API_TOKEN.c.expires_at > now),
        PERSON.c.disabled_at.is_(None),
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else ApiToken(**row)


def save_api_token_use(connection: Connection, token_id: int, now: datetime) -> None:
    """Note when a token was last used; once a minute is often enough."""
    connection.execute(update(API_TOKEN).where(API_TOKEN.c.id == token_id).values(last_used_at=now))


def load_api_tokens(connection: Connection, person_id: int | None = None) -> tuple[ApiToken, ...]:
    """All tokens that a person, or anybody, ever made, the oldest first."""
    return many(connection, ApiToken, API_TOKEN, *([] if person_id is None else [API_TOKEN.c.person_id == person_id]))


def save_api_token_revoked(
    connection: Connection, token_id: int, *, person_id: int, actor: int | None, now: datetime
) -> None:
    """Revoke a token of a person for good."""
    own = (API_TOKEN.c.id == token_id) & (API_TOKEN.c.person_id == person_id) & API_TOKEN.c.revoked_at.is_(None)
    if connection.execute(update(API_TOKEN).where(own).values(revoked_at=now)).rowcount != 1:
        raise NotFoundError(f"person {person_id} has no API token {token_id} that could be revoked")
    note(connection, "revoke", "API token", token_id, actor=actor, now=now)
