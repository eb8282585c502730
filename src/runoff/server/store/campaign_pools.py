"""The documents of a campaign: its runs, pools, and pairs whose answer is known."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Integer, String, Text, bindparam, insert, select, union_all, update

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.server.store._rows import many, note
from runoff.server.store.models.campaigns import CAMPAIGN_RUN, CAMPAIGN_TEXT, KNOWN_PAIR, POOL_ITEM, TextKind

Tops = Mapping[str, Sequence[str]]
"""Of each query the documents of a run, best first."""
_AT_ONCE = 400


@dataclass(frozen=True, kw_only=True)
class PoolItem:
    """A document of a query to be judged.

    runs      how many runs brought it
    labelled  whether it is a label
    place     when its turn comes to meet the best known answer, from 1; given by `save_pool`
    """

    query_id: str
    doc_id: str
    runs: int
    labelled: bool
    place: int = 0


def save_campaign_runs(
    connection: Connection, campaign_id: int, run_ids: Iterable[int], *, actor: int | None, now: datetime
) -> tuple[int, ...]:
    """Add runs to those that are pooled, and return which are new."""
    earlier = set(load_campaign_runs(connection, campaign_id))
    new = tuple(dict.fromkeys(run_id for run_id in run_ids if run_id not in earlier))
    if new:
        rows = [{"campaign_id": campaign_id, "run_id": run_id, "added_at": now} for run_id in new]
        connection.execute(insert(CAMPAIGN_RUN), rows)
        note(connection, "add runs", "campaign", campaign_id, actor=actor, now=now, runs=list(new))
    return new


def save_campaign_run_gone(
    connection: Connection, campaign_id: int, run_id: int, *, actor: int | None, now: datetime
) -> None:
    """Take a run out of a campaign that has not started."""
    own = (CAMPAIGN_RUN.c.campaign_id == campaign_id) & (CAMPAIGN_RUN.c.run_id == run_id)
    if load_pool(connection, campaign_id):
        raise ConflictError("the documents of the runs are pooled already; a run can no longer be taken out")
    connection.execute(CAMPAIGN_RUN.delete().where(own))
    note(connection, "remove run", "campaign", campaign_id, actor=actor, now=now, run=run_id)


def load_campaign_runs(
    connection: Connection, campaign_id: int, *, unread: bool = False, depth: int = 0
) -> tuple[int, ...]:
    """The numbers of the runs, in the order in which they came.

    unread, depth  only those whose file is still to be read, to such a depth
    """
    query = select(CAMPAIGN_RUN.c.run_id).where(CAMPAIGN_RUN.c.campaign_id == campaign_id)
    query = query.where(CAMPAIGN_RUN.c.tops.is_(None) | (CAMPAIGN_RUN.c.read_depth < depth)) if unread else query
    return tuple(connection.execute(query.order_by(CAMPAIGN_RUN.c.added_at, CAMPAIGN_RUN.c.run_id)).scalars())


def save_tops(connection: Connection, campaign_id: int, run_id: int, tops: Tops, *, depth: int) -> None:
    """Keep the top documents of a run, which was read to such a depth."""
    packed = zlib.compress(json.dumps({query: list(docs) for query, docs in tops.items()}).encode())
    own = (CAMPAIGN_RUN.c.campaign_id == campaign_id) & (CAMPAIGN_RUN.c.run_id == run_id)
    connection.execute(update(CAMPAIGN_RUN).where(own).values(tops=packed, read_depth=depth))


def save_tops_forgotten(connection: Connection, campaign_id: int) -> None:
    """Let the files of all runs be read again, because other queries or ranks are wanted now."""
    connection.execute(update(CAMPAIGN_RUN).where(CAMPAIGN_RUN.c.campaign_id == campaign_id).values(tops=None))


def load_tops(connection: Connection, campaign_id: int) -> dict[int, Tops]:
    """The top documents of all runs that were read, by number of the run."""
    query = select(CAMPAIGN_RUN.c.run_id, CAMPAIGN_RUN.c.tops).where(CAMPAIGN_RUN.c.campaign_id == campaign_id)
    rows = connection.execute(query.where(CAMPAIGN_RUN.c.tops.is_not(None)).order_by(CAMPAIGN_RUN.c.run_id))
    return {row.run_id: json.loads(zlib.decompress(bytes(row.tops))) for row in rows}


def save_pool(connection: Connection, campaign_id: int, items: Sequence[PoolItem]) -> int:
    """Add documents to the pool, behind those that are there and stay as they are. Returns how many are new."""
    pool = load_pool(connection, campaign_id)
    pooled = {(item.query_id, item.doc_id) for item in pool}
    last: dict[str, int] = {}
    for item in pool:
        last[item.query_id] = max(last.get(item.query_id, 0), item.place)
    rows = []
    for item in items:
        if (item.query_id, item.doc_id) not in pooled:
            last[item.query_id] = last.get(item.query_id, 0) + 1
            rows.append({"campaign_id": campaign_id, **asdict(item), "place": last[item.query_id]})
    if rows:
        connection.execute(insert(POOL_ITEM), rows)
    return len(rows)


def load_pool(connection: Connection, campaign_id: int) -> tuple[PoolItem, ...]:
    """The documents of all queries, by query and document."""
    return many(connection, PoolItem, POOL_ITEM, POOL_ITEM.c.campaign_id == campaign_id)


def load_pool_queries(connection: Connection, campaign_id: int) -> tuple[str, ...]:
    """The queries that have documents."""
    query = select(POOL_ITEM.c.query_id).distinct().where(POOL_ITEM.c.campaign_id == campaign_id)
    return tuple(connection.execute(query).scalars())


def load_candidates(
    connection: Connection, campaign_id: int, *, queries: Collection[str] | None = None
) -> dict[str, tuple[str, ...]]:
    """Of each query the documents in the order in which they meet the best known answer, which is the first.

    queries  of which; None: of all
    """
    query = select(POOL_ITEM.c.query_id, POOL_ITEM.c.doc_id).where(POOL_ITEM.c.campaign_id == campaign_id)
    if queries is not None:
        query = query.where(POOL_ITEM.c.query_id.in_(queries))
    docs_of_queries: dict[str, list[str]] = {}
    for query_id, doc_id in connection.execute(query.order_by(POOL_ITEM.c.query_id, POOL_ITEM.c.place)):
        docs_of_queries.setdefault(query_id, []).append(doc_id)
    return {query_id: tuple(docs) for query_id, docs in docs_of_queries.items()}


def save_texts(connection: Connection, campaign_id: int, kind: TextKind, texts: Mapping[str, str]) -> int:
    """Keep texts; those that are there already stay. Returns how many are new."""
    stored = load_text_ids(connection, campaign_id, kind)
    rows = [
        {"campaign_id": campaign_id, "kind": kind, "text_id": text_id, "content": text}
        for text_id, text in texts.items()
        if text_id not in stored
    ]
    if rows:
        connection.execute(insert(CAMPAIGN_TEXT), rows)
    return len(rows)


def load_text_ids(connection: Connection, campaign_id: int, kind: TextKind) -> frozenset[str]:
    """Of which queries or documents the text is there."""
    own = (CAMPAIGN_TEXT.c.campaign_id == campaign_id) & (CAMPAIGN_TEXT.c.kind == kind)
    return frozenset(connection.execute(select(CAMPAIGN_TEXT.c.text_id).where(own)).scalars())


def load_texts(connection: Connection, campaign_id: int, kind: TextKind, ids: Iterable[str]) -> dict[str, str]:
    """The texts of some queries or documents, as far as they are there."""
    wanted = sorted(set(ids))
    texts: dict[str, str] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        row = {"campaign": campaign_id, "kind": kind, "ids": wanted[start : start + _AT_ONCE]}
        texts |= {str(text[0]): str(text[1]) for text in connection.execute(_TEXTS, row)}
    return texts


def load_both_texts(
    connection: Connection, campaign_id: int, queries: Iterable[str], docs: Iterable[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The texts of a few queries and documents, as far as they are there, in one statement."""
    row = {"campaign": campaign_id, "queries": sorted(set(queries)), "docs": sorted(set(docs))}
    texts: dict[str, dict[str, str]] = {"query": {}, "document": {}}
    for kind, text_id, content in connection.execute(_BOTH, row):
        texts[kind][text_id] = content
    return texts["query"], texts["document"]


# Made once: every task that is given asks.
_TEXTS: Final = select(CAMPAIGN_TEXT.c.text_id, CAMPAIGN_TEXT.c.content).where(
    CAMPAIGN_TEXT.c.campaign_id == bindparam("campaign", type_=Integer),
    CAMPAIGN_TEXT.c.kind == bindparam("kind", type_=String),
    CAMPAIGN_TEXT.c.text_id.in_(bindparam("ids", type_=Text, expanding=True)),
)
_OWN_TEXTS: Final = select(CAMPAIGN_TEXT.c.kind, CAMPAIGN_TEXT.c.text_id, CAMPAIGN_TEXT.c.content).where(
    CAMPAIGN_TEXT.c.campaign_id == bindparam("campaign", type_=Integer)
)
_BOTH: Final = union_all(
    *(
        _OWN_TEXTS.where(
            CAMPAIGN_TEXT.c.kind == kind, CAMPAIGN_TEXT.c.text_id.in_(bindparam(name, type_=Text, expanding=True))
        )
        for kind, name in (("query", "queries"), ("document", "docs"))
    )
)


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
        raise UsageError(f"{same[0]} is not a test pair; expected a query and two different documents")
    own = KNOWN_PAIR.c.campaign_id == campaign_id
    stored = {known_pair.pair: known_pair for known_pair in many(connection, KnownPair, KNOWN_PAIR, own)}
    new = [pair for pair in dict.fromkeys(pairs) if pair not in stored]
    if new:
        names = ("query_id", "right_doc", "wrong_doc")
        rows = [{"campaign_id": campaign_id, "drawn": drawn, **dict(zip(names, pair, strict=True))} for pair in new]
        connection.execute(insert(KNOWN_PAIR), rows)
    back = [stored[pair].id for pair in dict.fromkeys(pairs) if pair in stored and stored[pair].removed_at is not None]
    if back and not drawn:
        connection.execute(update(KNOWN_PAIR).where(own, KNOWN_PAIR.c.id.in_(back)).values(removed_at=None))
        new += [there_one for there_one in pairs if there_one in stored and stored[there_one].id in back]
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


def load_all_known_pairs(connection: Connection, campaign_id: int) -> tuple[KnownPair, ...]:
    """The test pairs, those that were removed among them, the oldest first."""
    return many(connection, KnownPair, KNOWN_PAIR, KNOWN_PAIR.c.campaign_id == campaign_id)


def load_removed_known_pairs(connection: Connection, campaign_id: int) -> tuple[Pair, ...]:
    """The test pairs that were removed: (query, right answer, wrong answer) of each."""
    columns = KNOWN_PAIR.c.query_id, KNOWN_PAIR.c.right_doc, KNOWN_PAIR.c.wrong_doc
    own = (KNOWN_PAIR.c.campaign_id == campaign_id) & KNOWN_PAIR.c.removed_at.is_not(None)
    return tuple((row[0], row[1], row[2]) for row in connection.execute(select(*columns).where(own)))
