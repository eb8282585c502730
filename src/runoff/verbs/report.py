"""The report: everything that can be said about a board, in one self-contained page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.files.streams import usable_cores
from runoff.preferences import WinRatiosResult
from runoff.reading.boards import DEFAULT_MEASURE, asked_of, board_data, input_files, needed_ranks, private_scores
from runoff.reading.conditions import ALL_QUERIES, conditions_of, read_label_sets
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, names_of
from runoff.reports.result import ReportResult
from runoff.reports.sections import Charted, Origin, ReportInputs
from runoff.reports.sections.evidence import MOST
from runoff.results.audit import AuditResult
from runoff.results.board import BoardResult
from runoff.results.board_data import BoardData
from runoff.results.ipso_agreement import IpsoBoardResult
from runoff.results.label_facts import label_facts
from runoff.results.tally_parts import TallyOptions
from runoff.tables.board import DEVELOPMENT, PUBLIC, Board, BoardRun
from runoff.tables.scores import Scores
from runoff.verbs._board_evidence import board_evidence
from runoff.verbs._comparing import multi_comparison
from runoff.verbs._ipso_board import IpsoOptions, ipso_board_of, needed_depth
from runoff.verbs.audit import OVERLAP_DEPTH, AuditOptions, audit_measures, audit_of
from runoff.verbs.board import DEFAULT_TRIALS, board_of
from runoff.verbs.reliability import ReliabilityTableResult, reliability_of_scores
from runoff.verbs.tally import tally
from runoff.verdicts import EvidenceResult, LeadVerdict, Policy, Verdict, lead_verdict, rank_verdict

DEFAULT_TOP: Final = 10
REPEAT_RUNS: Final = 40
"""Runs whose pairs are tested on half-splits, those with the best means; all of 150 runs would be 11,175 pairs."""
LABELS_NAME: Final = "labels"
"""What the labels are called where no board.toml names them."""


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """What a report looks at.

    title     instead of the board's
    measures  measures beside the board's own, as ir_measures spells them
    top       how many runs are shown against the first in detail
    splits    half-splits of the queries
    command   what to type to make the report again
    depth, level, gains  instead of the board's own: the ranks that outcomes and IPSO look at, the lowest relevant
                         grade, and the gain of every grade
    """

    title: str | None = None
    measures: Sequence[str] = ()
    trials: int = DEFAULT_TRIALS
    seed: int = 0
    top: int = DEFAULT_TOP
    splits: int = 100
    command: str = ""
    depth: int | None = None
    level: int | None = None
    gains: Sequence[float] | None = None


def report(
    source: str | os.PathLike[str] | Board,
    *,
    question: ReportOptions | None = None,
    judgments: Any = (),
    tasks: Any = None,
    preferences: Charted | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReportResult:
    """Everything that can be said about a board; each of its run files is read once.

    source       a `board.toml`, or a `Board`, such as `listed_board` makes of runs and qrels
    judgments    files of judged pairs, which are tallied with the first labels and all runs
    tasks        the task file of the judgments, which knows the test pairs
    preferences  a tally of them that is there already, instead
    """
    asked = question or ReportOptions()
    judged = list(judgments) if isinstance(judgments, (list, tuple)) else [judgments]
    _check_judgments(judged, tasks, preferences)
    board = source if isinstance(source, Board) else read_board(source)
    board = board if asked.title is None else replace(board, title=asked.title)
    board = board.overruled(depth=asked.depth, level=asked.level, gains=asked.gains)
    runs = _runs_with_files(board)
    sets = read_label_sets(board, reading, whole=PUBLIC not in board.queries)
    audit_question = AuditOptions(measures=asked.measures, trials=asked.trials, seed=asked.seed)
    measures = audit_measures(board, audit_question)
    first = sets[0].at_own_level(measures)[0]
    compared = asked_of(board, sets[0], first, asked.seed)
    ipso = _ipso_question(board, compared)
    depth = needed_ranks(measures, compared, needed_depth(ipso))
    read = read_runs(
        [run.path for run in runs if run.path is not None],
        *(labels.scoring(measures, keep_serps=labels is sets[0]) for labels in sets),
        depth=depth,
        top=OVERLAP_DEPTH,
        names=[run.name for run in runs],
        reading=reading,
        progress=progress,
    )
    data = board_data(board, runs, sets[0], read, first, compared)
    shown = board_of(data, trials=asked.trials, seed=asked.seed)
    scored = conditions_of(board, measures, sets, read)
    top = shown.comparisons[: max(asked.top - 1, 1)]
    order = shown.ranks.order
    named = None if isinstance(source, Board) else Path(source)
    with ThreadPoolExecutor(usable_cores()) as pool:  # parts that need nothing of each other
        makes_ipso = pool.submit(_ipso, board, data, ipso)
        makes_origin = pool.submit(_origin, board, named, data, asked, _judged_files(judged, tasks))
        makes_audit = pool.submit(audit_of, board, scored, read.tops, question=audit_question)
        repeats, missing = _repeats(data, order, asked)
    audited, (orderings, unordered) = makes_audit.result(), makes_ipso.result()
    missing |= unordered
    ratios = None
    if judged:
        counted = TallyOptions(policy=data.policy, trials=asked.trials, seed=asked.seed)
        tallied = tally(judged, runs=read.tops, qrels=sets[0].qrels, tasks=tasks, question=counted, reading=reading)
        preferences = tallied
        ratios = tallied.board.ratios if tallied.board is not None else None
    elsewhere = private_scores(sets[0], read, runs, first)
    inputs = ReportInputs(
        title=board.title,
        runs=board.runs,
        board=shown,
        ranks=shown.ranks,
        lead=_lead(shown, audited),
        comparisons=shown.comparisons,
        evidence=_evidence(shown, elsewhere, ratios),
        multi_comparison=multi_comparison(top) if top else None,
        records=shown.records,
        ipso=orderings,
        audit=audited,
        repeats=repeats,
        reliability=repeats.reliability if repeats else None,
        labels=None if data.serps is None else label_facts(data.serps, order, level=sets[0].level),
        preferences=preferences,
        origin=makes_origin.result(),
        missing=missing,
    )
    return ReportResult(board=shown, audit=audited, inputs=inputs)


def listed_board(
    runs: Sequence[str | os.PathLike[str]], qrels: str | os.PathLike[str], *, measure: str = DEFAULT_MEASURE
) -> Board:
    """A board of run files and judgments that no board.toml describes."""
    paths = [Path(run) for run in runs]
    if not paths:
        raise UsageError("no runs; expected one at least; name run files or a board.toml")
    names = names_of(paths)
    return Board(
        title="Leaderboard",
        measure=measure,
        labels={LABELS_NAME: Path(qrels)},
        runs=tuple(BoardRun(name=name, path=path) for name, path in zip(names, paths, strict=True)),
    )


def _runs_with_files(board: Board) -> tuple[BoardRun, ...]:
    runs = tuple(run for run in board.runs if run.path is not None)
    if not runs:
        raise UsageError(
            "no run of the board has a file; expected run files, since published means say nothing about how sure an "
            "order is; add paths to [[runs]], or see `runoff.published_report`"
        )
    return runs


def _check_judgments(judged: Sequence[Any], tasks: Any, preferences: Charted | None) -> None:
    if judged and preferences is not None:
        raise UsageError("judgments and a tally of them; expected one of the two; leave the other out")
    if tasks is not None and not judged:
        raise UsageError("tasks without judgments; expected the judgments of these tasks; give them too")


def _judged_files(judged: Sequence[Any], tasks: Any) -> list[tuple[str, str | os.PathLike[str]]]:
    """The files among the judgments and tasks, with what each is for."""
    listed = [("judgments", one) for one in judged] + [("tasks", tasks)]
    return [(role, one) for role, one in listed if isinstance(one, (str, os.PathLike))]


def _evidence(
    shown: BoardResult, elsewhere: tuple[str, Scores] | None, ratios: WinRatiosResult | None
) -> tuple[EvidenceResult, ...]:
    """All evidence about the runs next to the first, with private queries and judgments of people."""
    if not shown.comparisons:
        return ()
    return board_evidence(shown, top=MOST + 1, elsewhere=elsewhere, ratios=ratios).evidence


def _ipso_question(board: Board, compared: CompareOptions) -> IpsoOptions:
    return IpsoOptions(
        depths=None if board.depth is None else (board.depth,),
        gains=board.gains,
        level=compared.level if board.gains is None else None,
    )


def _ranked_on(board: Board) -> str:
    """What the queries that the board ranks by are called."""
    if PUBLIC in board.queries:
        return PUBLIC
    return f"{ALL_QUERIES} but {DEVELOPMENT}" if DEVELOPMENT in board.queries else ALL_QUERIES


def _lead(shown: BoardResult, audited: AuditResult) -> LeadVerdict:
    """The verdict on the first run, with what the audit says against it."""
    leader = shown.leader
    fired = {one.change.team for one in audited.monitor.fired} if audited.monitor else set()
    led = audited.orders.led if audited.orders and audited.orders.runs[0] == leader.run else (1, 1)
    tied = shown.ranks.leaders[1:]
    alarm = bool(leader.team) and leader.team in fired
    return lead_verdict(leader.run, _verdicts(shown), tied=tied, led=led, alarm=alarm)


def _verdicts(shown: BoardResult) -> dict[str, Verdict]:
    """The verdict on every run but the first, best mean first."""
    decisions, (first, *others) = shown.decided.decisions, shown.ranks.order
    return {decisions.runs[place]: rank_verdict(decisions, place, first) for place in others}


def _ipso(board: Board, data: BoardData, asked: IpsoOptions) -> tuple[IpsoBoardResult | None, dict[str, str]]:
    """The innate orderings; None where there are none, with the sections that lack them and why."""
    if data.serps is None:
        why = f"{data.scores.measure} is computed by ir_measures, so the ranked lists are not known here."
        return None, dict.fromkeys(("measures", "outcomes", "labels"), why)
    if len(data.serps) < 2:
        return None, {}
    try:
        decide = Policy(alpha=board.alpha, correction="none")
        return ipso_board_of("Innate orderings of all pairs of runs", data.serps, asked, decide), {}
    except UsageError as error:  # graded labels without gains: everything else can still be shown
        return None, {"measures": f"IPSO is left out: {error}."}


def _repeats(
    data: BoardData, order: Sequence[int], asked: ReportOptions
) -> tuple[ReliabilityTableResult | None, dict[str, str]]:
    """Whether the tests repeat; None where that cannot be asked, with the section that lacks it and why."""
    if len(data.runs) < 2:
        return None, {}
    best = [data.scores.runs[place] for place in order[:REPEAT_RUNS]]
    kept = [place for place, name in enumerate(data.scores.runs) if name in best]
    scores = replace(
        data.scores, runs=tuple(data.scores.runs[place] for place in kept), values=data.scores.values[:, kept]
    )
    try:
        return reliability_of_scores(scores, splits=asked.splits, alpha=data.policy.alpha, seed=asked.seed), {}
    except UsageError as error:
        return None, {"repeats": f"Half-splits are left out: {error}."}


def _origin(
    board: Board,
    described: Path | None,
    data: BoardData,
    asked: ReportOptions,
    judged: Sequence[tuple[str, str | os.PathLike[str]]],
) -> Origin:
    import platform
    from importlib.metadata import version

    named: list[tuple[str, str | os.PathLike[str]]] = [("board", described)] if described else []
    named += [(f"labels {name}", path) for name, path in board.labels.items()]
    named += [(f"queries {name}", path) for name, path in board.queries.items()]
    named += [(f"run {run.name}", run.path) for run in board.runs if run.path is not None]
    named += judged
    labels = next(iter(board.labels), LABELS_NAME)
    settings = {
        "Measure": data.scores.measure,
        "Queries": f"{len(data.scores.query_ids):,} ({_ranked_on(board)})",
        "Labels": labels,
        "Level (alpha)": f"{data.policy.alpha:g}",
        "Correction": data.policy.correction,
        "Rule for certified records": data.policy.record_rule,
        "Bootstrap samples": f"{asked.trials:,}",
        "Half-splits": f"{asked.splits:,}",
        "Seed": f"{asked.seed}",
        "Tie rule": data.tie_rule or "",
    }
    versions = {"runoff": version("runoff"), "numpy": version("numpy"), "Python": platform.python_version()}
    folder = described.parent if described else None
    return Origin(files=input_files(named, folder), settings=settings, versions=versions, command=asked.command)
