"""Test pairs that most people fail: found, switched off, and whoever they barred reinstated with answers and pay."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from runoff.errors import NotFoundError
from runoff.preferences.quality import is_bad_test_pair
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.store.campaign_pools import (
    KnownPair,
    load_all_known_pairs,
    load_known_pairs,
    load_texts,
    save_known_pair_removed,
)
from runoff.server.store.database import Database
from runoff.server.store.judging import save_restored
from runoff.server.store.judgments import load_test_answers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from runoff.server.store.campaign_pools import Pair


@dataclass(frozen=True, kw_only=True)
class PairAnswers:
    """How many people answered a test pair, and how many of them failed it."""

    answered: int = 0
    failed: int = 0

    @property
    def is_failed_by_most(self) -> bool:
        """Whether an organiser should look at it: more than half failed, and it was more than one person."""
        return self.answered > 1 and self.failed > self.answered / 2


@dataclass(frozen=True, kw_only=True)
class ShownKnownPair:
    """A test pair with its texts, ids where there are none, and how people answer it."""

    known: KnownPair
    query: str
    right: str
    wrong: str
    answers: PairAnswers


def load_pair_answers(connection: Connection, campaign_id: int) -> Mapping[Pair, PairAnswers]:
    """How people answer the test pairs of a campaign; those that nobody has answered are left out."""
    counts: dict[Pair, list[bool]] = {}
    for answer in load_test_answers(connection, campaign_id):
        counts.setdefault((answer.query_id, answer.right_doc, answer.wrong_doc), []).append(answer.failed)
    return {pair: PairAnswers(answered=len(failed), failed=sum(failed)) for pair, failed in counts.items()}


def list_known_pairs(database: Database, campaign_id: int, *, actor: Actor) -> tuple[ShownKnownPair, ...]:
    """The test pairs of a campaign, to be looked at: those that most people fail first, then by age.

    Pairs that were removed are listed if somebody had answered them.
    """
    require(actor, "manage campaign")
    with database.read() as connection:
        answers = load_pair_answers(connection, campaign_id)
        known_pairs = [
            pair
            for pair in load_all_known_pairs(connection, campaign_id)
            if pair.removed_at is None or pair.pair in answers
        ]
        queries = load_texts(connection, campaign_id, "query", [pair.query_id for pair in known_pairs])
        ids = [doc for pair in known_pairs for doc in (pair.right_doc, pair.wrong_doc)]
        docs = load_texts(connection, campaign_id, "document", ids)
    listed = [
        ShownKnownPair(
            known=pair,
            query=queries.get(pair.query_id, pair.query_id),
            right=docs.get(pair.right_doc, pair.right_doc),
            wrong=docs.get(pair.wrong_doc, pair.wrong_doc),
            answers=answers.get(pair.pair, PairAnswers()),
        )
        for pair in known_pairs
    ]
    return tuple(sorted(listed, key=lambda pair: (not pair.answers.is_failed_by_most, pair.known.id)))


def remove_known_pair(database: Database, campaign_id: int, known_pair_id: int, *, actor: Actor, now: datetime) -> int:
    """Switch off a test pair, and return how many people get back what they lost by it.

    It is in no new task, and decides nothing in old ones: tasks that were discarded for it alone count and are paid,
    and who was barred for it gets tasks again.
    """
    require(actor, "manage campaign")

    def work(connection: Connection) -> int:
        save_known_pair_removed(connection, campaign_id, known_pair_id, actor=actor.id, now=now)
        return len(save_restored(connection, campaign_id, actor=actor.id, now=now))

    return database.write(work)


def remove_bad_pairs(connection: Connection, campaign_id: int, *, now: datetime) -> bool:
    """Switch off the test pairs that nearly everybody fails (`is_bad_test_pair`); whether there was one."""
    answers = load_pair_answers(connection, campaign_id)
    bad = [
        pair.id
        for pair in load_known_pairs(connection, campaign_id)
        if pair.pair in answers and is_bad_test_pair(answers[pair.pair].answered, answers[pair.pair].failed)
    ]
    for known_pair_id in bad:
        # Somebody else may have switched it off a moment ago.
        with suppress(NotFoundError):
            save_known_pair_removed(connection, campaign_id, known_pair_id, actor=None, now=now)
    if bad:
        save_restored(connection, campaign_id, actor=None, now=now)
    return bool(bad)
