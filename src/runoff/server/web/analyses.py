"""The analysis behind the pages of a board: computed once per version, runs and labels, then kept in memory."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from runoff.errors import NotFoundError, UsageError
from runoff.results.board import BoardResult
from runoff.results.comparison import Comparison
from runoff.server.cache import ComputingSlots, Kept
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from runoff.server.cases.views.public_comparison import for_public
from runoff.server.cases.views.serp_arrays import (
    KIND,
    measure_of,
    query_ids_of,
    question_of,
    under,
    unpack_serps,
)
from runoff.server.cases.views.stored_board import (
    StoredBoardData,
    VisibleRun,
    kernel_for,
    load_board_data,
    load_visible_runs,
    newest,
    shown_labels,
)
from runoff.server.site import Site
from runoff.server.store.boards import StoredBoard
from runoff.server.store.label_sets import LabelSet, QuerySet, load_label_sets, load_query_sets
from runoff.server.store.scores import ScoreKey, load_analysed_runs, load_analysis
from runoff.server.web.rate_limit import Shares
from runoff.tables.board import PUBLIC
from runoff.tables.scores import Scores
from runoff.verbs._comparing import judged, numbers_of_scores, whole_numbers_of
from runoff.verbs._pair_memory import PairMemory
from runoff.verbs.board import board_of
from runoff.verdicts import PairEvidence, Policy

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.display.charts import Chart

MOST_ANALYSES: Final = 24
MOST_DUELS: Final = 100
MOST_PIECES: Final = 400
"""Analyses, comparisons, and drawings and rendered parts of pages, that a server keeps."""
MOST_ARRAYS: Final = 1000
MOST_PAIRS: Final = 5000
HEAVIEST: Final = 256_000_000
"""Arrays of runs and results of pairs that it keeps, so that a new run costs only its own pairs; about so many bytes of
each at most."""
PAIR_BYTES: Final = 64
"""Of a comparison, per query."""
MOST_WAITING: Final = 40
WHOLE_QUEUE: Final = 12
PART_QUEUE: Final = 4
"""Requests that may wait: for something that another request computes, to compute a whole board, and to compute a part
of one or a pair. There are as many parts as filters, so whoever asks for one when four wait is asked to come back."""
Kind = TypeVar("Kind", bound=QuerySet)
Theme = Literal["light", "dark"]
ChartSize = Literal["page", "phone"]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a visitor asks of a board: labels and queries by name, the runs by team and date, or one per team."""

    labels: str = ""
    queries: str = ""
    team: str = ""
    since: date | None = None
    until: date | None = None
    entries: bool = False

    def takes(self, one: VisibleRun) -> bool:
        """Whether a run is among those that are asked for."""
        day = one.run.submitted_at.date()
        in_time = (self.since is None or day >= self.since) and (self.until is None or day <= self.until)
        return in_time and (not self.team or one.team == self.team) and (one.is_entry or not self.entries)


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """A board as it was computed; `key` holds everything that it depends on, `charts` are those that its page shows."""

    key: Hashable
    board: StoredBoard
    kernel: str
    data: StoredBoardData
    result: BoardResult
    charts: dict[str, Chart] = field(repr=False)

    @cached_property
    def _by_name(self) -> dict[str, VisibleRun]:
        return dict(zip(self.data.scores.runs, self.data.visible, strict=True))

    def run_of(self, name: str) -> VisibleRun:
        """The stored run behind a name on the board."""
        return self._by_name[name]


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What can be chosen on a board: open label sets and query sets (newest versions), and teams that are named."""

    labels: tuple[LabelSet, ...]
    queries: tuple[QuerySet, ...]
    teams: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two runs, and the labels and queries on which they are compared."""

    champion: VisibleRun
    challenger: VisibleRun
    labels: LabelSet
    queries: QuerySet

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Everything that the comparison depends on beside the board's version."""
        runs = ((one.run.id, one.name) for one in (self.champion, self.challenger))
        return self.labels.id, self.queries.id, *runs


class Analyses:
    """The analyses, drawings and rendered parts that one server keeps."""

    def __init__(self, *, new_views: int) -> None:
        self._shares = Shares(most=new_views)
        self._analyses: Kept[Analysis] = Kept(most=MOST_ANALYSES, waiting=MOST_WAITING)
        self._comparisons: Kept[Comparison | None] = Kept(most=MOST_DUELS, waiting=MOST_WAITING)
        self._arrays: Kept[Any] = Kept(most=MOST_ARRAYS, weigh=lambda found: 2 * found[0].nbytes, heaviest=HEAVIEST)
        self._pairs: Kept[Any] = Kept(most=MOST_PAIRS, weigh=_pair_bytes, heaviest=HEAVIEST)
        # One at a time: threads that compute share one interpreter, two would take twice as long each.
        self._whole = ComputingSlots(at_once=1, waiting=WHOLE_QUEUE)
        self._part = ComputingSlots(at_once=1, waiting=PART_QUEUE)
        self._pieces: Kept[str] = Kept(most=MOST_PIECES)
        self.pieces = self._pieces.get

    def of(
        self,
        site: Site,
        board: StoredBoard,
        choice: Choice,
        *,
        viewer: Actor = ANONYMOUS,
        asker: str = "",
        now: datetime,
    ) -> tuple[Analysis | None, Offer]:
        """The analysis that a visitor asks for, and what else can be asked; None where no run fits.

        viewer  who looks: organisers see the scores on all queries, where some are left out for others
        asker   for whom it is counted if some of the runs were never asked for alone
        """
        with site.database.read() as connection:
            # Runs that others may not see yet are not on the board, whoever looks.
            seen = load_visible_runs(connection, board, now=now)
            offer = load_offer(connection, board, seen)
            if not (offer.labels and offer.queries):
                return None, offer
            labels, queries = chosen_sets(offer, choice)
            kernel = kernel_for(viewer, board, labels)
            done = load_analysed_runs(connection, KIND, label_set_id=labels.id, query_set_id=queries.id, kernel=kernel)
        chosen = tuple(one for one in seen if one.run.id in done and choice.takes(one))
        if not chosen:
            return None, offer
        key = (
            board.id, board.version, kernel, labels.id, queries.id,
            tuple((one.run.id, one.name, one.team, one.is_chosen) for one in chosen),
        )  # fmt: skip

        is_whole = len(chosen) == sum(one.run.id in done for one in seen)

        def make() -> Analysis:
            if not is_whole:
                self._shares.take(asker, now)
            with self._whole if is_whole else self._part:
                with site.database.read() as connection:
                    data = load_board_data(
                        connection,
                        board,
                        query_set=queries.name,
                        label_set=labels.name,
                        kernel=kernel,
                        now=now,
                        remember=self._arrays.get,
                    )
                return self._computed(key, board, kernel, _part(data, {one.run.id for one in chosen}))

        return self._analyses.get(key, make), offer

    def comparison(
        self, site: Site, board: StoredBoard, pair: Pair, *, viewer: Actor = ANONYMOUS, asker: str = ""
    ) -> Comparison | None:
        """Two runs against each other, with every test; None where one is not scored on these labels yet."""
        kernel = kernel_for(viewer, board, pair.labels)
        key = (board.id, board.version, kernel, *pair.key)

        def make() -> Comparison | None:
            self._shares.take(asker, site.now())
            with self._part:
                return _comparison(site, board, pair, kernel)

        return self._comparisons.get(key, make)

    def drawing(self, key: Hashable, chart: Chart, *, theme: Theme, size: ChartSize) -> str:
        """A chart as SVG."""
        styled = chart.in_style(dark=theme == "dark", size=size)
        return self._pieces.get((key, chart.name, theme, size), styled.to_svg)

    def _computed(self, key: Hashable, board: StoredBoard, kernel: str, data: StoredBoardData) -> Analysis:
        sets = (board.id, board.version, kernel, data.labels.id, data.queries.id)
        memory = PairMemory(
            remember=self._pairs.get, identities={one.name: (*sets, one.run.id, one.name) for one in data.visible}
        )
        result = board_of(data, memory=memory)
        # Not all charts: some need who could be best, which takes three times as long as the board itself.
        charts = {chart.name: chart.with_digits(board.digits) for chart in result.rank_charts()}
        return Analysis(key=key, board=board, kernel=kernel, data=data, result=result, charts=charts)


_OF_SITES: WeakKeyDictionary[Site, Analyses] = WeakKeyDictionary()


def analyses_of(site: Site) -> Analyses:
    """What a server keeps; gone with it."""
    if site not in _OF_SITES:
        _OF_SITES.setdefault(site, Analyses(new_views=site.settings.new_views))
    return _OF_SITES[site]


def _pair_bytes(found: object) -> int:
    return PAIR_BYTES * found.queries if isinstance(found, PairEvidence) else 0


def load_offer(connection: Connection, board: StoredBoard, seen: tuple[VisibleRun, ...]) -> Offer:
    """What can be chosen on a board."""
    labels = shown_labels(load_label_sets(connection, board.id)).values()
    queries = newest(load_query_sets(connection, board.id)).values()
    return Offer(
        labels=tuple(one for one in labels if not one.sealed),
        queries=tuple(one for one in queries if not one.sealed),
        teams=tuple(sorted({one.team for one in seen if one.team})),
    )


def chosen_sets(offer: Offer, choice: Choice) -> tuple[LabelSet, QuerySet]:
    """The labels and queries that a visitor asks for: without a choice the first labels, and the public queries."""
    if not (offer.labels and offer.queries):
        raise NotFoundError("the board has no open labels and queries yet; an organiser has to add them")
    labels = _named(offer.labels, choice.labels, None, "label set")
    return labels, _named(offer.queries, choice.queries, PUBLIC, "query set")


def _named(offered: tuple[Kind, ...], name: str, usual: str | None, what: str) -> Kind:
    by_name = {one.name: one for one in offered}
    if not name:
        return by_name.get(usual or "", offered[0])
    if name not in by_name:
        raise UsageError(f"no open {what} is called {name[:60]!r}; expected one of {', '.join(by_name)}; choose one")
    return by_name[name]


def _part(data: StoredBoardData, wanted: set[int]) -> StoredBoardData:
    """The same board with some of its runs."""
    places = [place for place, one in enumerate(data.visible) if one.run.id in wanted]
    if not places:
        raise NotFoundError("none of these runs is scored any more; load the page again")
    if len(places) == len(data.visible):
        return data
    scores = data.scores
    return replace(
        data,
        runs=tuple(data.runs[place] for place in places),
        scores=Scores(
            measure=scores.measure,
            query_ids=scores.query_ids,
            runs=tuple(scores.runs[place] for place in places),
            values=np.ascontiguousarray(scores.values[:, places]),
        ),
        serps=None if data.serps is None else tuple(data.serps[place] for place in places),
        visible=tuple(data.visible[place] for place in places),
    )


def _comparison(site: Site, board: StoredBoard, pair: Pair, kernel: str) -> Comparison | None:
    """The arrays of two runs from the store, compared."""
    sets = {"label_set_id": pair.labels.id, "query_set_id": pair.queries.id, "kernel": kernel}
    runs = pair.champion, pair.challenger
    with site.database.read() as connection:
        tables: list[Any] = [
            load_analysis(connection, ScoreKey(run_id=one.run.id, **sets), KIND)  # type: ignore[arg-type]
            for one in runs
        ]
    if any(table is None for table in tables):
        return None
    first, second = (unpack_serps(table, one.name) for table, one in zip(tables, runs, strict=True))
    board = under(board, pair.labels)
    question, policy = question_of(board), Policy.of(board)
    if first is not None and second is not None:
        return for_public(judged([whole_numbers_of(first, second, question, policy)], policy)[0], kernel)
    names = pair.champion.name, pair.challenger.name
    values = np.column_stack([table["value"] for table in tables])
    ids = query_ids_of(tables[0])
    scores = Scores(measure=str(measure_of(board)), query_ids=ids, runs=names, values=values)
    return for_public(judged([numbers_of_scores(scores, *names, question, policy)], policy)[0], kernel)
