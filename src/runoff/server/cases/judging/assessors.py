"""One view of how well assessors judge: test pairs, speed, sides, agreement, and what they are paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from runoff.preferences import agreement, quality, side_bias, timing
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.votes import load_votes, pseudonym
from runoff.server.store.campaign_links import load_workers
from runoff.server.store.campaigns import Campaign
from runoff.server.store.participation import (
    Consent,
    Participation,
    load_all_unpaid,
    load_completions,
    load_consents,
    load_participations,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

AssessorState = Literal["active", "left", "stopped"]


@dataclass(frozen=True, kw_only=True)
class AssessorView:
    """One assessor, for organisers alone.

    site, worker_id      personal data of a crowdsourcing site; empty for others
    tasks, failed_tasks  tasks that ended with answers to all pairs, and those of them that were discarded
    kept, discarded      judgments of real pairs
    seconds, too_fast    the median per pair, and the share below the campaign's limit; None without judgments
    left_share, left_p   how often the left side was preferred; p against one half, corrected over all assessors
    agrees, agrees_of    how often they say what the majority of the others says, and on how many of their judgments
                         there was such a majority; None for none
    consents             what they agreed to, the oldest first: a text that was changed is asked again
    paid, due            paid under a code so far, and what the next code would pay
    """

    person_id: int
    pseudonym: str
    site: str
    worker_id: str
    state: AssessorState
    tasks: int = 0
    failed_tasks: int = 0
    tests: int = 0
    failed_tests: int = 0
    kept: int = 0
    discarded: int = 0
    seconds: float | None = None
    too_fast: float | None = None
    left_share: float | None = None
    left_p: float | None = None
    agrees: float | None = None
    agrees_of: int = 0
    consents: tuple[Consent, ...] = ()
    paid: float = 0.0
    due: float = 0.0


def load_assessors(
    connection: Connection,
    campaign: Campaign,
    *,
    numbers: Mapping[str, Mapping[str, Any]] | None = None,
    actor: Actor,
) -> tuple[AssessorView, ...]:
    """Everybody who takes part in a campaign or did, in the order in which they consented.

    numbers  what `load_assessor_numbers` has found before, which is slow where there are many judgments
    """
    require(actor, "see assessors")
    parts = load_participations(connection, campaign.id)
    numbers = load_assessor_numbers(connection, campaign) if numbers is None else numbers
    workers = load_workers(connection, campaign.id)
    unpaid = load_all_unpaid(connection, campaign.id)
    consents: dict[int, list[Consent]] = {}
    for said in load_consents(connection, campaign.id):
        consents.setdefault(said.person_id, []).append(said)
    paid: dict[int, float] = {}
    for one in load_completions(connection, campaign.id):
        paid[one.person_id] = paid.get(one.person_id, 0.0) + one.pay
    found = []
    for part in parts:
        name, worker = pseudonym(campaign, part.person_id), workers.get(part.person_id)
        due = sum(work.pay(campaign.pay) for work in unpaid.get(part.person_id, ()))
        found.append(
            AssessorView(
                person_id=part.person_id,
                pseudonym=name,
                site="" if worker is None else worker.site,
                worker_id="" if worker is None else worker.worker_id,
                state=_state(part),
                consents=tuple(consents.get(part.person_id, ())),
                paid=round(paid.get(part.person_id, 0.0), 2),
                due=round(due, 2),
                **numbers.get(name, {}),
            )
        )
    return tuple(found)


def load_assessor_numbers(connection: Connection, campaign: Campaign) -> dict[str, dict[str, Any]]:
    """What the judgments say of each assessor, by pseudonym."""
    table = load_votes(connection, campaign)
    if not len(table):
        return {}
    checked = quality(table)
    found: dict[str, dict[str, Any]] = {}
    for one in checked.assessors:
        found[one.assessor] = {
            "tasks": one.tasks, "failed_tasks": one.failed_tasks, "tests": one.tests,
            "failed_tests": one.failed_tests, "kept": one.kept, "discarded": one.discarded,
        }  # fmt: skip
    for times in timing(table, below=campaign.too_fast).assessors:
        if times.assessor is not None and times.timed:
            found[times.assessor] |= {"seconds": times.median, "too_fast": times.too_fast}
    if len(checked.kept):
        for sides in side_bias(checked.kept).assessors:
            found[sides.assessor] |= {"left_share": sides.left.share, "left_p": sides.p}
        for alike in agreement(checked.kept).assessors:
            met = alike.agrees.wins + alike.agrees.losses
            found[alike.assessor] |= {"agrees": alike.agrees.share if met else None, "agrees_of": met}
    return found


def _state(part: Participation) -> AssessorState:
    if part.stopped_at is not None:
        return "stopped"
    return "left" if part.left_at is not None else "active"
