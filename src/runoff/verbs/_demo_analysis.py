"""The analysis of the demo: board, audit, comparisons and preferences, all from its files."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from runoff.comparisons.options import CompareOptions
from runoff.errors import UsageError
from runoff.files.query_list import read_query_list
from runoff.measures import parse_measure
from runoff.preferences import BetterThanPerfectResult, QualityResult, TournamentResult, WinRatiosResult
from runoff.reading.sources import Progress, as_qrels, as_run
from runoff.reports.result import ReportResult
from runoff.results.audit import AuditResult
from runoff.results.board import BoardResult
from runoff.results.multi_comparison import MultiComparison
from runoff.results.tally import TallyResult
from runoff.results.tally_tables import TallyOptions
from runoff.simulation.year import SimulatedYear
from runoff.simulation.year.judging import JUDGMENTS_PER_PAIR, pooled_runs
from runoff.tables.qrels import Qrels
from runoff.verbs._demo_files import MEASURE, DemoFiles
from runoff.verbs.compare import compare
from runoff.verbs.report import ReportOptions, report_of
from runoff.verbs.tally import tally

SPLITS: Final = 20  # a fifth of the usual: half-splits are most of the work of a report
_TRIALS: Final = 1000  # of the two tests that resample: enough here, where no verdict uses them
_RANKS: Final = 10  # of each run that the tally looks at


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedLabels:
    """What the preference judgments say.

    checked     the judgments that count, and the assessors who are out
    winners     the tournament of every judged query
    ratios      all pairs of runs and of the perfect ranking
    differs     the run that is better than the labels beside them
    label_best  share of the judged queries in which the label is truly the best document of the pool; winner_best: in
                which the winner of the tournament is, with several winners drawn at random
    """

    checked: QualityResult
    winners: TournamentResult
    ratios: WinRatiosResult
    differs: BetterThanPerfectResult
    label_best: float
    winner_best: float


@dataclass(frozen=True, kw_only=True, eq=False)
class DemoAnalysis:
    """All that was computed; `multi_comparison` is on the public queries, with the champion's run as champion."""

    report: ReportResult
    multi_comparison: MultiComparison
    labels: JudgedLabels

    @property
    def board(self) -> BoardResult:
        """The board on the public queries."""
        return self.report.board

    @property
    def audit(self) -> AuditResult:
        """The audit of the board."""
        return self.report.audit


def analyse_demo(year: SimulatedYear, files: DemoFiles, *, progress: Progress | None = None) -> DemoAnalysis:
    """Analyse the files of a demo as a stranger would; of the year only the names of the runs are used."""
    seed = year.config.seed
    sparse = as_qrels(files.labels("sparse"))
    public = sparse.only(read_query_list(files.queries("public")))
    champion, *challengers = (year.plan(role).name for role in ("champion", "lucky", "trade_off"))
    options = ReportOptions(seed=seed, splits=SPLITS, command=f"runoff demo {files.folder} --seed {seed}")
    with ThreadPoolExecutor(1) as pool:
        makes_contest = pool.submit(
            compare,
            files.run(champion),
            [files.run(name) for name in challengers],
            public,
            options=CompareOptions(measures=MEASURE, depth=year.config.depth, seed=seed, trials=_TRIALS),
        )
        tallied = _tally(year, files, sparse)
        made = report_of(
            files.board, measures=[parse_measure("nDCG@10")], options=options, preferences=tallied, progress=progress
        )
    return DemoAnalysis(report=made, multi_comparison=makes_contest.result(), labels=_judged_labels(year, tallied))


def _tally(year: SimulatedYear, files: DemoFiles, sparse: Qrels) -> TallyResult:
    """The judgments, beside all runs and the labels of the judged queries."""
    judged = sparse.only([year.questions.query_ids[row] for row in year.judged.tolist()])
    runs = [as_run(files.run(name), name=name).top(_RANKS) for name in year.ranked]
    # Without the second opinion of an extra: the demo is the same wherever it is made.
    options = TallyOptions(assessors_per_task=JUDGMENTS_PER_PAIR, bradley_terry=False, seed=year.config.seed)
    return tally(files.judgments, runs=runs, qrels=judged, options=options)


def _judged_labels(year: SimulatedYear, tallied: TallyResult) -> JudgedLabels:
    board = tallied.board
    if board is None:  # never: runs were given
        raise UsageError("the tally of the demo has no runs; expected those that were pooled")
    name = year.plan("better_than_labels").name
    return JudgedLabels(
        checked=tallied.quality,
        winners=tallied.tournament,
        ratios=board.ratios,
        differs=next(one for one in board.better_than_perfect if one.run == name),
        **_best_shares(year, tallied.tournament),
    )


def _best_shares(year: SimulatedYear, won: TournamentResult) -> dict[str, float]:
    """How often the label and the winner are truly the best of the pool."""
    questions = year.questions
    winners = dict(zip(won.query_ids, won.winners, strict=True))
    query_ids = questions.query_ids
    labels = found = 0.0
    for row in year.judged.tolist():
        pool = [int(year.ranked[name][row, 0]) for name in pooled_runs(year)] + [int(questions.label[row])]
        best = max(pool, key=lambda one: questions.value[row, one])
        best_id = f"D{questions.documents[row, best]}"
        labels += bool(best == questions.label[row])
        names = winners.get(query_ids[row], (best_id,))  # a pool of one has nothing to judge
        found += (best_id in names) / len(names)
    return {"label_best": labels / len(year.judged), "winner_best": found / len(year.judged)}
