"""Test pairs of a campaign: pairs whose right answer is known; organisers may add and remove them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from runoff.errors import NotFoundError, UsageError
from runoff.server.store._rows import many, note
from runoff.server.store.models.campaigns import KNOWN_PAIR

Pair = tuple[str, str, str]


@dataclass(frozen=True, kw_only=True)
class KnownPair:
    """A test pair; `drawn` at random, or else an organiser's own. A removed one decides nothing any more."""

    id: int
    query_id: str
    right_doc: str
    wrong_doc: str
    drawn: bool
    removed_at: datetime | None

    @property
    def pair(self) -> Pair:
        """(query, right answer, wrong answer)."""
        return self.query_id, self.right_doc, self.wrong_doc


def save_known_pairs(
    connection: Connection, campaign_id: int, pairs: Sequence[Pair], *, drawn: bool, actor: int | None, now: datetime
) -> int:
    """Add test pairs, (query, right answer, wrong answer) each, and return how many are new; removed ones come back."""
    same = [pair for pair in pairs if pair[1] == pair[2] or not all(pair)]
    if same:
        raise UsageError(f"{same[0]} is no test pair; expected a query and two different documents")
    own = KNOWN_PAIR.c.campaign_id == campaign_id
    there = {one.pair: one for one in many(connection, KnownPair, KNOWN_PAIR, own)}
    new = [pair for pair in dict.fromkeys(pairs) if pair not in there]
    if new:
        names = ("query_id", "right_doc", "wrong_doc")
        rows = [{"campaign_id": campaign_id, "drawn": drawn, **dict(zip(names, pair, strict=True))} for pair in new]
        connection.execute(insert(KNOWN_PAIR), rows)
    back = [there[pair].id for pair in dict.fromkeys(pairs) if pair in there and there[pair].removed_at is not None]
    if back and not drawn:
        connection.execute(update(KNOWN_PAIR).where(own, KNOWN_PAIR.c.id.in_(back)).values(removed_at=None))
        new += [there_one for there_one in pairs if there_one in there and there[there_one].id in back]
    if new:
        note(connection, "add test pairs", "campaign", campaign_id, actor=actor, now=now, number=len(new), drawn=drawn)
    return len(new)


def save_known_pair_removed(
    connection: Connection, campaign_id: int, known_pair_id: int, *, actor: int | None, now: datetime
) -> None:
    """Remove a test pair: it is in no new task, and who fails it in an old one is not stopped for it."""
    own = (KNOWN_PAIR.c.campaign_id == campaign_id) & (KNOWN_PAIR.c.id == known_pair_id)
    statement = update(KNOWN_PAIR).where(own, KNOWN_PAIR.c.removed_at.is_(None)).values(removed_at=now)
    if connection.execute(statement).rowcount != 1:
        raise NotFoundError(f"campaign {campaign_id} has no test pair {known_pair_id}")
    note(connection, "remove test pair", "campaign", campaign_id, actor=actor, now=now, pair=known_pair_id)


def load_known_pairs(connection: Connection, campaign_id: int) -> tuple[KnownPair, ...]:
    """The test pairs that are in use, the oldest first."""
    own = KNOWN_PAIR.c.campaign_id == campaign_id
    return many(connection, KnownPair, KNOWN_PAIR, own, KNOWN_PAIR.c.removed_at.is_(None))


def load_removed_known_pairs(connection: Connection, campaign_id: int) -> tuple[Pair, ...]:
    """The test pairs that were removed: (query, right answer, wrong answer) of each."""
    columns = KNOWN_PAIR.c.query_id, KNOWN_PAIR.c.right_doc, KNOWN_PAIR.c.wrong_doc
    own = (KNOWN_PAIR.c.campaign_id == campaign_id) & KNOWN_PAIR.c.removed_at.is_not(None)
    return tuple((row[0], row[1], row[2]) for row in connection.execute(select(*columns).where(own)))
