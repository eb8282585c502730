"""The verdict on each run against the record of its day, and whether its scores are released: decided once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runoff.boards.history import history
from runoff.boards.submissions import ladder
from runoff.errors import NotFoundError, UsageError
from runoff.server.cases.views.serp_arrays import measure_of, question_of, under, unpack_serps
from runoff.server.cases.views.stored_board import condition_of, hides_labels, open_sets
from runoff.server.store.boards import StoredBoard
from runoff.server.store.jobs import load_jobs
from runoff.server.store.scores import (
    ScoreCondition,
    StoredVerdict,
    load_analysis,
    load_scores,
    load_verdicts,
    save_verdict,
)
from runoff.server.store.submissions import StoredRun, load_run_members, load_runs, save_run_shown
from runoff.tables.board import BoardRun
from runoff.tables.scores import Scores
from runoff.verbs._comparing import numbers_of, numbers_of_scores
from runoff.verdicts import PairEvidence, Policy, judge

if TYPE_CHECKING:
    from sqlalchemy import Connection

RESCORE: Final = "rescore"
"""The kind of a job that scores a run again, because settings or labels have changed."""
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
    condition, board = condition_of(board, labels, queries), under(board, labels)
    # On hidden labels the record goes to a run that is better in the digits that are shown, as on the board.
    digits = board.digits if hides_labels(board) else None
    scores = load_scores(connection, board.id, condition=condition)
    means = {score.run_id: score.mean if digits is None else round(score.mean, digits) for score in scores}
    # Runs without a mean that are still to be scored: the record may be theirs.
    due = load_jobs(connection, kinds=(RESCORE,), states=("queued", "running"))
    late = {int(job.payload["run_id"]) for job in due} - set(means)
    decided = {verdict.run_id for verdict in load_verdicts(connection, board.id)}
    before: list[StoredRun] = []
    count = 0
    for run in load_runs(connection, board.id):
        if run.state in ("queued", "scoring") or run.id in late:
            break
        if run.state == "rejected":
            continue
        if run.id not in decided and not run.baseline:
            champion = _record([earlier for earlier in before if earlier.is_published(now)], means, board)
            save_verdict(connection, _verdict(connection, board, run, champion, condition, now))
            count += 1
            if run.held and _is_released(connection, board, run, before, condition):
                save_run_shown(connection, run.id, now=now)
                run = replace(run, held=False)  # noqa: PLW2901  # the next run is compared with it
        before.append(run)
    return count


def _record(before: Sequence[StoredRun], means: Mapping[int, float], board: StoredBoard) -> StoredRun | None:
    """The run that held the record: the last one of the history, else the best baseline; None if there is neither."""
    runs = {str(run.id): run for run in before if run.id in means}
    listed = [BoardRun(name=name, date=run.submitted_at.date(), baseline=run.baseline) for name, run in runs.items()]
    if not listed:
        return None
    low = measure_of(board).best == "low"
    records = history(listed, {name: means[run.id] for name, run in runs.items()}, best_is_low=low).records
    if records:
        return runs[records[-1].name]
    return (min if low else max)(runs.values(), key=lambda run: means[run.id])


def _verdict(
    connection: Connection,
    board: StoredBoard,
    run: StoredRun,
    champion: StoredRun | None,
    condition: ScoreCondition,
    now: datetime,
) -> StoredVerdict:
    policy = Policy.of(board)
    evidence = None if champion is None else _evidence(connection, board, champion, run, condition, policy)
    verdict = StoredVerdict(
        **asdict(condition),
        run_id=run.id,
        champion_id=None if champion is None else champion.id,
        strict=None,
        do_no_harm=None,
        sentence=FIRST if champion is None else NOT_COMPARED.format(champion.name),
        policy=asdict(policy),
        decided_at=now,
    )
    if evidence is None:
        return verdict
    (judged,) = judge([evidence], policy)
    facts = {
        "overall": judged.overall,
        "how": list(judged.how),
        "marks": judged.marks,
        "queries": evidence.queries,
        "champion_mean": evidence.means.champion,
        "challenger_mean": evidence.means.challenger,
        "difference": evidence.means.difference,
    }
    return replace(
        verdict,
        strict=judged.strict,
        do_no_harm=judged.do_no_harm,
        sentence=judged.sentence,
        policy={**verdict.policy, **facts},
    )


def _evidence(
    connection: Connection,
    board: StoredBoard,
    champion: StoredRun,
    challenger: StoredRun,
    condition: ScoreCondition,
    policy: Policy,
) -> PairEvidence | None:
    """The numbers of two runs from stored arrays; None where those of one are missing."""
    tables: list[Any] = [load_analysis(connection, condition, run.id) for run in (champion, challenger)]
    if any(table is None for table in tables):
        return None
    names = champion.name, challenger.name
    if champion.name == challenger.name:
        names = f"{champion.name} (run {champion.id})", f"{challenger.name} (run {challenger.id})"
    first, second = (unpack_serps(table, name) for table, name in zip(tables, names, strict=True))
    options = question_of(board)
    if first is not None and second is not None:
        return numbers_of(first, second, options, policy, remarks=False)
    values = np.column_stack([table["value"] for table in tables])
    ids = tuple(str(place) for place in range(len(values)))
    scores = Scores(measure=str(measure_of(board)), query_ids=ids, runs=names, values=values)
    return numbers_of_scores([scores], *names, options, policy)


def _is_released(
    connection: Connection,
    board: StoredBoard,
    run: StoredRun,
    before: Sequence[StoredRun],
    condition: ScoreCondition,
) -> bool:
    """Whether a run beats the best shown run of its team and of its people by more than noise; the first is shown.

    before  the runs of the board that were decided earlier

    Scores are those that the public sees, so a share of the queries that is left out says nothing here either.
    """
    members = load_run_members(connection, board.id)
    own = [
        earlier
        for earlier in before
        if (earlier.team_id == run.team_id or members.get(earlier.id, frozenset()) & members.get(run.id, frozenset()))
        and not (earlier.held or earlier.baseline)
    ]
    tables: list[Any] = [load_analysis(connection, condition, team_run.id) for team_run in (*own, run)]
    values_shown = [table["value"] for table in tables[:-1] if table is not None]
    if not values_shown or tables[-1] is None:
        return True
    low = measure_of(board).best == "low"
    best = (min if low else max)(values_shown, key=np.nanmean)
    table = np.nan_to_num(np.column_stack([best, tables[-1]["value"]]))
    ids = tuple(str(place) for place in range(len(table)))
    scores = Scores(measure=board.measure, query_ids=ids, runs=("best", "new"), values=table)
    return ladder(scores, scores.runs, best_is_low=low)[-1].moved
