"""The contents of a report: everything about a board that was read once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from runoff.arguments import checks_arguments
from runoff.comparisons.options import CompareOptions
from runoff.display import Shown
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.files.streams import usable_cores
from runoff.measures import Measure
from runoff.phrases import counted
from runoff.preferences import WinRatiosResult
from runoff.reading.boards import (
    BoardInputs,
    asked_of,
    board_data,
    described_runs,
    input_files,
    needed_ranks,
    private_scores,
)
from runoff.reading.conditions import ALL_QUERIES, conditions_of, read_label_sets
from runoff.reading.judgments import JudgmentSource, JudgmentSources, as_judgments
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions
from runoff.reports.result import ReportResult
from runoff.reports.sections import Origin, ReportInputs, sections_of
from runoff.reports.sections.evidence import MOST
from runoff.results.audit import AuditResult
from runoff.results.audit_findings import where_it_leads
from runoff.results.board import BoardResult
from runoff.results.board_data import BoardData
from runoff.results.fit import Fit, dropped_notes
from runoff.results.ipso_agreement import DepthShares, IpsoBoardResult
from runoff.results.label_facts import TOP, LabelFactsResult, RunLabels
from runoff.results.tally_tables import TallyOptions
from runoff.tables.board import DEVELOPMENT, PUBLIC, Board, BoardRun
from runoff.tables.scores import Scores
from runoff.tables.serps import Serps
from runoff.verbs._board_evidence import board_evidence
from runoff.verbs._comparing import multi_comparison
from runoff.verbs._ipso_board import IpsoOptions, ipso_board_of, ipso_shares, needed_depth
from runoff.verbs._labels import TaskSource
from runoff.verbs.audit import OVERLAP_DEPTH, AuditOptions, audit_measures, audit_of
from runoff.verbs.board import DEFAULT_TRIALS, board_of
from runoff.verbs.reliability import ReliabilityTableResult, reliability_of
from runoff.verbs.tally import tally
from runoff.verdicts import (
    BoardChecks,
    EvidenceResult,
    LeadVerdict,
    Policy,
    doubts_about,
    lead_verdict,
    rank_verdict,
)

DEFAULT_TOP: Final = 10
REPEAT_RUNS: Final = 40
"""Runs whose pairs are tested on half-splits, those with the best means; all of 150 runs would be 11,175 pairs."""
LABELS_NAME: Final = "labels"
"""What the labels are called where no board.toml names them."""


@checks_arguments
@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """What a report looks at.

    title     instead of the board's
    top       how many runs are shown against the first in detail
    splits    half-splits of the queries, in a full report
    full      everything, unfolded: half-splits, IPSO beside the tests of measures, tables of papers, charts as text
    command   what to type to make the report again
    depth, level, gains  instead of the board's own: the ranks that outcomes and IPSO look at, the lowest relevant
                         grade, and the gain of every grade
    """

    title: str | None = None
    trials: int = DEFAULT_TRIALS
    seed: int = 0
    top: int = DEFAULT_TOP
    splits: int = 100
    full: bool = False
    command: str = ""
    depth: int | None = None
    level: int | None = None
    gains: Sequence[float] | None = None


def report_of(
    source: str | os.PathLike[str] | Board,
    *,
    found: BoardInputs | None = None,
    measures: Sequence[Measure] = (),
    options: ReportOptions | None = None,
    judgments: JudgmentSources = (),
    tasks: TaskSource | None = None,
    preferences: Shown | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> ReportResult:
    """What can be said about a board: who leads, whether that is certain, how the top runs differ, what to doubt.

    Each run file is read once.

    source       a `board.toml`, or a `Board`, such as `listed_board` makes of runs and qrels
    found        the runs and labels of the board, where they are not in files
    measures     measures beside the board's own
    judgments    files of judged pairs, which are tallied with the first labels and all runs
    tasks        the task file of the judgments, which knows the test pairs
    preferences  a tally of them that is there already, instead
    """
    options = options or ReportOptions()
    judgment_files = as_judgments(judgments)
    if judgment_files or tasks is not None:
        _check_judgments(judgment_files, tasks, preferences)
    board = source if isinstance(source, Board) else read_board(source)
    sources = [run.path for run in board.runs] if found is None else found.sources
    board = replace(board, runs=described_runs(board.runs, sources))
    board = board if options.title is None else replace(board, title=options.title)
    board = board.overruled(depth=options.depth, level=options.level, gains=options.gains)
    runs = _runs_with_files(board) if found is None else board.runs
    sources = [run.path for run in runs if run.path is not None] if found is None else found.sources
    qrels = None if found is None else {LABELS_NAME: found.qrels}
    sets = read_label_sets(board, reading, whole=PUBLIC not in board.queries, qrels=qrels)
    audit_options = AuditOptions(measures=measures, trials=options.trials, seed=options.seed)
    measures = audit_measures(board, audit_options)
    measure = sets[0].at_own_level(measures)[0]
    compared = asked_of(board, sets[0], measure, options.seed)
    if found is not None:
        compared = replace(compared, measure_note=found.measure_note)
    ipso = _ipso_options(board, compared)
    depth = needed_ranks(measures, compared, needed_depth(ipso) if options.full else ipso.chosen_depths()[-1])
    read = read_runs(
        sources,
        *(labels.scoring(measures, keep_serps=labels is sets[0]) for labels in sets),
        depth=depth,
        top=OVERLAP_DEPTH,
        names=[run.name for run in runs],
        reading=reading,
        progress=progress,
    )
    data = board_data(board, runs, sets[0], read, measure, compared)
    ranked = board_of(data, trials=options.trials, seed=options.seed)
    conditions = conditions_of(board, measures, sets, read)
    described = None if isinstance(source, Board) else Path(source)
    with ThreadPoolExecutor(usable_cores()) as pool:  # parts that need nothing of each other
        ipso_part = pool.submit(_ipso, board, data, ipso, full=options.full)
        origin_part = pool.submit(_origin, board, described, data, options, _named_files(judgment_files, tasks))
        audit_part = pool.submit(audit_of, board, conditions, read.tops, options=audit_options)
        repeats, unrepeated = _repeats(data, ranked.ranks.order, options) if options.full else (None, {})
    audited, (shares, orderings, unordered) = audit_part.result(), ipso_part.result()
    ratios = None
    if judgment_files:
        tally_options = TallyOptions(policy=data.policy, trials=options.trials, seed=options.seed)
        tallied = tally(
            judgment_files, runs=read.tops, qrels=sets[0].qrels, tasks=tasks, options=tally_options, reading=reading
        )
        preferences = tallied
        ratios = tallied.board.ratios if tallied.board is not None else None
    challengers = ranked.comparisons[: max(options.top - 1, 1)]
    evidence = _evidence(ranked, private_scores(sets[0], read, measure), ratios)
    labels = None if data.serps is None else label_facts(data.serps, ranked.ranks.order, level=sets[0].level)
    lead = _lead(ranked, audited)
    inputs = ReportInputs(
        title=board.title,
        runs=board.runs,
        board=ranked,
        ranks=ranked.ranks,
        lead=lead,
        doubts=doubts_about(_checks(ranked, audited, lead, evidence, labels, shares)),
        comparisons=ranked.comparisons,
        evidence=evidence,
        multi_comparison=multi_comparison(challengers) if challengers else None,
        shares=shares,
        ipso=orderings,
        audit=audited,
        repeats=repeats,
        reliability=repeats.reliability if repeats else None,
        labels=labels,
        preferences=preferences,
        origin=origin_part.result(),
        full=options.full,
        missing={**unordered, **unrepeated},
    )
    return ReportResult(
        title=board.title,
        about=f"{counted(len(data.runs), 'run')} on {counted(ranked.ranks.queries, 'query', 'queries')}, by {measure}",
        headline=lead.sentence,
        sections=sections_of(inputs),
        origin=inputs.origin,
        full=options.full,
        board=ranked,
        audit=audited,
        inputs=inputs,
    )


def _runs_with_files(board: Board) -> tuple[BoardRun, ...]:
    runs = tuple(run for run in board.runs if run.path is not None)
    if not runs:
        raise UsageError(
            "no run of the board has a file; expected run files, since published means say nothing about how sure an "
            "order is; add paths to [[runs]], or see `runoff.verbs.report.published_report`"
        )
    return runs


def _check_judgments(judgments: Sequence[JudgmentSource], tasks: TaskSource | None, preferences: Shown | None) -> None:
    if judgments and preferences is not None:
        raise UsageError("judgments and a tally of them; expected one of the two; leave the other out")
    if tasks is not None and not judgments:
        raise UsageError("tasks without judgments; expected the judgments of these tasks; add them")


def _named_files(judgments: Sequence[object], tasks: object) -> list[tuple[str, str | os.PathLike[str]]]:
    """The files among the judgments and tasks, with what each is for."""
    sources = [("judgments", source) for source in judgments] + [("tasks", tasks)]
    return [(role, source) for role, source in sources if isinstance(source, (str, os.PathLike))]


def _evidence(
    ranked: BoardResult, private: tuple[str, Scores] | None, ratios: WinRatiosResult | None
) -> tuple[EvidenceResult, ...]:
    """All evidence about the runs next to the leader, with private queries and judgments of people."""
    if not ranked.comparisons:
        return ()
    return board_evidence(ranked, top=MOST + 1, elsewhere=private, ratios=ratios).evidence


def _ipso_options(board: Board, compared: CompareOptions) -> IpsoOptions:
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


def _lead(ranked: BoardResult, audited: AuditResult) -> LeadVerdict:
    """The verdict on the leader, with what the audit says against it."""
    leader = ranked.leader
    decisions, (first, *others) = ranked.decided.decisions, ranked.ranks.order
    verdicts = {decisions.runs[place]: rank_verdict(decisions, place, first) for place in others}
    led = audited.orders.led if audited.orders and audited.orders.runs[0] == leader.run else (1, 1)
    fired = audited.monitor.fired if audited.monitor else ()
    alarm = bool(leader.team) and any(alarm.change.team == leader.team for alarm in fired)
    return lead_verdict(leader.run, verdicts, tied=ranked.ranks.leaders[1:], led=led, alarm=alarm)


def _checks(
    ranked: BoardResult,
    audited: AuditResult,
    lead: LeadVerdict,
    evidence: Sequence[EvidenceResult],
    labels: LabelFactsResult | None,
    shares: DepthShares | None,
) -> BoardChecks:
    """The numbers that can cast doubt on the leader."""
    claims = ranked.claims
    return BoardChecks(
        lead=lead,
        queries=ranked.ranks.queries,
        winner=claims.winner if claims else None,
        resolution=claims.resolution if claims else None,
        evidence=evidence[0] if evidence else None,
        leads=where_it_leads(audited.orders) if audited.orders else "",
        alarms=tuple(alarm.change.team for alarm in audited.monitor.fired) if audited.monitor else (),
        violations=len({(violation.team, violation.name) for violation in audited.submissions.violations}),
        unjudged=labels.unjudged if labels else None,
        freedom=shares.nonseparable if shares else None,
    )


def _ipso(
    board: Board, data: BoardData, options: IpsoOptions, *, full: bool
) -> tuple[DepthShares | None, IpsoBoardResult | None, dict[str, str]]:
    """How often measures must agree, and all of IPSO for a full report; None where that is not known, and why."""
    if data.serps is None:
        why = (
            f"The sections about differences, measures and labels are left out: {data.scores.measure} is computed by "
            "ir_measures, so the ranked lists are not known."
        )
        return None, None, {"outcomes": why}
    if len(data.serps) < 2:
        return None, None, {}
    try:
        if not full:
            return ipso_shares(data.serps, options), None, {}
        policy = Policy(alpha=board.alpha, correction="none")
        ipso = ipso_board_of("Innate orderings of all pairs of runs", data.serps, options, policy)
        return ipso.shares[-1], ipso, {}
    except UsageError as error:  # graded labels without gains: everything else can still be shown
        return None, None, {"measures": f"The section about measures is left out: {error}."}


def _repeats(
    data: BoardData, order: Sequence[int], options: ReportOptions
) -> tuple[ReliabilityTableResult | None, dict[str, str]]:
    """Whether the tests repeat; None where that cannot be options, with the section that lacks it and why."""
    if len(data.runs) < 2:
        return None, {}
    best = [data.scores.runs[place] for place in order[:REPEAT_RUNS]]
    places = [place for place, name in enumerate(data.scores.runs) if name in best]
    scores = replace(
        data.scores, runs=tuple(data.scores.runs[place] for place in places), values=data.scores.values[:, places]
    )
    try:
        return reliability_of(scores, splits=options.splits, alpha=data.policy.alpha, seed=options.seed), {}
    except UsageError as error:
        return None, {"repeats": f"The section about half-splits is left out: {error}."}


def _origin(
    board: Board,
    described: Path | None,
    data: BoardData,
    options: ReportOptions,
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
        "Bootstrap samples": f"{options.trials:,}",
        "Half-splits": f"{options.splits:,}",
        "Seed": f"{options.seed}",
        "Tie rule": data.tie_rule or "",
    }
    versions = {"runoff": version("runoff"), "numpy": version("numpy"), "Python": platform.python_version()}
    folder = described.parent if described else None
    return Origin(files=input_files(named, folder), settings=settings, versions=versions, command=options.command)


def label_facts(serps: Sequence[Serps], order: Sequence[int], *, level: int = 1) -> LabelFactsResult:
    """What is judged of some runs, in the given order of their places."""
    relevant = serps[0].relevant(level)
    runs = tuple(
        RunLabels(
            run=run.run,
            unjudged_first=run.unjudged_share(1),
            unjudged_top=run.unjudged_share(TOP),
            missing_queries=run.missing_queries,
            tied_lists=int(run.depth_tied.sum()),
            dropped_duplicates=run.dropped,
        )
        for run in (serps[place] for place in order)
    )
    return LabelFactsResult(
        runs=runs,
        unjudged=float(np.mean([run.unjudged_top for run in runs])),
        queries=len(relevant),
        relevant=float(relevant.mean()),
        without=int((relevant == 0).sum()),
        depth=serps[0].depth,
        tie_rule=serps[0].tie_rule,
        remarks=tuple(dropped_notes([Fit.of_serps(serps[place]) for place in order])),
    )
