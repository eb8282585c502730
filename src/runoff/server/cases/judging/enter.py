"""How assessors join: by an invitation, or with a worker id of a crowdsourcing site; without a password."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from runoff.errors import ConflictError, NotFoundError, QuotaError, UsageError
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.accounts.sign_in import PER_ADDRESS, WINDOW, draw_token
from runoff.server.store.access import load_failed_logins, save_login_attempt, save_session
from runoff.server.store.campaign_links import (
    CampaignLink,
    CrowdWorker,
    NewCampaignLink,
    clean_worker_id,
    load_campaign_link,
    load_entries,
    load_worker,
    save_campaign_link,
    save_campaign_link_used,
    save_campaign_link_withdrawn,
    save_entry,
    save_worker,
)
from runoff.server.store.campaigns import Campaign, load_campaign
from runoff.server.store.database import Database
from runoff.server.store.participation import (
    Participation,
    consent_version,
    load_participation,
    save_consent,
    save_consent_renewed,
    save_reinstated,
    save_returned,
)
from runoff.server.store.people import Person, load_person, save_person

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.store.people import Person

ADDRESS: Final = "{name}@assessor.invalid"
"""Assessors without an account have an address to which nothing can be sent and with which nobody can sign in."""
CONSENT: Final = (
    "Taking part is voluntary, and you can leave at any time. We keep which passages you choose and how long each "
    "choice takes. If you come from a crowdsourcing site, we also keep your worker id there, so that you can be paid. "
    "Only the organisers see it; whatever is published names nobody."
)
"""What assessors agree to where organisers have written nothing of their own."""


@dataclass(frozen=True, kw_only=True)
class Entered:
    """Somebody who came in; `token` begins their session, None if they had one."""

    campaign: Campaign
    person: Person
    token: str | None
    participation: Participation | None


def make_campaign_link(
    database: Database,
    campaign_id: int,
    *,
    site: str | None = None,
    most_uses: int | None = 1,
    expires_at: datetime | None = None,
    actor: Actor,
    now: datetime,
) -> str:
    """A link for assessors; returns its token, which is kept nowhere.

    site       the name of a crowdsourcing site, whose workers bring their worker id; None for an invitation
    most_uses  how many people may come in by it; None for any number
    """
    require(actor, "manage campaign")
    token = draw_token()
    new = NewCampaignLink(campaign_id=campaign_id, token=token, site=site, most_uses=most_uses, expires_at=expires_at)
    database.write(lambda connection: save_campaign_link(connection, new, actor=actor.id, now=now))
    return token


def withdraw_campaign_link(database: Database, campaign_id: int, link_id: int, *, actor: Actor, now: datetime) -> None:
    """Let nobody else in by a link; who came in by it stays."""
    require(actor, "manage campaign")
    database.write(
        lambda connection: save_campaign_link_withdrawn(connection, campaign_id, link_id, actor=actor.id, now=now)
    )


def enter_campaign(
    database: Database,
    token: str,
    *,
    worker_id: str = "",
    reference: str = "",
    person: Person | None = None,
    session: timedelta,
    now: datetime,
) -> Entered:
    """Come in by a link.

    worker_id, reference  what a crowdsourcing site adds to the address: its worker and its assignment
    person                who is signed in already, if anybody; a member of teams becomes another person here

    The same worker id is the same assessor, also in another browser and another campaign; who was stopped stays so.
    By an invitation somebody without a session becomes a new assessor, and each of them is counted against the limit.
    Consent is asked for later (`consent`).
    """
    return database.write(lambda connection: _enter(connection, token, worker_id, reference, person, session, now))


def consent_text(campaign: Campaign) -> str:
    """What assessors of a campaign agree to."""
    return campaign.consent.strip() or CONSENT


def consent_hash(campaign: Campaign) -> str:
    """Tells the text that somebody has agreed to from any other."""
    return consent_version(consent_text(campaign))


def is_outdated(part: Participation, campaign: Campaign) -> bool:
    """Whether somebody agreed to another text than the campaign has now; of old consents it is not known."""
    return part.consent_hash is not None and part.consent_hash != consent_hash(campaign)


def consent(
    database: Database, campaign_id: int, *, seen: str | None = None, actor: Actor, now: datetime
) -> Participation:
    """Keep that an assessor has read and agreed, with the text that it was; said twice is said once.

    Who agreed to an older text agrees to the new one in the same way.

    seen  `consent_hash` of the text that they were shown: if it was changed meanwhile, they have to read it again
    """
    require(actor, "judge")

    def work(connection: Connection) -> Participation:
        person_id = int(actor.id or 0)
        campaign = load_campaign(connection, campaign_id)
        before = load_participation(connection, campaign_id, person_id)
        if before is None or is_outdated(before, campaign):
            text = consent_text(campaign)
            if seen is not None and seen != consent_version(text):
                raise ConflictError("the text was changed while you read it; read it again, then agree")
            save = save_consent if before is None else save_consent_renewed
            save(connection, campaign_id, person_id, text=text, now=now)
        found = load_participation(connection, campaign_id, person_id)
        if found is None:
            raise NotFoundError(f"there is no campaign {campaign_id}")
        return found

    return database.write(work)


def reinstate(database: Database, campaign_id: int, person_id: int, *, actor: Actor, now: datetime) -> None:
    """Give tasks again to an assessor who was stopped."""
    require(actor, "manage campaign")
    database.write(lambda connection: save_reinstated(connection, campaign_id, person_id, actor=actor.id, now=now))


def is_without_account(person: Person) -> bool:
    """Whether somebody came in by the link of a campaign, and has no account."""
    return person.email.endswith(ADDRESS.format(name=""))


def make_assessor(connection: Connection, *, display_name: str, now: datetime) -> Person:
    """A person without a password, who can do nothing but judge."""
    email = ADDRESS.format(name=draw_token().lower().replace("_", "-").strip("-"))
    return save_person(
        connection,
        email=email,
        display_name=display_name,
        role="assessor",
        distinct_name=False,
        actor=None,
        now=now,
    )


def _enter(
    connection: Connection, token: str, worker_id: str, reference: str, person: Person | None, session: timedelta,
    now: datetime,
) -> Entered:  # fmt: skip
    link = load_campaign_link(connection, token, now)
    if link is None:
        raise NotFoundError("this link is unknown, withdrawn or too old; ask for a new one")
    if link.site is not None:
        who, is_new = _worker(connection, link.site, token, worker_id, now)
        signed_in = person is not None and person.id == who.id
    elif person is not None and person.role != "member":
        who, is_new, signed_in = person, False, True
        came_before = any(one.person_id == who.id for one in load_entries(connection, link.campaign_id))
        if not came_before:
            save_campaign_link_used(connection, token, now)
    else:
        save_campaign_link_used(connection, token, now)
        who, is_new, signed_in = make_assessor(connection, display_name="Assessor", now=now), True, False
    _note_entry(connection, link, who, reference, is_new=is_new, now=now)
    made = None if signed_in else draw_token()
    if made is not None:
        save_session(connection, who.id, made, expires_at=now + session, now=now)
    return Entered(
        campaign=load_campaign(connection, link.campaign_id),
        person=who,
        token=made,
        participation=load_participation(connection, link.campaign_id, who.id),
    )


def _worker(connection: Connection, site: str, token: str, worker_id: str, now: datetime) -> tuple[Person, bool]:
    """Who a worker is, and whether they are new here."""
    if not worker_id.strip():
        raise UsageError("the address has no worker id; expected one from the crowdsourcing site; open it from there")
    cleaned = clean_worker_id(worker_id)
    known = load_worker(connection, site, cleaned)
    if known is not None:
        return load_person(connection, known.person_id), False
    save_campaign_link_used(connection, token, now)
    made = make_assessor(connection, display_name="Assessor", now=now)
    save_worker(connection, CrowdWorker(site=site, worker_id=cleaned, person_id=made.id))
    return made, True


def _note_entry(
    connection: Connection, link: CampaignLink, who: Person, reference: str, *, is_new: bool, now: datetime
) -> None:
    first = save_entry(connection, link.campaign_id, who.id, link_id=link.id, reference=reference, now=now)
    part = load_participation(connection, link.campaign_id, who.id)
    # A worker who left comes back with another assignment of the site.
    if first and not is_new and part is not None and part.left_at is not None:
        save_returned(connection, link.campaign_id, who.id, now=now)


GUESSED: Final = "a link for assessors"
"""What is used instead of a mail address where an attempt is counted."""


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
            raise QuotaError("too many wrong links; wait 15 minutes, then try again", free_at=now + WINDOW)
        link = load_campaign_link(connection, token, now)
        if link is not None:
            return _door(connection, link, person)
    database.write(lambda connection: save_login_attempt(connection, email=GUESSED, address=address, now=now))
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
