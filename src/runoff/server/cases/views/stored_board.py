"""A board of the server as it is shown to somebody: rebuilt from stored arrays, no run file is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from runoff.errors import NotFoundError, UsageError
from runoff.measures import ExternalMeasure
from runoff.results.board_data import BoardData
from runoff.results.fit import Fit
from runoff.server.cases.accounts.permissions import ANONYMOUS, Actor, Thing, may
from runoff.server.cases.views.serp_arrays import (
    computation_version_of,
    is_partial,
    measure_of,
    query_ids_of,
    question_of,
    under,
    unpack_serps,
)
from runoff.server.store.boards import StoredBoard
from runoff.server.store.label_sets import LabelSet, QuerySet, load_label_sets, load_query_sets
from runoff.server.store.people import load_teams
from runoff.server.store.scores import (
    MeanScore,
    ScoreCondition,
    load_analysed_runs,
    load_analysis,
    load_scored_counts,
    load_scores,
)
from runoff.server.store.submissions import StoredRun, load_entries, load_runs
from runoff.tables.board import DEVELOPMENT, PUBLIC, BoardRun
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verbs._pair_memory import Remember
from runoff.verdicts import Policy

if TYPE_CHECKING:
    from sqlalchemy import Connection

Kind = TypeVar("Kind", bound=QuerySet)

HIDDEN_TEAM: Final = ""
"""What is shown instead of a team that is not named yet."""


@dataclass(frozen=True, kw_only=True)
class VisibleRun:
    """A run as somebody sees it; `name` is unique on the board, `team` is empty where the viewer may not know it.

    is_chosen  whether its team chose it to stand for it, as far as the viewer may know the team
    is_entry   whether it stands for its team: the chosen one, else the newest; baselines do, and runs without a team
    """

    run: StoredRun
    name: str
    team: str
    is_chosen: bool = False
    is_entry: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class StoredBoardData(BoardData):
    """A board from the store: `visible` are its runs in the same order, `labels` and `queries` what scored them.

    is_partial  whether queries are left out: what runs lack is not shown then, since it would reveal which ones
    """

    visible: tuple[VisibleRun, ...]
    labels: LabelSet
    queries: QuerySet
    is_partial: bool = False

    @cached_property
    def fits(self) -> tuple[Fit, ...]:
        """How the runs fit the labels; empty where that must not be shown or is not known."""
        return () if self.is_partial else super().fits


def load_board_data(
    connection: Connection,
    board: StoredBoard,
    *,
    query_set: str = PUBLIC,
    label_set: str | None = None,
    viewer: Actor = ANONYMOUS,
    condition: ScoreCondition | None = None,
    now: datetime,
    remember: Remember | None = None,
) -> StoredBoardData:
    """Rebuild a board from what scoring stored.

    query_set, label_set  names; the newest queries and the labels in use are taken, the oldest open name if None
    viewer                who looks: a run under embargo is there for its team and for organisers alone, and so are the
                          names of teams that are not shown yet; organisers see the scores on all queries
    condition             which scores to show; None for those that the viewer sees
    remember              keeps the arrays of runs, which never change, for the next time

    Sealed sets are refused: what is per query about them does not leave the sealed store. `NotFoundError` if no run
    is to be seen yet.
    """
    labels, queries = open_sets(connection, board, query_set=query_set, label_set=label_set)
    condition = condition or condition_for(viewer, board, labels, queries)
    measure, compared = measure_of(under(board, labels)), question_of(under(board, labels))
    done = load_analysed_runs(connection, condition)
    seen = load_visible_runs(connection, board, viewer=viewer, now=now)
    kept = [one for one in seen if one.run.id in done]
    if not kept:
        raise NotFoundError(f"board {board.slug!r} has no scored run yet; come back when one is")
    tables, lists = [], []
    for one in kept:

        def make(run_id: int = one.run.id, name: str = one.name) -> tuple[Any, Serps | None]:
            table: Any = load_analysis(connection, condition, run_id)
            return table, unpack_serps(table, name)

        table, serps = make() if remember is None else remember((condition, one.run.id, one.name), make)
        tables.append(table)
        lists.append(serps)
    names = {one.run.id: one.name for one in kept}
    return StoredBoardData(
        title=board.title,
        runs=tuple(_board_run(one, names) for one in kept),
        scores=Scores(
            measure=str(measure),
            query_ids=query_ids_of(tables[0]),
            runs=tuple(one.name for one in kept),
            values=np.column_stack([table["value"] for table in tables]),
        ),
        measure=measure,
        compared=compared,
        policy=Policy.of(board),
        serps=None if isinstance(measure, ExternalMeasure) else tuple(one for one in lists if one is not None),
        tie_rule="trec_eval",
        visible=tuple(kept),
        labels=labels,
        queries=queries,
        is_partial=is_partial(condition.computation_version),
    )


def open_sets(
    connection: Connection, board: StoredBoard, *, query_set: str = PUBLIC, label_set: str | None = None
) -> tuple[LabelSet, QuerySet]:
    """The version in use of an open label set, by default the oldest name, and the newest of an open query set."""
    labels = _chosen(shown_labels(load_label_sets(connection, board.id)), label_set, "label set")
    return labels, _chosen(newest(load_query_sets(connection, board.id)), query_set, "query set")


def load_visible_runs(
    connection: Connection,
    board: StoredBoard,
    *,
    viewer: Actor = ANONYMOUS,
    now: datetime,
    names: Collection[str] | None = None,
) -> tuple[VisibleRun, ...]:
    """The scored runs whose scores somebody may see, in the order of submission, under names that are unique.

    names  load the runs alone that were sent under one of these: all that their unique names depend on
    """
    teams = {team.id: team.name for team in load_teams(connection)}
    scored = load_runs(connection, board.id, state="scored", names=names)
    runs = [run for run in scored if sees_run(viewer, run, now) and sees_scores(viewer, run)]
    count: Counter[str] = Counter()
    found = []
    for run in runs:
        count[run.name] += 1
        # Two teams may use the same name: the later run gets its number.
        name = run.name if count[run.name] == 1 else f"{run.name} (run {run.id})"
        team = teams[run.team_id] if sees_team(viewer, board, run, now) else HIDDEN_TEAM
        found.append(VisibleRun(run=run, name=name, team=team))
    return tuple(found) if names is not None else _with_entries(found, load_entries(connection, board.id))


def _with_entries(runs: Iterable[VisibleRun], chosen: Mapping[int, int]) -> tuple[VisibleRun, ...]:
    """The same runs, with what stands for each team among them.

    Runs whose team the viewer may not know stay by themselves: to leave one out would tell that another is of its team.
    """
    grouped: dict[int, list[int]] = {}
    for one in runs:
        if one.team and not one.run.baseline:
            grouped.setdefault(one.run.team_id, []).append(one.run.id)
    # In the order of submission, so the last is the newest.
    entries = {team: chosen[team] if chosen.get(team) in ids else ids[-1] for team, ids in grouped.items()}
    return tuple(
        replace(
            one,
            is_chosen=one.run.team_id in grouped and bool(one.team) and chosen.get(one.run.team_id) == one.run.id,
            is_entry=one.run.baseline or not one.team or entries[one.run.team_id] == one.run.id,
        )
        for one in runs
    )


def sees_run(viewer: Actor, run: StoredRun, now: datetime) -> bool:
    """Whether somebody may see a run: all may once it is scored and its embargo is over."""
    return may(viewer, "see run", Thing(team=run.team_id, published=run.is_published(now)))


def sees_scores(viewer: Actor, run: StoredRun) -> bool:
    """Whether somebody who sees a run may see its scores: those that the release rule holds back only organisers."""
    return not run.held or may(viewer, "manage board")


def sees_all_queries(viewer: Actor) -> bool:
    """Whether somebody sees scores on all queries: organisers do, all others without those that are left out."""
    return may(viewer, "manage board")


def is_protected(viewer: Actor, board: StoredBoard, queries: QuerySet) -> bool:
    """Whether labels could be worked out from what somebody sees, unless `protected` says how little that may be."""
    return hides_labels(board) and not sees_all_queries(viewer) and queries.name != DEVELOPMENT


def hides_labels(board: StoredBoard) -> bool:
    """Whether teams do not hold the labels of the public queries, or not of which of them the numbers are."""
    return board.public_labels == "hidden" or bool(board.hidden_subset)


def computation_version_for(viewer: Actor, board: StoredBoard, labels: LabelSet) -> str:
    """The version of the computation whose scores on some labels somebody sees."""
    return computation_version_of(under(board, labels), whole=sees_all_queries(viewer))


def condition_for(viewer: Actor, board: StoredBoard, labels: LabelSet, queries: QuerySet) -> ScoreCondition:
    """What the scores on some labels and queries that somebody sees are stored under."""
    return condition_of(board, labels, queries, whole=sees_all_queries(viewer))


def condition_of(board: StoredBoard, labels: LabelSet, queries: QuerySet, *, whole: bool = False) -> ScoreCondition:
    """What the scores of a board on some labels and queries are stored under: those of the public, or the `whole`."""
    version = computation_version_of(under(board, labels), whole=whole)
    return ScoreCondition(label_set_id=labels.id, query_set_id=queries.id, computation_version=version)


def sees_verdict(viewer: Actor, board: StoredBoard, computation_version: str) -> bool:
    """Whether somebody may know a verdict: one over queries that are left out by now is for organisers alone."""
    return not board.hidden_subset or is_partial(computation_version) or sees_all_queries(viewer)


def find_run(seen: Iterable[VisibleRun], wanted: str) -> VisibleRun | None:
    """The run of a name, or of a number, among those that somebody sees."""
    runs = tuple(seen)
    named = (one for one in runs if one.name == wanted)
    return next(named, next((one for one in runs if str(one.run.id) == wanted), None))


def sees_team(viewer: Actor, board: StoredBoard, run: StoredRun, now: datetime) -> bool:
    """Whether somebody may know whose run it is."""
    shown = board.shows_teams(now)
    if run.anonymous:
        # Until the latest of the dates that were set; without any it stays anonymous.
        ends = [moment for moment in (board.anonymous_until, run.anonymous_until) if moment is not None]
        shown = bool(ends) and now >= max(ends)
    return may(viewer, "see team of run", Thing(team=run.team_id, published=shown))


@dataclass(frozen=True, kw_only=True)
class ShownScore:
    """A mean of a run that somebody may see.

    is_private       whether it is on sealed labels or queries
    missing_queries  how many queries the run lacks; 0 where that would reveal which queries a mean is over
    """

    score: MeanScore
    labels: LabelSet
    queries: QuerySet
    is_private: bool
    missing_queries: int


def load_shown_scores(
    connection: Connection, board: StoredBoard, run: StoredRun, *, viewer: Actor, now: datetime
) -> tuple[ShownScore, ...]:
    """The means of a run that somebody who sees the run may see; labels that are not used yet are left out."""
    if not sees_scores(viewer, run):
        return ()
    labels = {shown.id: shown for shown in shown_labels(load_label_sets(connection, board.id)).values()}
    queries = {query_set.id: query_set for query_set in load_query_sets(connection, board.id)}
    shows_private = may(viewer, "see private results", Thing(published=board.shows_private(now)))
    scores = []
    for score in load_scores(connection, board.id, run_id=run.id):
        label, query_set = labels.get(score.label_set_id), queries[score.query_set_id]
        if label is None or score.computation_version != computation_version_for(viewer, board, label):
            continue
        is_private = label.sealed or query_set.sealed
        if shows_private or not is_private:
            hides = is_private or is_protected(viewer, board, query_set)
            missing = 0 if hides else score.missing_queries
            scores.append(
                ShownScore(score=score, labels=label, queries=query_set, is_private=is_private, missing_queries=missing)
            )
    return tuple(scores)


def load_private_means(
    connection: Connection, board: StoredBoard, *, viewer: Actor = ANONYMOUS, now: datetime
) -> dict[int, dict[str, float]]:
    """Means on sealed labels or queries, by number of the run and name of the labels; empty before the reveal."""
    if not may(viewer, "see private results", Thing(published=board.shows_private(now))):
        return {}
    labels = {one.id: one for one in in_use(load_label_sets(connection, board.id)).values()}
    queries = {one.id: one for one in newest(load_query_sets(connection, board.id)).values()}
    seen = {one.run.id for one in load_visible_runs(connection, board, viewer=viewer, now=now)}
    found: dict[int, dict[str, float]] = {}
    for score in load_scores(connection, board.id):
        label, query = labels.get(score.label_set_id), queries.get(score.query_set_id)
        if label is None or query is None:
            continue
        if (
            score.run_id in seen
            and (label.sealed or query.sealed)
            and score.computation_version == computation_version_for(viewer, board, label)
        ):
            found.setdefault(score.run_id, {})[_private_name(label, query)] = round(score.mean, board.digits)
    return found


def _private_name(labels: LabelSet, queries: QuerySet) -> str:
    """What a column of means is called; labels of a board.toml have the name of their query set at their end."""
    return labels.name if labels.name.endswith(queries.name) else f"{labels.name} / {queries.name}"


def load_open_means(connection: Connection, board: StoredBoard, *, viewer: Actor = ANONYMOUS) -> dict[int, float]:
    """The mean of each run on the labels in use and the public queries, by number of the run; not rounded."""
    try:
        labels, queries = open_sets(connection, board)
    except (NotFoundError, UsageError):
        return {}
    condition = condition_for(viewer, board, labels, queries)
    return {score.run_id: score.mean for score in load_scores(connection, board.id, condition=condition)}


def load_unscored(connection: Connection, board: StoredBoard) -> tuple[int, int]:
    """How many scored runs wait to be scored again under the settings and labels in use, and how many there are."""
    try:
        labels, queries = open_sets(connection, board)
    except (NotFoundError, UsageError):
        scored, _ = load_scored_counts(connection, board.id)
        return scored, scored
    scored, done = load_scored_counts(connection, board.id, condition_of(board, labels, queries))
    return scored - done, scored


def newest(versions: tuple[Kind, ...]) -> dict[str, Kind]:
    """The newest version of each name, in the order of the names' first versions."""
    found: dict[str, Kind] = {}
    for one in versions:
        found[one.name] = one
    return found


def in_use(versions: tuple[LabelSet, ...]) -> dict[str, LabelSet]:
    """The version of each name that was taken into use last; names of which none was are left out."""
    latest = {version.name: version for version in sorted(versions, key=lambda version: version.use) if version.use}
    return {name: latest[name] for name in dict.fromkeys(version.name for version in versions) if name in latest}


def shown_labels(versions: tuple[LabelSet, ...]) -> dict[str, LabelSet]:
    """What a board can be shown under: labels in use by name, and earlier ones as `name (version 1)`."""
    current = in_use(versions)
    earlier = {
        f"{one.name} (version {one.version})": one for one in versions if one.use and current[one.name].id != one.id
    }
    return {**current, **{name: replace(one, name=name) for name, one in earlier.items()}}


def _chosen(found: Mapping[str, Kind], name: str | None, what: str) -> Kind:
    known = {key: one for key, one in found.items() if not one.sealed}
    if not known:
        raise NotFoundError(f"the board has no open {what} yet; an organiser has to add one")
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise UsageError(f"no open {what} is called {name[:60]!r}; expected one of {', '.join(known)}; choose one")
    return known[name]


def _board_run(one: VisibleRun, names: dict[int, str]) -> BoardRun:
    run = one.run
    return BoardRun(
        name=one.name,
        team=one.team,
        date=run.submitted_at.date(),
        description=run.description,
        baseline=run.baseline,
        variant_of=names.get(run.variant_of or 0),
    )
