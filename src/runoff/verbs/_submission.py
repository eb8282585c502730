"""One submission to a board: its rank, its margin over the record, the rules, and the faults of its file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from runoff.boards.near_duplicates import NearDuplicate, near_duplicates
from runoff.boards.submissions import SubmissionRule, Violation, submissions
from runoff.comparisons.options import at_level
from runoff.display import Column, Grid, Shown
from runoff.errors import InputError, UsageError
from runoff.files.board_toml import read_board
from runoff.files.ir_metadata import read_metadata
from runoff.files.submission_folder import read_submission
from runoff.phrases import counted, listed, p_text
from runoff.reading.boards import asked_of, board_data, needed_ranks
from runoff.reading.conditions import read_label_sets
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, as_run
from runoff.results.audit_findings import violation_sentence
from runoff.results.board_parts import BoardRow
from runoff.results.check_messages import MISSING_METADATA
from runoff.results.comparison import Comparison
from runoff.results.fit import check_labels
from runoff.results.power import seen_from, unseen_text
from runoff.tables.board import PUBLIC, Board, BoardRun
from runoff.tables.run_metadata import missing_fields
from runoff.verbs._comparing import quick_comparisons
from runoff.verbs.audit import OVERLAP_DEPTH, AuditOptions, audit_measures
from runoff.verbs.board import DEFAULT_TRIALS, BoardOptions, board_of

__all__ = ["SubmissionResult", "check_submission", "read_submission"]


@dataclass(frozen=True, kw_only=True, eq=False)
class SubmissionResult(Shown):
    """What a board would say about one more run.

    problems      the faults of the file; with any, nothing else is known
    rank          its place on the board, from 1, and of how many
    record        the run to beat: the newest record, or the leader where runs have no dates; None on an empty board
    comparison    the submission against it
    violations    the rules that it breaks
    alike         runs whose top documents are almost the same
    """

    run: BoardRun
    measure: str
    rule: SubmissionRule
    problems: tuple[str, ...] = ()
    problem_count: int = 0
    row: BoardRow | None = None
    rank: tuple[int, int] = (0, 0)
    comparison: Comparison | None = None
    missing_queries: tuple[int, int] = (0, 0)
    dropped: int = 0
    violations: tuple[Violation, ...] = ()
    alike: tuple[NearDuplicate, ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether the file can be used and no rule is broken."""
        return not (self.problems or self.violations)

    @property
    def margin(self) -> float | None:
        """Its mean minus that of the record."""
        return None if self.comparison is None else self.comparison.means.difference

    def to_dict(self) -> dict[str, object]:
        """Everything about the submission."""
        row, comparison = self.row, self.comparison
        return {
            "run": self.run.name,
            "team": self.run.team,
            "date": self.run.date.isoformat() if self.run.date else None,
            "measure": self.measure,
            "fine": self.is_fine,
            "problems": list(self.problems),
            "rank": self.rank[0] or None,
            "runs": self.rank[1] or None,
            "rank_interval": list(row.rank_interval) if row else None,
            "rank_set": list(row.rank_set) if row else None,
            "mean": row.mean if row else None,
            "ci95": list(row.ci95) if row else None,
            "p_first": row.p_first if row else None,
            "record": comparison.champion if comparison else None,
            "margin": self.margin,
            "verdict": comparison.verdict.to_dict() if comparison else None,
            "seen_from": seen_from(comparison.measure_power) if comparison else None,
            "missing_queries": self.missing_queries[0],
            "violations": [violation_sentence(one, self.rule) for one in self.violations],
            "near_duplicates": [self._other(pair) for pair in self.alike],
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """The answer in a sentence, the sentence of the verdict, and what could have been detected."""
        name = self.run.name
        if self.problems:
            return (f"{name} cannot be scored: its file has {counted(self.problem_count, 'fault')}.",)
        rules = counted(len(self.violations), "rule") if self.violations else "no rule"
        first = f"{name} is at rank {self.rank[0]:,} of {self.rank[1]:,} by {self.measure}, and it breaks {rules}."
        if self.comparison is None:
            return (first,)
        unseen = unseen_text(self.comparison.powers)
        return first, " ".join(filter(None, (self.comparison.verdict.sentence, unseen)))

    def grid(self) -> Grid:
        """A row per finding."""
        return Grid(
            title=f"Submission {self.run.name}",
            columns=[Column("what", "What"), Column("finding", "Finding")],
            rows=[list(row) for row in (*self._about(), *self._numbers(), *self._faults())],
        )

    def _about(self) -> list[tuple[str, str]]:
        run = self.run
        about = [("Team", run.team), ("Date", run.date.isoformat() if run.date else "")]
        return [(heading, value) for heading, value in about if value]

    def _numbers(self) -> list[tuple[str, str]]:
        if self.row is None:
            return []
        (low, high), (best, worst) = self.row.ci95, self.row.rank_set
        possible = f" {best:,}" if best == worst else f"s {best:,} to {worst:,}"
        rows = [
            ("Rank", f"{self.rank[0]:,} of {self.rank[1]:,}, possible rank{possible}"),
            (f"Mean {self.measure}", f"{self.row.mean:.4f}, 95% interval {low:.4f} to {high:.4f}"),
        ]
        if self.comparison is not None:
            verdict = self.comparison.verdict
            test = f"{verdict.policy.measure_label}, {p_text(verdict.measure.p)}"
            rows += [
                (f"Margin over {self.comparison.champion}", f"{self.comparison.means.difference:+.4f} ({test})"),
                ("Verdict against it", f"{verdict.spoken} {verdict.marks}".strip()),
            ]
            smallest = seen_from(self.comparison.measure_power)
            if smallest is not None:
                rows.append(("Detectable difference", f"{smallest:.4f}, with 80% power"))
        lacks, queries = self.missing_queries
        rows.append(("Missing queries", f"{lacks:,} of {queries:,}, which score 0" if lacks else "none"))
        if self.dropped:
            rows.append(("Rows dropped", f"{self.dropped:,}, whose documents are listed more than once for a query"))
        return rows

    def _faults(self) -> list[tuple[str, str]]:
        rows = [("Fault of the file", problem) for problem in self.problems]
        more = self.problem_count - len(self.problems)
        rows += [("More faults", f"{more:,}")] if more > 0 else []
        if self.problems:
            return rows
        rows += [("Broken rule", violation_sentence(one, self.rule)) for one in self.violations]
        rows += [("Near-duplicate", f"{self._other(pair)}, overlap {pair.overlap:.1%}") for pair in self.alike]
        return rows or [("Rules", "none broken")]

    def _other(self, pair: NearDuplicate) -> str:
        return pair.first if pair.second == self.run.name else pair.second


def check_submission(
    source: str | os.PathLike[str] | Board,
    run: BoardRun,
    *,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    rule: SubmissionRule | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> SubmissionResult:
    """What a board would say of one more run, on the queries and labels that it ranks by and no others."""
    board = source if isinstance(source, Board) else read_board(source)
    rules = rule or SubmissionRule()
    if run.name in board.names:
        raise UsageError(f"'{run.name}' is on the board already; expected a new name; give --name")
    options = AuditOptions()
    measures = audit_measures(board, options)
    required = board.required_metadata or ()
    missing = missing_fields(run.metadata or ({} if run.path is None else read_metadata(run.path)), required)
    try:
        as_run(str(run.path), name=run.name, reading=reading)
    except InputError as error:
        own = at_level(measures[0], board.level_of())
        return SubmissionResult(
            run=run, measure=str(own), rule=rules, problems=error.problems[:20], problem_count=error.total
        )
    if missing:
        problem = f"{run.path}: {MISSING_METADATA.finding(fields=listed(missing)).sentence}"
        return SubmissionResult(run=run, measure=board.measure, rule=rules, problems=(problem,), problem_count=1)
    grown = replace(board, runs=(*board.runs, run))
    runs = tuple(one for one in grown.runs if one.path is not None)
    labels = read_label_sets(grown, reading, whole=PUBLIC not in grown.queries)[0]
    measure = labels.at_own_level(measures)[0]
    asked = asked_of(grown, labels, measure, seed)
    depth = needed_ranks(measures[:1], asked)
    read = read_runs(
        [one.path for one in runs if one.path is not None],
        labels.scoring(measures[:1], keep_serps=True),
        depth=depth,
        top=OVERLAP_DEPTH,
        names=[one.name for one in runs],
        reading=reading,
        progress=progress,
    )
    try:
        new = read.scored[0][-1]
        check_labels([new.facts], new.query_ids, labels.qrels, depth=depth)
    except InputError as error:
        return SubmissionResult(
            run=run, measure=str(measure), rule=rules, problems=error.problems, problem_count=error.total
        )
    data = board_data(grown, runs, labels, read, measure, asked)
    shown = board_of(data, trials=trials, seed=seed, options=BoardOptions(claims=False, detail="lists", unjudged=False))
    pairs = near_duplicates(read.tops, depth=OVERLAP_DEPTH).pairs if len(runs) > 1 else ()
    sent = submissions(grown.runs, rule=rules, near_duplicates=[(pair.first, pair.second) for pair in pairs])
    place = [row.run for row in shown.rows].index(run.name)
    serps = data.serps_of(run.name) if data.serps is not None else None
    rival = _record(board, data.means, best_is_low=data.best_is_low)
    comparisons: Sequence[Comparison] = ()
    if rival is not None and serps is not None:
        comparisons = quick_comparisons([(data.serps_of(rival), serps)], data.compared, data.policy)
    return SubmissionResult(
        run=run,
        measure=data.scores.measure,
        rule=rules,
        row=shown.rows[place],
        rank=(place + 1, len(shown.rows)),
        comparison=comparisons[0] if comparisons else None,
        missing_queries=(serps.missing_queries, len(data.scores.query_ids)) if serps is not None else (0, 0),
        dropped=serps.dropped if serps is not None else 0,
        violations=tuple(one for one in sent.violations if one.name == run.name),
        alike=tuple(pair for pair in pairs if run.name in (pair.first, pair.second)),
    )


def _record(board: Board, means: dict[str, float], *, best_is_low: bool) -> str | None:
    """The run of the board with the best mean, which a new record has to beat; baselines count too."""
    sign = 1.0 if best_is_low else -1.0
    known = [name for name in board.names if name in means]
    return min(known, key=lambda name: sign * means[name]) if known else None
