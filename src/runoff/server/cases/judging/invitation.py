"""What a link for assessors leads to, looked at before anybody comes in; guessing at links is limited."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.errors import NotFoundError, QuotaError
from runoff.server.cases.accounts.sign_in import PER_ADDRESS, WINDOW
from runoff.server.store.access import load_failed_logins, save_login_attempt
from runoff.server.store.campaign_links import CampaignLink, load_campaign_link, load_entries
from runoff.server.store.campaigns import Campaign, load_campaign
from runoff.server.store.database import Database
from runoff.server.store.participation import load_participation

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.store.people import Person

GUESSED: Final = "a link for assessors"
"""What stands in the place of an address of mail where an attempt is counted."""


@dataclass(frozen=True, kw_only=True)
class Door:
    """A link and its campaign; `is_known` for somebody who came in and has agreed, `is_full` if it lets no one in."""

    link: CampaignLink
    campaign: Campaign
    is_known: bool
    is_full: bool


def look_at_link(
    database: Database, token: str, *, person: Person | None = None, address: str, failures: int, now: datetime
) -> Door:
    """What a link leads to; nothing changes by it, but a wrong one is counted.

    address   where the request comes from, on the network
    failures  as for signing in: ten times as many wrong links or passwords in a quarter of an hour from one address
    """
    with database.read() as connection:
        failed = load_failed_logins(connection, email=GUESSED, address=address, since=now - WINDOW)
        if failed.from_address >= failures * PER_ADDRESS:
            raise QuotaError("too many wrong links; wait a quarter of an hour, then try again", free_at=now + WINDOW)
        link = load_campaign_link(connection, token, now)
        if link is not None:
            return _door(connection, link, person)
    database.write(
        lambda connection: save_login_attempt(connection, email=GUESSED, address=address, succeeded=False, now=now)
    )
    raise NotFoundError("this link is unknown, withdrawn or too old; ask for a new one")


def _door(connection: Connection, link: CampaignLink, person: Person | None) -> Door:
    came = is_known = False
    if person is not None and person.role != "member":
        came = bool(load_entries(connection, link.campaign_id, person_id=person.id))
        is_known = came and load_participation(connection, link.campaign_id, person.id) is not None
    # A worker of a site who came before is known by the worker id alone, which is not looked at here.
    used_up = link.most_uses is not None and link.uses >= link.most_uses
    return Door(
        link=link,
        campaign=load_campaign(connection, link.campaign_id),
        is_known=is_known,
        is_full=used_up and link.site is None and not came,
    )
