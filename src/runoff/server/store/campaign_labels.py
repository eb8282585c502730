"""Which versions of labels were made by a campaign."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, insert

from runoff.server.store._rows import many, note
from runoff.server.store.models.campaigns import CAMPAIGN_LABEL


@dataclass(frozen=True, kw_only=True)
class CampaignLabel:
    """A version of labels that a campaign made: from how many judgments, and how many queries it changed."""

    label_set_id: int
    campaign_id: int
    judgments: int
    changed: int
    at: datetime


def save_campaign_label(connection: Connection, made: CampaignLabel, *, actor: int | None) -> None:
    """Keep that a campaign made a version."""
    connection.execute(insert(CAMPAIGN_LABEL).values(**asdict(made)))
    details = {"label_set": made.label_set_id, "judgments": made.judgments, "changed": made.changed}
    note(connection, "make labels", "campaign", made.campaign_id, actor=actor, now=made.at, **details)


def load_campaign_labels(connection: Connection, campaign_id: int) -> tuple[CampaignLabel, ...]:
    """The versions that a campaign made, the oldest first."""
    return many(connection, CampaignLabel, CAMPAIGN_LABEL, CAMPAIGN_LABEL.c.campaign_id == campaign_id)
