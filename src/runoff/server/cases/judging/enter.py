"""How assessors join: by an invitation, or with a worker id of a crowdsourcing site; without a password."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from runoff.errors import ConflictError, NotAllowedError, NotFoundError, QuotaError, UsageError
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
    save_worker_came,
    save_worker_released,
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
from runoff.server.store.people import Person, load_competes, load_person, load_person_by_email, save_person

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


SECRET_REFERENCE: Final = 16
"""Characters from which on a site's number of an assignment counts as a secret of its worker: nobody guesses it."""
RELEASED: Final = timedelta(days=1)
"""How long after an organiser has released a worker id it can come in from another browser."""


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

    The same worker id is the same assessor, also in another campaign; who was stopped stays so. A worker id is not a
    secret: in another browser it opens nothing, unless the site's assignment is one that this worker came with before,
    or an organiser has released it (`release_worker`). Nobody whose team competes on the board comes in.
    By an invitation somebody without a session becomes a new assessor, and each of them is counted against the limit.
    Consent is asked for later (`consent`).
    """
    return database.write(lambda connection: _enter(connection, token, worker_id, reference, person, session, now))


def release_worker(database: Database, campaign_id: int, person_id: int, *, actor: Actor, now: datetime) -> None:
    """Let a worker id in from another browser, once within a day; the sessions that it has end."""
    require(actor, "manage campaign")
    database.write(lambda connection: save_worker_released(connection, campaign_id, person_id, actor=actor.id, now=now))


def require_no_stake(connection: Connection, campaign_id: int, person_id: int) -> None:
    """Refuse people whose team has a run on the campaign's board: they would judge their own results."""
    if load_competes(connection, campaign_id, person_id):
        raise NotAllowedError("your team has a run on this board, so you cannot judge its results")


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
        require_no_stake(connection, campaign_id, person_id)
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
    campaign = load_campaign(connection, link.campaign_id)
    if person is not None:
        require_no_stake(connection, campaign.id, person.id)
    if link.site is not None:
        who, is_new = _worker(connection, link, token, Arrival(worker_id, reference, person), now)
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
        campaign=campaign,
        person=who,
        token=made,
        participation=load_participation(connection, link.campaign_id, who.id),
    )


class Arrival(NamedTuple):
    """What a crowdsourcing site says of who comes, and who is signed in in that browser."""

    worker_id: str
    reference: str
    person: Person | None


def _worker(
    connection: Connection, link: CampaignLink, token: str, arrival: Arrival, now: datetime
) -> tuple[Person, bool]:
    """Who a worker is, and whether they are new here."""
    if not arrival.worker_id.strip():
        raise UsageError("the address has no worker id; expected one from the crowdsourcing site; open it from there")
    cleaned, site = clean_worker_id(arrival.worker_id), str(link.site)
    worker = load_worker(connection, site, cleaned)
    if worker is not None:
        if not _is_own(connection, link, worker, arrival, now):
            raise UsageError(
                "this worker id is in use in another browser; continue there, or open the same assignment again from "
                f"{site}; if neither is possible, ask the organisers to let you in again"
            )
        save_worker_came(connection, worker.person_id)
        return load_person(connection, worker.person_id), False
    if _is_competitor(connection, link.campaign_id, cleaned):
        raise UsageError("this worker id cannot be used here; expected one from the crowdsourcing site")
    save_campaign_link_used(connection, token, now)
    made = make_assessor(connection, display_name="Assessor", now=now)
    save_worker(connection, CrowdWorker(site=site, worker_id=cleaned, person_id=made.id))
    return made, True


def _is_competitor(connection: Connection, campaign_id: int, worker_id: str) -> bool:
    """Whether a worker id is the mail address of somebody whose team has a run on the board."""
    try:
        namesake = load_person_by_email(connection, worker_id)
    except UsageError:  # it is no address
        return False
    return namesake is not None and load_competes(connection, campaign_id, namesake.id)


def _is_own(connection: Connection, link: CampaignLink, worker: CrowdWorker, arrival: Arrival, now: datetime) -> bool:
    """Whether whoever comes is the worker: by the session, by an assignment that only they know, or by release."""
    if arrival.person is not None and arrival.person.id == worker.person_id:
        return True
    if worker.released_at is not None and now - worker.released_at <= RELEASED:
        return True
    entries = load_entries(connection, link.campaign_id, person_id=worker.person_id)
    is_secret = len(arrival.reference) >= SECRET_REFERENCE
    return is_secret and any(entry.reference == arrival.reference for entry in entries)


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
    campaign = load_campaign(connection, link.campaign_id)
    if person is not None:
        require_no_stake(connection, campaign.id, person.id)
    came = is_known = False
    if person is not None and person.role != "member":
        came = bool(load_entries(connection, link.campaign_id, person_id=person.id))
        is_known = came and load_participation(connection, link.campaign_id, person.id) is not None
    # A worker of a site who came before is known by the worker id alone, which is not looked at here.
    used_up = link.most_uses is not None and link.uses >= link.most_uses
    return Door(
        link=link,
        campaign=campaign,
        is_known=is_known,
        is_full=used_up and link.site is None and not came,
    )
