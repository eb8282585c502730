"""The release rule of a board: whether the scores of a run are shown, decided once, in the order of submission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runoff.boards.submissions import ladder
from runoff.server.cases.views.serp_arrays import KIND, kernel_of, measure_of, under
from runoff.server.store.boards import StoredBoard
from runoff.server.store.label_sets import LabelSet, QuerySet
from runoff.server.store.scores import ScoreKey, load_analysis
from runoff.server.store.submissions import StoredRun
from runoff.tables.scores import Scores

if TYPE_CHECKING:
    from sqlalchemy import Connection


def is_shown(
    connection: Connection,
    board: StoredBoard,
    run: StoredRun,
    before: Sequence[StoredRun],
    labels: LabelSet,
    queries: QuerySet,
) -> bool:
    """Whether a run beats the best shown run of its team by more than noise; the first run of a team is shown.

    before  the runs of the board that were decided earlier

    Scores are those that the public sees, so a share of the queries that is left out says nothing here either.
    """
    kernel, low = kernel_of(under(board, labels)), measure_of(board).best == "low"

    def values(one: StoredRun) -> Any:
        condition = ScoreKey(run_id=one.id, label_set_id=labels.id, query_set_id=queries.id, kernel=kernel)
        table: Any = load_analysis(connection, condition, KIND)
        return None if table is None else table["value"]

    own = [one for one in before if one.team_id == run.team_id and not one.held and not one.baseline]
    shown = [found for found in map(values, own) if found is not None]
    new = values(run)
    if not shown or new is None:
        return True
    best = (min if low else max)(shown, key=np.nanmean)
    table = np.nan_to_num(np.column_stack([best, new]))
    ids = tuple(str(place) for place in range(len(table)))
    scores = Scores(measure=board.measure, query_ids=ids, runs=("best", "new"), values=table)
    return ladder(scores, scores.runs, best_is_low=low)[-1].moved
