"""Tables of people and teams."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import Column, String, Table

from runoff.server.store.models._columns import METADATA, UtcTime, key, link, one_of

Role = Literal["organiser", "member", "assessor"]
ROLES: Final = ("organiser", "member", "assessor")

PERSON = Table(
    "person",
    METADATA,
    key(),
    Column("email", String(254), nullable=False, unique=True),
    Column("display_name", String(100), nullable=False),
    Column("role", String(20), nullable=False),
    Column("password_hash", String(200)),
    Column("created_at", UtcTime, nullable=False),
    Column("disabled_at", UtcTime),
    one_of("role", ROLES),
)

TEAM = Table(
    "team",
    METADATA,
    key(),
    Column("slug", String(60), nullable=False, unique=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
)

TEAM_MEMBER = Table(
    "team_member",
    METADATA,
    link("team_id", "team", primary_key=True),
    link("person_id", "person", primary_key=True, index=True),
    Column("joined_at", UtcTime, nullable=False),
)
