"""The analysis of a stored board and of two of its runs: computed from stored arrays, handed out as public results."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.errors import NotFoundError
from runoff.results.board import BoardResult
from runoff.server.cases.views.public import (
    PublicBoard,
    PublicComparison,
    api_answer,
    protected_answer,
    public_board,
    public_comparison,
)
from runoff.server.cases.views.serp_arrays import (
    measure_of,
    query_ids_of,
    question_of,
    under,
    unpack_serps,
)
from runoff.server.cases.views.stored_board import StoredBoardData, VisibleRun
from runoff.server.store.scores import ScoreCondition, load_analysis
from runoff.tables.scores import Scores
from runoff.verbs._comparing import judged, numbers_of_scores, whole_numbers_of
from runoff.verbs._pair_memory import PairMemory, Remember
from runoff.verbs.board import BoardOptions, board_of, with_claims
from runoff.verdicts import Policy

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from runoff.server.store.boards import StoredBoard
    from runoff.server.store.label_sets import LabelSet, QuerySet


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
        runs = ((visible.run.id, visible.name) for visible in (self.champion, self.challenger))
        return self.labels.id, self.queries.id, *runs


@dataclass(frozen=True, eq=False)
class BoardAnalysis:
    """A computed board: `shown` is what its page gets. The result itself stays here."""

    shown: PublicBoard
    _result: BoardResult

    def answer(self) -> bytes:
        """The body of the API's answer; it holds claims that no page shows, which take longest to compute."""
        if self.shown.is_protected:
            return protected_answer(self.shown)
        return api_answer(with_claims(self._result).to_dict(), self.shown.board.digits)


def analyse_board(
    data: StoredBoardData,
    board: StoredBoard,
    runs: set[int],
    *,
    key: Hashable,
    condition: ScoreCondition,
    remember: Remember,
    protected: bool,
) -> BoardAnalysis:
    """Analyse some runs of a board.

    runs      numbers of the runs
    key       everything that the result depends on
    remember  keeps the comparisons of pairs for the next time
    protected whether labels are hidden from whoever asks
    """
    data = _part(data, runs)
    sets = (board.id, board.version, condition)
    identities = {visible.name: (*sets, visible.run.id, visible.name) for visible in data.visible}
    # Without the claims, which the API alone shows: they take three times as long as the board itself.
    # Means that look the same tie on hidden labels: their order would be a bit of a label.
    ties = board.digits if protected else None
    options = BoardOptions(claims=False, detail="lists", unjudged=False, tie_digits=ties)
    result = board_of(data, memory=PairMemory(remember=remember, identities=identities), options=options)
    return BoardAnalysis(public_board(result, data, board=board, key=key, protected=protected), result)


def _part(data: StoredBoardData, runs: set[int]) -> StoredBoardData:
    """The same board with some of its runs."""
    places = [place for place, visible in enumerate(data.visible) if visible.run.id in runs]
    if not places:
        raise NotFoundError("none of these runs is scored any more; load the page again")
    if len(places) == len(data.visible):
        return data
    return replace(
        data,
        runs=tuple(data.runs[place] for place in places),
        scores=data.scores.of_runs([data.scores.runs[place] for place in places]),
        serps=None if data.serps is None else tuple(data.serps[place] for place in places),
        visible=tuple(data.visible[place] for place in places),
    )


def compare_stored(
    connection: Connection, board: StoredBoard, pair: Pair, *, condition: ScoreCondition, protected: bool
) -> PublicComparison | None:
    """Two runs against each other, with every test; None where one is not scored on these labels yet."""
    runs = pair.champion, pair.challenger
    tables: list[Any] = [load_analysis(connection, condition, visible.run.id) for visible in runs]
    if any(table is None for table in tables):
        return None
    first, second = (unpack_serps(table, visible.name) for table, visible in zip(tables, runs, strict=True))
    board = under(board, pair.labels)
    options, policy = question_of(board), Policy.of(board)
    if first is not None and second is not None:
        numbers = whole_numbers_of(first, second, options, policy)
    else:
        names = pair.champion.name, pair.challenger.name
        values = np.column_stack([table["value"] for table in tables])
        scores = Scores(measure=str(measure_of(board)), query_ids=query_ids_of(tables[0]), runs=names, values=values)
        numbers = numbers_of_scores([scores], *names, options, policy)
    return public_comparison(judged([numbers], policy)[0], digits=board.digits, protected=protected)
