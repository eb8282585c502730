"""The analysis of the demo: board, audit, comparisons and preferences, all from its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runoff.files.judgments import read_judgments
from runoff.files.query_list import read_query_list
from runoff.preferences import (
    BetterThanPerfectResult,
    QualityResult,
    TopDocs,
    TournamentResult,
    WinRatiosResult,
    better_than_perfect,
    quality,
    tournament,
    win_ratios,
)
from runoff.simulation.year import SimulatedYear
from runoff.simulation.year.judging import JUDGMENTS_PER_PAIR, pooled_runs
from runoff.tables.qrels import Qrels
from runoff.workflows.audit import AuditQuestion, audit
from runoff.workflows.audit_conditions import shifted
from runoff.workflows.audit_result import AuditResult
from runoff.workflows.board import board_from_file
from runoff.workflows.compare import compare_all
from runoff.workflows.contest import ContestResult
from runoff.workflows.demo_files import MEASURE, DemoFiles
from runoff.workflows.inputs import Progress, as_qrels, as_run
from runoff.workflows.leaderboard import BoardResult
from runoff.workflows.question import Question

PASSES: Final = 4
"""How often each run file is read: once for the board and three times for the audit."""
_TRIALS: Final = 1000  # of the two tests that resample: enough here, where no verdict uses them


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedLabels:
    """What the preference judgments say.

    checked     the judgments that count, and the assessors who are out
    winners     the tournament of every judged query
    ratios      all pairs of the pooled runs and of the perfect ranking
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
    """All that was computed; `contest` is on the public queries, with the champion's run as champion."""

    board: BoardResult
    audit: AuditResult
    contest: ContestResult
    labels: JudgedLabels


def analyse_demo(year: SimulatedYear, files: DemoFiles, *, progress: Progress | None = None) -> DemoAnalysis:
    """Analyse the files of a demo as a stranger would; of the year only the names of the runs are used."""
    seed, runs, total = year.config.seed, len(year.cast), PASSES * len(year.cast)
    sparse = as_qrels(files.labels("sparse"))
    public = sparse.only(read_query_list(files.queries("public")))
    champion, *challengers = (year.plan(role).name for role in ("champion", "lucky", "trade_off"))
    return DemoAnalysis(
        board=board_from_file(files.board, seed=seed, progress=shifted(progress, 0, total)),
        audit=audit(
            files.board,
            question=AuditQuestion(measures=["nDCG@10"], seed=seed),
            progress=shifted(progress, runs, total),
        ),
        contest=compare_all(
            files.run(champion),
            [files.run(name) for name in challengers],
            public,
            question=Question(measure=MEASURE, depth=year.config.depth, seed=seed, trials=_TRIALS),
        ),
        labels=_judged_labels(year, files, sparse),
    )


def _judged_labels(year: SimulatedYear, files: DemoFiles, sparse: Qrels) -> JudgedLabels:
    checked = quality(read_judgments(files.judgments), assessors_per_task=JUDGMENTS_PER_PAIR)
    judged = sparse.only([year.questions.query_ids[row] for row in year.judged.tolist()])
    runs = [as_run(files.run(name), name=name).top(2) for name in pooled_runs(year)]
    tops = TopDocs.joined([TopDocs.of_runs(runs, judged.query_ids), TopDocs.perfect(judged)])
    won = tournament(checked.kept)
    special = runs[pooled_runs(year).index(year.plan("better_than_labels").name)]
    return JudgedLabels(
        checked=checked,
        winners=won,
        ratios=win_ratios(checked.kept, tops),
        differs=better_than_perfect(checked.kept, special, judged),
        **_best_shares(year, won),
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
