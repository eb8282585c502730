"""The analysis behind the pages of a board: computed once per version, runs and labels, then kept in memory."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakKeyDictionary

from runoff.errors import NotFoundError, UsageError
from runoff.server.cache import ComputingSlots, Kept
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor
from runoff.server.cases.views.analysis import BoardAnalysis, Pair, analyse_board, compare_stored
from runoff.server.cases.views.public import ChartSize, PublicBoard, PublicChart, PublicComparison, Theme
from runoff.server.cases.views.serp_arrays import KIND
from runoff.server.cases.views.stored_board import (
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
from runoff.server.store.scores import load_analysed_runs
from runoff.server.web.rate_limit import Shares
from runoff.tables.board import PUBLIC
from runoff.verdicts import PairEvidence

if TYPE_CHECKING:
    from sqlalchemy import Connection


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


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What can be chosen on a board: open label sets and query sets (newest versions), and teams that are named."""

    labels: tuple[LabelSet, ...]
    queries: tuple[QuerySet, ...]
    teams: tuple[str, ...]


class Analyses:
    """The analyses, drawings and rendered parts that one server keeps."""

    def __init__(self, *, new_views: int) -> None:
        self._shares = Shares(most=new_views)
        self._analyses: Kept[BoardAnalysis] = Kept(most=MOST_ANALYSES, waiting=MOST_WAITING)
        self._comparisons: Kept[PublicComparison | None] = Kept(most=MOST_DUELS, waiting=MOST_WAITING)
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
    ) -> tuple[PublicBoard | None, Offer]:
        """The board that a visitor asks for, and what else can be asked; None where no run fits.

        viewer  who looks: organisers see the scores on all queries, where some are left out for others
        asker   for whom it is counted if some of the runs were never asked for alone
        """
        analysis, offer = self._analysis(site, board, choice, viewer, asker, now)
        return None if analysis is None else analysis.shown, offer

    def answer(
        self, site: Site, board: StoredBoard, choice: Choice, *, viewer: Actor, asker: str, now: datetime
    ) -> bytes | None:
        """The same as the body of the API's answer."""
        analysis, _ = self._analysis(site, board, choice, viewer, asker, now)
        return None if analysis is None else site.answers.get(("board", analysis.shown.key), analysis.answer)

    def _analysis(
        self, site: Site, board: StoredBoard, choice: Choice, viewer: Actor, asker: str, now: datetime
    ) -> tuple[BoardAnalysis | None, Offer]:
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

        def make() -> BoardAnalysis:
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
                runs = {one.run.id for one in chosen}
                return analyse_board(data, board, runs, key=key, kernel=kernel, remember=self._pairs.get)

        return self._analyses.get(key, make), offer

    def comparison(
        self, site: Site, board: StoredBoard, pair: Pair, *, viewer: Actor = ANONYMOUS, asker: str = ""
    ) -> PublicComparison | None:
        """Two runs against each other, with every test; None where one is not scored on these labels yet."""
        kernel = kernel_for(viewer, board, pair.labels)
        key = (board.id, board.version, kernel, *pair.key)

        def make() -> PublicComparison | None:
            self._shares.take(asker, site.now())
            with self._part, site.database.read() as connection:
                return compare_stored(connection, board, pair, kernel=kernel)

        return self._comparisons.get(key, make)

    def drawing(self, key: Hashable, chart: PublicChart, *, theme: Theme, size: ChartSize) -> str:
        """A chart as SVG."""
        return self._pieces.get((key, chart.name, theme, size), chart.pictures[theme, size].to_svg)


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
