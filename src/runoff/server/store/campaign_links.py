"""How assessors join a campaign: links for people who are invited, and for workers of crowdsourcing sites."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, or_, select, update

from runoff.errors import NotFoundError, UsageError
from runoff.server.store._rows import add, columns, many, maybe, note
from runoff.server.store.access import token_hash
from runoff.server.store.models.accounts import SESSION
from runoff.server.store.models.campaigns import CAMPAIGN_ENTRY, CAMPAIGN_LINK, WORKER
from runoff.server.store.names import clean_name

LONGEST_WORKER = 200


@dataclass(frozen=True, kw_only=True)
class CampaignLink:
    """A link into a campaign; with a `site` it is for its workers, and `uses` counts those who came in."""

    id: int
    campaign_id: int
    site: str | None
    most_uses: int | None
    uses: int
    created_at: datetime
    expires_at: datetime | None
    withdrawn_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class NewCampaignLink:
    """A link to be made; its token is drawn at random by the caller and never stored.

    most_uses  how many people may come in by it: 1 for one person, None for any number
    """

    campaign_id: int
    token: str
    site: str | None = None
    most_uses: int | None = 1
    expires_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.most_uses is not None and self.most_uses < 1:
            raise UsageError(f"most_uses={self.most_uses} cannot be used; expected 1 or more, or None for any number")


@dataclass(frozen=True, kw_only=True)
class CrowdWorker:
    """Who a worker id of a crowdsourcing site is here; personal data, for organisers alone."""

    site: str
    worker_id: str
    person_id: int
    released_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class CampaignEntry:
    """Somebody who came in by a link; `reference` is the site's own number of the assignment."""

    person_id: int
    link_id: int | None
    reference: str
    at: datetime


def save_campaign_link(connection: Connection, new: NewCampaignLink, *, actor: int | None, now: datetime) -> int:
    """Make a link and return its number."""
    site = None if new.site is None else clean_name(new.site)[:60]
    row: dict[str, Any] = {"campaign_id": new.campaign_id, "site": site, "most_uses": new.most_uses, "uses": 0}
    row |= {"created_by": actor, "created_at": now, "expires_at": new.expires_at}
    number = add(connection, CAMPAIGN_LINK, token_hash=token_hash(new.token), **row)
    details = {"link": number, "site": site, "most_uses": new.most_uses}
    note(connection, "invite", "campaign", new.campaign_id, actor=actor, now=now, **details)
    return number


def load_campaign_link(connection: Connection, token: str, now: datetime) -> CampaignLink | None:
    """The link of a token; None if it is unknown, withdrawn or too old. It may be used up."""
    return maybe(connection, CampaignLink, CAMPAIGN_LINK, *_usable(token, now))


def load_campaign_links(connection: Connection, campaign_id: int) -> tuple[CampaignLink, ...]:
    """All links into a campaign, the oldest first."""
    return many(connection, CampaignLink, CAMPAIGN_LINK, CAMPAIGN_LINK.c.campaign_id == campaign_id)


def save_campaign_link_used(connection: Connection, token: str, now: datetime) -> CampaignLink:
    """Count one more person who comes in by a link; of two who take the last place at once one is refused."""
    free = or_(CAMPAIGN_LINK.c.most_uses.is_(None), CAMPAIGN_LINK.c.uses < CAMPAIGN_LINK.c.most_uses)
    statement = update(CAMPAIGN_LINK).where(*_usable(token, now), free).values(uses=CAMPAIGN_LINK.c.uses + 1)
    row = connection.execute(statement.returning(*columns(CampaignLink, CAMPAIGN_LINK))).mappings().one_or_none()
    if row is None:
        raise NotFoundError("this link is unknown, used up, or too old; ask for a new one")
    return CampaignLink(**row)


def save_campaign_link_withdrawn(
    connection: Connection, campaign_id: int, link_id: int, *, actor: int | None, now: datetime
) -> None:
    """Let nobody else in by a link."""
    own = (CAMPAIGN_LINK.c.campaign_id == campaign_id) & (CAMPAIGN_LINK.c.id == link_id)
    statement = update(CAMPAIGN_LINK).where(own, CAMPAIGN_LINK.c.withdrawn_at.is_(None)).values(withdrawn_at=now)
    if connection.execute(statement).rowcount != 1:
        raise NotFoundError(f"campaign {campaign_id} has no open link {link_id}")
    note(connection, "withdraw link", "campaign", campaign_id, actor=actor, now=now, link=link_id)


def save_worker(connection: Connection, worker: CrowdWorker) -> None:
    """Keep whose worker id it is; one that is known already is refused."""
    clean_worker_id(worker.worker_id)
    clash = f"a worker of {worker.site} has this id already"
    add(connection, WORKER, clash, site=worker.site, worker_id=worker.worker_id, person_id=worker.person_id)


def load_worker(connection: Connection, site: str, worker_id: str) -> CrowdWorker | None:
    """Who a worker id is, or None."""
    return maybe(connection, CrowdWorker, WORKER, WORKER.c.site == site, WORKER.c.worker_id == worker_id)


def save_worker_released(
    connection: Connection, campaign_id: int, person_id: int, *, actor: int | None, now: datetime
) -> None:
    """Let a worker id in from another browser, once; the sessions that it has end."""
    released = update(WORKER).where(WORKER.c.person_id == person_id).values(released_at=now)
    if connection.execute(released).rowcount != 1:
        raise NotFoundError(f"person {person_id} has no worker id")
    live = (SESSION.c.person_id == person_id) & SESSION.c.ended_at.is_(None)
    connection.execute(update(SESSION).where(live).values(ended_at=now))
    note(connection, "release", "campaign", campaign_id, actor=actor, now=now, person=person_id)


def save_worker_came(connection: Connection, person_id: int) -> None:
    """The worker id came in after it was released: the next browser is another one again."""
    connection.execute(update(WORKER).where(WORKER.c.person_id == person_id).values(released_at=None))


def load_workers(connection: Connection, campaign_id: int) -> dict[int, CrowdWorker]:
    """The workers of a campaign, by number of the person."""
    people = select(CAMPAIGN_ENTRY.c.person_id).where(CAMPAIGN_ENTRY.c.campaign_id == campaign_id)
    return {
        worker.person_id: worker for worker in many(connection, CrowdWorker, WORKER, WORKER.c.person_id.in_(people))
    }


def clean_worker_id(worker_id: str) -> str:
    """A worker id as a site sent it.

    >>> clean_worker_id(" A1B2 ")
    'A1B2'
    """
    cleaned = worker_id.strip()
    if not 0 < len(cleaned) <= LONGEST_WORKER or not cleaned.isprintable():
        raise UsageError(f"{worker_id[:60]!r} is not a worker id; expected 1 to {LONGEST_WORKER} printable characters")
    return cleaned


def save_entry(
    connection: Connection, campaign_id: int, person_id: int, *, link_id: int | None, reference: str, now: datetime
) -> bool:
    """Keep that somebody came in; whether it is the first time with this reference."""
    own = (CAMPAIGN_ENTRY.c.campaign_id == campaign_id) & (CAMPAIGN_ENTRY.c.person_id == person_id)
    if maybe(connection, CampaignEntry, CAMPAIGN_ENTRY, own, CAMPAIGN_ENTRY.c.reference == reference[:200]) is not None:
        return False
    row = {"campaign_id": campaign_id, "person_id": person_id, "link_id": link_id, "reference": reference[:200]}
    add(connection, CAMPAIGN_ENTRY, "this person came in with this reference already", at=now, **row)
    return True


def load_entries(
    connection: Connection, campaign_id: int, *, person_id: int | None = None
) -> tuple[CampaignEntry, ...]:
    """Who came in, in order."""
    where = [CAMPAIGN_ENTRY.c.campaign_id == campaign_id]
    where += [] if person_id is None else [CAMPAIGN_ENTRY.c.person_id == person_id]
    return many(connection, CampaignEntry, CAMPAIGN_ENTRY, *where)


def _usable(token: str, now: datetime) -> list:  # type: ignore[type-arg]
    in_time = or_(CAMPAIGN_LINK.c.expires_at.is_(None), CAMPAIGN_LINK.c.expires_at > now)
    return [CAMPAIGN_LINK.c.token_hash == token_hash(token), CAMPAIGN_LINK.c.withdrawn_at.is_(None), in_time]
