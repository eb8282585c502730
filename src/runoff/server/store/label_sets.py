"""Label sets and query sets of a board, in versions, and which labels a campaign made."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, Table, func, insert, select

from runoff.errors import NotFoundError, UsageError
from runoff.server.store._rows import add, many, note, one, values
from runoff.server.store.models.boards import LABEL_SET, LABEL_USE, QUERY_SET
from runoff.server.store.models.campaigns import CAMPAIGN_LABEL
from runoff.server.store.names import clean_name


@dataclass(frozen=True, kw_only=True)
class QuerySet:
    """A list of queries; a sealed one has no content hash, because a hash could be guessed by trial."""

    id: int
    board_id: int
    name: str
    version: int
    sealed: bool
    content_hash: str | None
    queries: int
    note: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class LabelSet(QuerySet):
    """One version of the qrels.

    judged           how many documents are judged
    relevance_level  the lowest grade that counts as relevant; None for that of the board
    use              of the versions of a name, the one with the highest number is in use; 0: never taken into use
    """

    judged: int
    relevance_level: int | None = None
    use: int = 0


@dataclass(frozen=True, kw_only=True)
class NewVersion:
    """A version to be made; without a content hash it is sealed, and `store.sealed` keeps its content.

    relevance_level  of labels; None for that of the board
    """

    board_id: int
    name: str
    queries: int
    content_hash: str | None
    note: str = ""
    relevance_level: int | None = None


def save_query_set(connection: Connection, new: NewVersion, *, actor: int | None, now: datetime) -> QuerySet:
    """Add the next version of a query set."""
    number = _save(connection, QUERY_SET, new, actor=actor, now=now)
    return load_query_set(connection, number)


def save_label_set(
    connection: Connection, new: NewVersion, *, judged: int, actor: int | None, now: datetime, in_use: bool = True
) -> LabelSet:
    """Add the next version of a label set; it is in use at once, or when `save_label_use` says so."""
    number = _save(connection, LABEL_SET, new, actor=actor, now=now, judged=judged, relevance_level=new.relevance_level)
    if in_use:
        connection.execute(insert(LABEL_USE).values(label_set_id=number, since=now))
    return load_label_set(connection, number)


def save_label_use(connection: Connection, label_set_id: int, *, actor: int | None, now: datetime) -> LabelSet:
    """Take a version into use, a new one or an old one again."""
    labels = load_label_set(connection, label_set_id)
    connection.execute(insert(LABEL_USE).values(label_set_id=label_set_id, since=now))
    note(
        connection, "use", LABEL_SET.name, label_set_id, actor=actor, now=now, name=labels.name, version=labels.version
    )
    return load_label_set(connection, label_set_id)


def load_query_set(connection: Connection, query_set_id: int) -> QuerySet:
    """The query set of a number."""
    return one(connection, QuerySet, QUERY_SET, QUERY_SET.c.id == query_set_id, what=f"query set {query_set_id}")


def load_label_set(connection: Connection, label_set_id: int) -> LabelSet:
    """The label set of a number."""
    versions = load_label_sets(connection, label_set_id=label_set_id)
    if not versions:
        raise NotFoundError(f"there is no label set {label_set_id}")
    return versions[0]


def load_query_sets(connection: Connection, board_id: int) -> tuple[QuerySet, ...]:
    """All versions of all query sets of a board, the oldest first."""
    return many(connection, QuerySet, QUERY_SET, QUERY_SET.c.board_id == board_id)


def load_label_sets(
    connection: Connection, board_id: int | None = None, *, label_set_id: int | None = None
) -> tuple[LabelSet, ...]:
    """All versions of all label sets of a board, the oldest first, or the one of a number."""
    where = LABEL_SET.c.board_id == board_id if label_set_id is None else LABEL_SET.c.id == label_set_id
    use = func.coalesce(func.max(LABEL_USE.c.id), 0).label("use")
    joined = LABEL_SET.outerjoin(LABEL_USE, LABEL_USE.c.label_set_id == LABEL_SET.c.id)
    query = select(*LABEL_SET.c, use).select_from(joined).where(where).group_by(LABEL_SET.c.id)
    return values(connection.execute(query.order_by(LABEL_SET.c.id)), LabelSet)


def _save(
    connection: Connection, table: Table, new: NewVersion, *, actor: int | None, now: datetime, **more: int | None
) -> int:
    if new.queries < 1:
        raise UsageError(f"{new.name!r} has no queries; expected one or more")
    name = clean_name(new.name)
    same = (table.c.board_id == new.board_id) & (table.c.name == name)
    version = int(connection.execute(select(func.coalesce(func.max(table.c.version), 0)).where(same)).scalar_one()) + 1
    number = add(
        connection,
        table,
        f"version {version} of {name!r} was just added by somebody else; try again",
        board_id=new.board_id,
        name=name,
        version=version,
        sealed=new.content_hash is None,
        content_hash=new.content_hash,
        queries=new.queries,
        note=new.note,
        created_at=now,
        **more,
    )
    note(connection, "create", table.name, number, actor=actor, now=now, name=name, version=version)
    return number


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
