"""The verdict on each run against the record of its day, decided once, in the order of submission."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runoff.boards.history import history
from runoff.errors import NotFoundError, UsageError
from runoff.results.comparison import Comparison
from runoff.server.cases.views.release import is_shown
from runoff.server.cases.views.serp_arrays import (
    KIND,
    kernel_of,
    measure_of,
    question_of,
    under,
    unpack_serps,
)
from runoff.server.cases.views.stored_board import open_sets
from runoff.server.store.boards import StoredBoard
from runoff.server.store.jobs import load_jobs
from runoff.server.store.label_sets import LabelSet, QuerySet
from runoff.server.store.scores import (
    ScoreKey,
    StoredVerdict,
    load_analysis,
    load_scores,
    load_verdicts,
    save_verdict,
)
from runoff.server.store.submissions import StoredRun, load_runs, save_run_shown
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores
from runoff.verbs._comparing import judged, numbers_of_scores, quick_comparisons
from runoff.verdicts import Policy

if TYPE_CHECKING:
    from sqlalchemy import Connection

RESCORE: Final = "rescore"
"""The kind of a job that scores a run anew, because settings or labels have changed."""
FIRST: Final = "This is the first run of the board; there is no record to compare it with."
NOT_COMPARED: Final = "It could not be compared with {}: the scores per query of one of the two are missing."


def save_due_verdicts(connection: Connection, board: StoredBoard, *, now: datetime) -> int:
    """Decide on every scored run that has no verdict and no undecided run before it; return how many.

    To be called with the board's row locked, at the end of each scoring: whichever run is finished last lets those
    behind it be decided, so the order in which workers finish changes nothing.
    """
    try:
        labels, queries = open_sets(connection, board)
    except (NotFoundError, UsageError):
        return 0
    decided = {one.run_id for one in load_verdicts(connection, board.id)}
    late = _waiting(connection, board, labels, queries)
    before: list[StoredRun] = []
    count = 0
    for run in load_runs(connection, board.id):
        if run.state in ("queued", "scoring") or run.id in late:
            break
        if run.state == "rejected":
            continue
        if run.id not in decided and not run.baseline:
            save_verdict(connection, _verdict(connection, board, run, before, labels, queries, now))
            count += 1
            if run.held and is_shown(connection, board, run, before, labels, queries):
                save_run_shown(connection, run.id, now=now)
                run = replace(run, held=False)  # noqa: PLW2901  # the next run is compared with it
        before.append(run)
    return count


def _waiting(connection: Connection, board: StoredBoard, labels: LabelSet, queries: QuerySet) -> set[int]:
    """Runs without a mean under these settings and labels that are still to be scored: the record may be theirs."""
    means = _means(connection, board, labels, queries)
    due = load_jobs(connection, kinds=(RESCORE,), states=("queued", "running"))
    return {int(job.payload["run_id"]) for job in due} - set(means)


def _means(connection: Connection, board: StoredBoard, labels: LabelSet, queries: QuerySet) -> dict[int, float]:
    same = (labels.id, queries.id, kernel_of(under(board, labels)))
    return {
        score.run_id: score.mean
        for score in load_scores(connection, board.id)
        if (score.label_set_id, score.query_set_id, score.kernel) == same
    }


def _verdict(
    connection: Connection,
    board: StoredBoard,
    run: StoredRun,
    before: list[StoredRun],
    labels: LabelSet,
    queries: QuerySet,
    now: datetime,
) -> StoredVerdict:
    champion = _record(connection, board, [one for one in before if one.is_published(now)], labels, queries)
    comparison = None if champion is None else _comparison(connection, board, champion, run, labels, queries)
    return StoredVerdict(
        run_id=run.id,
        label_set_id=labels.id,
        query_set_id=queries.id,
        kernel=kernel_of(under(board, labels)),
        champion_id=None if champion is None else champion.id,
        strict=None if comparison is None else comparison.verdict.strict,
        do_no_harm=None if comparison is None else comparison.verdict.do_no_harm,
        sentence=_sentence(champion, comparison),
        policy=asdict(Policy.of(board)) | ({} if comparison is None else _facts(comparison)),
        decided_at=now,
    )


def _sentence(champion: StoredRun | None, comparison: Comparison | None) -> str:
    if champion is None:
        return FIRST
    return NOT_COMPARED.format(champion.name) if comparison is None else comparison.verdict.sentence


def _record(
    connection: Connection, board: StoredBoard, before: list[StoredRun], labels: LabelSet, queries: QuerySet
) -> StoredRun | None:
    """The run that held the record: the last one of the history, else the best baseline; None if there is neither."""
    means = _means(connection, board, labels, queries)
    runs = {str(run.id): run for run in before if run.id in means}
    listed = [BoardRun(name=name, date=run.submitted_at.date(), baseline=run.baseline) for name, run in runs.items()]
    if not listed:
        return None
    low = measure_of(board).best == "low"
    found = history(listed, {name: means[run.id] for name, run in runs.items()}, best_is_low=low)
    if found.records:
        return runs[found.records[-1].name]
    return (min if low else max)(runs.values(), key=lambda run: means[run.id])


def _comparison(
    connection: Connection,
    board: StoredBoard,
    champion: StoredRun,
    challenger: StoredRun,
    labels: LabelSet,
    queries: QuerySet,
) -> Comparison | None:
    board, tables = under(board, labels), list[Any]()
    for run in (champion, challenger):
        condition = ScoreKey(run_id=run.id, label_set_id=labels.id, query_set_id=queries.id, kernel=kernel_of(board))
        tables.append(load_analysis(connection, condition, KIND))
    if any(table is None for table in tables):
        return None
    names = _names(champion, challenger)
    first, second = (unpack_serps(table, name) for table, name in zip(tables, names, strict=True))
    question, policy = question_of(board), Policy.of(board)
    if first is not None and second is not None:
        return quick_comparisons([(first, second)], question, policy)[0]
    values = np.column_stack([table["value"] for table in tables])
    ids = tuple(str(place) for place in range(len(values)))
    scores = Scores(measure=str(measure_of(board)), query_ids=ids, runs=names, values=values)
    return judged([numbers_of_scores(scores, *names, question, policy)], policy)[0]


def _names(champion: StoredRun, challenger: StoredRun) -> tuple[str, str]:
    if champion.name == challenger.name:
        return f"{champion.name} (run {champion.id})", f"{challenger.name} (run {challenger.id})"
    return champion.name, challenger.name


def _facts(comparison: Comparison) -> dict[str, Any]:
    means = comparison.means
    return {
        "overall": comparison.verdict.overall,
        "how": list(comparison.verdict.how),
        "marks": comparison.verdict.marks,
        "queries": len(comparison.scores.query_ids) if comparison.scores is not None else None,
        "champion_mean": means.champion,
        "challenger_mean": means.challenger,
        "difference": means.difference,
    }
