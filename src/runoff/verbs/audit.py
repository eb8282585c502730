"""The audit of a board: whether its order holds elsewhere, teams kept to the rule, and a team overfitted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from runoff.arguments import checks_arguments
from runoff.boards.generalization import generalization
from runoff.boards.near_duplicates import near_duplicates
from runoff.boards.overfitting import field_changes, overfitting, published_changes
from runoff.boards.rank_sets import rank_sets
from runoff.boards.stability import stability
from runoff.boards.submissions import SubmissionRule, SubmissionsResult, submissions
from runoff.comparisons.options import at_level
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.measures import Measure, NamedMeasure, parse_measure
from runoff.reading.conditions import read_conditions
from runoff.reading.sources import Progress, ReadOptions
from runoff.results.audit import AuditResult
from runoff.results.audit_parts import Monitor, Orders, ScoredConditions, TeamAlarm
from runoff.tables.board import DEVELOPMENT, PRIVATE, PUBLIC, Board
from runoff.tables.run import Run
from runoff.verdicts.overfitting_alarm import overfitting_alarms

DEFAULT_TRIALS = 1000
OVERLAP_DEPTH = 10


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class AuditOptions:
    """What is looked at.

    measures         measures beside the board's own, as ir_measures spells them, or measure objects
    public, private  the query sets of the overfitting monitor: whose scores teams are shown, and are not shown before
                     the end; `public` and `private` if None
    show             the runs whose ranks are shown under every condition; a choice of them if empty
    rule             how often a team may submit
    overlap          the least mean overlap of the top 10 documents of near-duplicates
    trials, seed     bootstrap samples of the queries
    """

    measures: Sequence[NamedMeasure] = ()
    public: str | None = None
    private: str | None = None
    show: Sequence[str] = ()
    rule: SubmissionRule = field(default_factory=SubmissionRule)
    overlap: float = 0.95
    trials: int = DEFAULT_TRIALS
    seed: int = 0


@checks_arguments
def audit(
    source: str | os.PathLike[str] | Board,
    *,
    options: AuditOptions | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> AuditResult:
    """Audit a board: its order under every condition, its submissions, near-duplicates, and the overfitting monitor.

    source    a `board.toml`, or a `Board`
    options   what is looked at

    Craswell et al. 2021, MS MARCO: Benchmarking ranking models in the large-data regime, sections 3.2 and 3.3,
    https://doi.org/10.1145/3404835.3462804

    >>> from datetime import date
    >>> from runoff.tables import BoardRun
    >>> days = [date(2021, 1, day) for day in (1, 2, 3)]
    >>> runs = [BoardRun(name=f"r{day.day}", team="A", date=day, scores={"public": 0.5}) for day in days]
    >>> result = audit(Board(title="T", measure="RR@10", runs=tuple(runs)))
    >>> [one.name for one in result.submissions.violations], result.has_findings
    (['r3'], True)
    """
    board = source if isinstance(source, Board) else read_board(source)
    asked = options or AuditOptions()
    measures = audit_measures(board, asked)
    scored, tops = read_conditions(board, measures, top=OVERLAP_DEPTH, reading=reading, progress=progress)
    return audit_of(board, scored, tops, options=asked)


def audit_of(
    board: Board, scored: ScoredConditions, tops: Sequence[Run], *, options: AuditOptions | None = None
) -> AuditResult:
    """The audit of a board that has been read: its scores, and of each run that has a file its top documents."""
    asked = options or AuditOptions()
    measures = audit_measures(board, asked)
    alike = near_duplicates(tops, depth=OVERLAP_DEPTH, threshold=asked.overlap) if len(tops) > 1 else None
    pairs = [(pair.first, pair.second) for pair in alike.pairs] if alike else []
    sent = submissions(board.runs, rule=asked.rule, near_duplicates=pairs)
    public, private = asked.public or PUBLIC, asked.private or PRIVATE
    monitor = _monitor(scored, sent, str(measures[0]), (public, private), board.alpha)
    watched = {one.change.team for one in monitor.teams} if monitor else set()
    changes = published_changes(sent.teams, public=public, private=private, best_is_low=measures[0].best == "low")
    return AuditResult(
        title=board.title,
        measure=str(at_level(measures[0], board.level_of())),
        trials=asked.trials,
        seed=asked.seed,
        runs=board.runs,
        scored=scored,
        orders=_orders(scored, asked, board.alpha),
        shown=tuple(asked.show),
        submissions=sent,
        near_duplicates=alike,
        lacking=tuple(name for name in (public, private) if name not in _known_sets(board, scored)),
        monitor=monitor,
        published=tuple(one for one in changes if one.team not in watched),
    )


def audit_measures(board: Board, asked: AuditOptions) -> list[Measure]:
    """The board's measure and then those asked for, each once; refuses a question that the board cannot answer.

    As they are named: label sets have their own relevance levels.
    """
    _check_names(board, asked)
    named = [parse_measure(measure) for measure in (board.measure, *asked.measures)]
    return [measure for place, measure in enumerate(named) if measure not in named[:place]]


def _check_names(board: Board, asked: AuditOptions) -> None:
    known = _known_sets(board)
    for name in (asked.public, asked.private):
        if name == DEVELOPMENT:
            raise UsageError(
                f"teams hold the labels of '{name}', so it is neither the public nor the private query set; expected "
                "one whose labels are hidden; choose another one"
            )
        if name is not None and name not in known:
            said = ", ".join(sorted(known - {DEVELOPMENT})) or "none"
            raise UsageError(f"no query set is called '{name}'; expected one of {said}; choose one of these")
    if (asked.public or PUBLIC) == (asked.private or PRIVATE):
        raise UsageError(
            f"'{asked.public or PUBLIC}' is named as the public and as the private query set; expected two; choose "
            "another one"
        )
    files = [run.name for run in board.runs if run.path is not None]
    for name in asked.show:
        if board.run(name).name not in files:
            raise UsageError(f"run '{name}' has no file, so it has no ranks to show; expected one with; choose another")


def _orders(scored: ScoredConditions, asked: AuditOptions, alpha: float) -> Orders | None:
    """The ranks of the runs under each condition; None where there is nothing to rank."""
    conditions, baselines = scored.conditions, tuple(run.name for run in scored.runs if run.baseline)
    if not conditions or len(conditions[0].scores.runs) < 2:
        return None
    decisions = tuple(
        rank_sets(one.scores, alpha=alpha, seed=asked.seed, best_is_low=one.best_is_low) for one in conditions
    )
    if len(conditions) == 1:
        one = conditions[0]
        found = stability(one.scores, trials=asked.trials, seed=asked.seed, best_is_low=one.best_is_low)
        return Orders(
            conditions=(one,), stabilities=(found,), decisions=decisions, generalization=None, baselines=baselines
        )
    compared = generalization(
        {one.name: one.scores for one in conditions},
        labels={one.name: one.labels for one in conditions},
        trials=asked.trials,
        seed=asked.seed,
        best_is_low=[one.name for one in conditions if one.best_is_low],
    )
    return Orders(
        conditions=tuple(conditions),
        stabilities=compared.stabilities,
        decisions=decisions,
        generalization=compared,
        baselines=baselines,
    )


def _known_sets(board: Board, scored: ScoredConditions | None = None) -> set[str]:
    """The query sets of a board: those with a file, with published means, or with scores."""
    named = {*board.queries, *(name for run in board.runs for name in run.scores)}
    return named | {one.query_set for one in (scored.conditions if scored else ())}


def _monitor(
    scored: ScoredConditions, sent: SubmissionsResult, measure: str, names: tuple[str, str], alpha: float
) -> Monitor | None:
    """The overfitting monitor under the first label set that both query sets share queries with; None if none does."""
    for labels in dict.fromkeys(one.labels for one in scored.conditions):
        public, private = (scored.find(name, labels, measure) for name in names)
        if public is None or private is None:
            continue
        low, runs = public.best_is_low, public.scores.runs
        teams = {team.team: [run.name for run in team.runs if run.name in runs] for team in sent.teams}
        found = overfitting(public.scores, private.scores, teams, best_is_low=low)
        alarms = overfitting_alarms(found, alpha=alpha)
        return Monitor(
            public=public,
            private=private,
            result=found,
            alpha=alpha,
            teams=tuple(
                sorted(
                    (TeamAlarm(change=change, alarm=alarm) for change, alarm in zip(found.teams, alarms, strict=True)),
                    key=lambda one: one.order,
                )
            ),
            too_few=len(sent.teams) - len(found.teams),
            both=len({*public.scores.query_ids} & {*private.scores.query_ids}),
            field=field_changes(public.scores, private.scores, sent.teams, best_is_low=low),
        )
    return None
