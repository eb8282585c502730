"""What the page of people shows."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.server.web.frame.context import Crumb, PageContext, shown
from runoff.server.web.frame.fields import FieldGroup


@dataclass(frozen=True, kw_only=True)
class PersonLine:
    """Somebody with an account."""

    number: int = shown("The number of the person.")
    name: str = shown("How others see them.")
    email: str = shown("Their address.")
    role: str = shown("organiser, member or assessor.")
    teams: tuple[Crumb, ...] = shown("Their teams.")
    since: str = shown("The day on which the account was made.")
    closed: bool = shown("Whether the account is closed.")


@dataclass(frozen=True, kw_only=True)
class LinkLine:
    """An invitation that can still be used."""

    number: int = shown("The number of the link.")
    email: str = shown("Who it was made for.")
    what: str = shown("What it lets them do.")
    until: str = shown("Until when.")


@dataclass(frozen=True, kw_only=True)
class TokenLine:
    """An API token that can be used."""

    number: int = shown("The number of the token.")
    owner: str = shown("Whose it is.")
    name: str = shown("What its owner calls it.")
    scopes: str = shown("What it may do.")
    used: str = shown("When it was used last.")


@dataclass(frozen=True, kw_only=True)
class PeoplePage(PageContext):
    """The page of people."""

    groups: tuple[FieldGroup, ...] = shown("The form of an invitation.")
    link: str = shown("The link that was just made, shown this once; empty if none was.")
    link_for: str = shown("Who that link is for.")
    mailed: bool = shown("Whether links are mailed too.")
    people: tuple[PersonLine, ...] = shown("Everybody with an account.")
    roles: tuple[str, ...] = shown("Roles that can be given.")
    invitations: tuple[LinkLine, ...] = shown("Open invitations.")
    tokens: tuple[TokenLine, ...] = shown("API tokens that are not revoked.")
    problem: str = shown("Why nothing was done; empty if nothing is wrong.", "")
