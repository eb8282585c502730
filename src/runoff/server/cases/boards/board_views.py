"""The views behind the pages of a board: computed once per version, runs and labels, then cached in memory."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from runoff.errors import NotFoundError, UsageError
from runoff.server.cache import ComputingSlots, Kept, RateLimit
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor, require
from runoff.server.cases.boards.private_audit import audit_stored_board
from runoff.server.cases.runs.jobs import NEAR_DUPLICATES
from runoff.server.cases.views.analysis import BoardAnalysis, Pair, analyse_board, compare_stored
from runoff.server.cases.views.public import ChartSize, PublicAudit, PublicBoard, PublicChart, PublicComparison, Theme
from runoff.server.cases.views.stored_board import (
    VisibleRun,
    condition_for,
    is_protected,
    load_board_data,
    load_visible_runs,
    newest,
    shown_labels,
)
from runoff.server.store.boards import StoredBoard, load_board_stamp
from runoff.server.store.database import Database
from runoff.server.store.jobs import load_jobs
from runoff.server.store.label_sets import LabelSet, QuerySet, load_label_sets, load_query_sets
from runoff.server.store.scores import ScoreCondition, load_analysed_runs
from runoff.tables.board import PUBLIC
from runoff.verdicts import PairEvidence

if TYPE_CHECKING:
    from sqlalchemy import Connection


MOST_ANALYSES: Final = 24
MOST_COMPARISONS: Final = 100
MOST_AUDITS: Final = 8
MOST_PIECES: Final = 400
MOST_ANSWERS: Final = 64
"""Analyses, comparisons, audits, drawings and rendered parts of pages, and answers of the API, that a server caches."""
MOST_ARRAYS: Final = 1000
MOST_PAIRS: Final = 5000
HEAVIEST: Final = 256_000_000
"""Arrays of runs and results of pairs that it keeps, so that a new run costs only its own pairs; about this many bytes
of each at most."""
PAIR_BYTES: Final = 64
"""Of a comparison, per query."""
MOST_WAITING: Final = 40
WHOLE_QUEUE: Final = 12
PART_QUEUE: Final = 4
"""Requests that may wait: for something that another request computes, to compute a whole board, and to compute a part
of one or a pair. There are as many parts as filters, so whoever asks for one when four wait is asked to come back."""
Kind = TypeVar("Kind", bound=QuerySet)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a visitor asks of a board: labels and queries by name, the runs by team and date, or one per team."""

    labels: str = ""
    queries: str = ""
    team: str = ""
    since: date | None = None
    until: date | None = None
    entries: bool = False

    def takes(self, visible: VisibleRun) -> bool:
        """Whether a run is among those that are asked for."""
        day = visible.run.submitted_at.date()
        in_time = (self.since is None or day >= self.since) and (self.until is None or day <= self.until)
        return in_time and (not self.team or visible.team == self.team) and (visible.is_entry or not self.entries)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What can be chosen on a board: open label sets and query sets (newest versions), and teams that are named.

    has_sealed  whether there are sealed labels or queries too
    """

    labels: tuple[LabelSet, ...]
    queries: tuple[QuerySet, ...]
    teams: tuple[str, ...]
    has_sealed: bool = False


@dataclass(frozen=True, kw_only=True)
class AskedView:
    """What a visitor asks of a board, as it was read in one transaction: which runs on which labels and queries.

    visible    the runs that everybody may see
    computed   those of them that are scored on the labels and queries
    labels, queries, condition  None where the board has no open labels or queries yet
    is_protected                whether labels are hidden from the visitor
    """

    board: StoredBoard
    choice: Choice
    offer: Offer
    visible: tuple[VisibleRun, ...]
    computed: tuple[VisibleRun, ...] = ()
    labels: LabelSet | None = None
    queries: QuerySet | None = None
    condition: ScoreCondition | None = None
    is_protected: bool = True


def load_asked_view(
    connection: Connection, board: StoredBoard, choice: Choice, *, viewer: Actor = ANONYMOUS, now: datetime
) -> AskedView:
    """Read what a visitor asks of a board.

    viewer  organisers see the scores on all queries, where some are left out for others
    """
    # Runs that others may not see yet are not on the board, whoever looks.
    visible = load_visible_runs(connection, board, now=now)
    offer = load_offer(connection, board, visible)
    if not (offer.labels and offer.queries):
        return AskedView(board=board, choice=choice, offer=offer, visible=visible)
    labels, queries = chosen_sets(offer, choice)
    condition = condition_for(viewer, board, labels, queries)
    done = load_analysed_runs(connection, condition)
    return AskedView(
        board=board,
        choice=choice,
        offer=offer,
        visible=visible,
        computed=tuple(visible_run for visible_run in visible if visible_run.run.id in done),
        labels=labels,
        queries=queries,
        condition=condition,
        is_protected=is_protected(viewer, board, queries),
    )


class BoardViews:
    """The analyses, comparisons, audits, drawings and rendered parts of pages that one server caches."""

    def __init__(self, database: Database, *, new_views: int) -> None:
        self._database = database
        self._limit = RateLimit(most=new_views)
        self._analyses: Kept[BoardAnalysis] = Kept(most=MOST_ANALYSES, waiting=MOST_WAITING)
        self._comparisons: Kept[PublicComparison | None] = Kept(most=MOST_COMPARISONS, waiting=MOST_WAITING)
        self._audits: Kept[PublicAudit | None] = Kept(most=MOST_AUDITS)
        self._arrays: Kept[Any] = Kept(most=MOST_ARRAYS, weigh=lambda entry: 2 * entry[0].nbytes, heaviest=HEAVIEST)
        self._pairs: Kept[Any] = Kept(most=MOST_PAIRS, weigh=_pair_bytes, heaviest=HEAVIEST)
        # One at a time: threads that compute share one interpreter, two would take twice as long each.
        self._whole = ComputingSlots(at_once=1, waiting=WHOLE_QUEUE)
        self._part = ComputingSlots(at_once=1, waiting=PART_QUEUE)
        self._pieces: Kept[str] = Kept(most=MOST_PIECES)
        self.pieces = self._pieces.get
        self._answers: Kept[bytes] = Kept(most=MOST_ANSWERS)
        self.answers = self._answers.get

    def of(self, asked: AskedView, *, asker: str = "", now: datetime) -> PublicBoard | None:
        """The board that a visitor asks for; None where no run fits.

        asker  for whom it is counted if some of the runs were never asked for alone
        """
        analysis = self._analysis(asked, asker, now)
        return None if analysis is None else analysis.shown

    def answer(self, asked: AskedView, *, asker: str, now: datetime) -> bytes | None:
        """The same as the body of the API's answer."""
        analysis = self._analysis(asked, asker, now)
        return None if analysis is None else self.answers(("board", analysis.shown.key), analysis.answer)

    def _analysis(self, asked: AskedView, asker: str, now: datetime) -> BoardAnalysis | None:
        board, labels, queries, condition = asked.board, asked.labels, asked.queries, asked.condition
        chosen = tuple(run for run in asked.computed if asked.choice.takes(run))
        if labels is None or queries is None or condition is None or not chosen:
            return None
        # Of hidden labels the whole board is computed whatever the filters: a decision about each choice of runs would
        # be another number that is made from the labels.
        compared = asked.computed if asked.is_protected else chosen
        runs = tuple((visible.run.id, visible.name, visible.team, visible.is_chosen) for visible in compared)
        key = (board.id, board.version, condition, asked.is_protected, runs)
        is_whole = len(compared) == len(asked.computed)

        def make() -> BoardAnalysis:
            # A whole board is free, and so is what is refused or fails.
            with self._limit.charge("" if is_whole else asker, now), self._whole if is_whole else self._part:
                with self._database.read() as connection:
                    data = load_board_data(
                        connection,
                        board,
                        query_set=queries.name,
                        label_set=labels.name,
                        condition=condition,
                        now=now,
                        remember=self._arrays.get,
                    )
                ids = {visible.run.id for visible in compared}
                return analyse_board(
                    data,
                    board,
                    ids,
                    key=key,
                    condition=condition,
                    remember=self._pairs.get,
                    protected=asked.is_protected,
                )

        analysis = self._analyses.get(key, make)
        if len(compared) == len(chosen):
            return analysis
        listed = frozenset(visible.name for visible in chosen)
        return replace(analysis, shown=replace(analysis.shown, listed=listed, key=(key, listed)))

    def comparison(
        self, board: StoredBoard, pair: Pair, *, viewer: Actor = ANONYMOUS, asker: str = "", now: datetime
    ) -> PublicComparison | None:
        """Two runs against each other, with every test; None where one is not scored on these labels yet."""
        condition = condition_for(viewer, board, pair.labels, pair.queries)
        protected = is_protected(viewer, board, pair.queries)
        key = (board.id, board.version, condition, protected, *pair.key)

        def make() -> PublicComparison | None:
            with self._limit.charge(asker, now), self._part, self._database.read() as connection:
                return compare_stored(connection, board, pair, condition=condition, protected=protected)

        return self._comparisons.get(key, make)

    def audit(
        self, connection: Connection, board: StoredBoard, *, actor: Actor, now: datetime
    ) -> tuple[Hashable, PublicAudit | None]:
        """The audit of a board for an organiser, None while nothing is scored, and the key under which it is cached.

        Read and computed in the caller's transaction, so that a page shows the audit of the moment that it is of.
        """
        require(actor, "manage board")
        stamp = load_board_stamp(connection, board.slug, now)
        jobs = load_jobs(connection, kinds=(NEAR_DUPLICATES,), states=("done",), most=1)
        key = ("audit", stamp, tuple(job.id for job in jobs))
        return key, self._audits.get(key, lambda: audit_stored_board(connection, board, actor=actor, now=now))

    def drawing(self, key: Hashable, chart: PublicChart, *, theme: Theme, size: ChartSize) -> str:
        """A chart as SVG."""
        return self._pieces.get((key, chart.name, theme, size), chart.pictures[theme, size].to_svg)


def _pair_bytes(evidence: object) -> int:
    return PAIR_BYTES * evidence.queries if isinstance(evidence, PairEvidence) else 0


def load_offer(connection: Connection, board: StoredBoard, seen: tuple[VisibleRun, ...]) -> Offer:
    """What can be chosen on a board."""
    all_labels, all_queries = load_label_sets(connection, board.id), load_query_sets(connection, board.id)
    labels, queries = shown_labels(all_labels).values(), newest(all_queries).values()
    return Offer(
        labels=tuple(label_set for label_set in labels if not label_set.sealed),
        queries=tuple(query_set for query_set in queries if not query_set.sealed),
        teams=tuple(sorted({run.team for run in seen if run.team})),
        has_sealed=any(version.sealed for version in (*all_labels, *all_queries)),
    )


def chosen_sets(offer: Offer, choice: Choice) -> tuple[LabelSet, QuerySet]:
    """The labels and queries that a visitor asks for: without a choice the first labels, and the public queries."""
    if not (offer.labels and offer.queries):
        raise NotFoundError("the board has no open labels and queries yet; an organiser has to add them")
    labels = _named(offer.labels, choice.labels, None, "label set")
    return labels, _named(offer.queries, choice.queries, PUBLIC, "query set")


def _named(offered: tuple[Kind, ...], name: str, usual: str | None, what: str) -> Kind:
    by_name = {version.name: version for version in offered}
    if not name:
        return by_name.get(usual or "", offered[0])
    if name not in by_name:
        raise UsageError(f"no open {what} is called {name[:60]!r}; expected one of {', '.join(by_name)}; choose one")
    return by_name[name]
