"""The tables of a tally."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from runoff.choices import Exclude
from runoff.display import Column, Grid, machine_name
from runoff.display.grid import Value
from runoff.display.rows import grid_at
from runoff.preferences import (
    PERFECT,
    BetterThanPerfectResult,
    BradleyTerryResult,
    CorrectedRatios,
    ImpactResult,
    JudgeError,
    JudgmentAgreement,
    PairingsResult,
    QualityResult,
    RunOrder,
    SideBiasResult,
    TimingResult,
    TournamentResult,
    WinRatiosResult,
)
from runoff.preferences.win_ratios import NOT_POOLED, POOLED
from runoff.results.fit import Fit
from runoff.significance.corrections import spoken_correction
from runoff.tables.preferences import JudgmentFile, Preferences
from runoff.tables.tasks import Tasks
from runoff.verdicts import Policy
from runoff.verdicts.preference_verdicts import WinRatioMarks

DEPTH: Final = 10
"""Ranks of a run that are looked at."""


@dataclass(frozen=True, kw_only=True)
class TallyOptions:
    """What is looked at.

    exclude             what a failed test pair discards: that task's judgments, or all of the assessor
    assessors_per_task  how many assessors should do each task well; None: the most who did one task well
    too_fast            judgments that took fewer seconds are counted as too fast
    bradley_terry       whether to ask that model too; None: if it is installed and there are 1,000 queries at most
    policy              the level of the win ratios; the correction is Bonferroni's, as in the paper
    trials, seed        bootstrap samples of the queries
    """

    exclude: Exclude = "task"
    assessors_per_task: int | None = None
    too_fast: float = 2.0
    bradley_terry: bool | None = None
    policy: Policy = field(default_factory=Policy)
    trials: int = 1000
    seed: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class PreferenceBoard:
    """What judgments say about runs; without qrels there is neither a perfect ranking nor an impact.

    order      whether each run, and the perfect ranking, orders judged pairs as assessors prefer
    one_pair   categories A and B of one run over all queries of the labels; None if it was not asked for
    corrected  the win ratios corrected for the error of judges that its category A implies
    shares     by run, the share of category B corrected for that error; one_pair_share: that of the one run
    fits       which of the judged queries the runs lack
    """

    ratios: WinRatiosResult
    marks: WinRatioMarks
    better_than_perfect: tuple[BetterThanPerfectResult, ...]
    order: tuple[RunOrder, ...]
    impact: ImpactResult | None
    one_pair: BetterThanPerfectResult | None = None
    corrected: CorrectedRatios | None = None
    shares: Mapping[str, CorrectedRatios] = field(default_factory=dict)
    one_pair_share: CorrectedRatios | None = None
    fits: tuple[Fit, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class TallyParts:
    """A tally of judgments.

    files           what every file brought
    table           all judgments, test pairs among them; quality.kept: those that count
    tournament      the best documents of each query; second_opinion: Bradley-Terry's, None if it was not asked
    pairings        how often the original labels win, and new_pairings: the preference qrels
    board           what it means for runs; None without any
    """

    question: TallyOptions
    files: tuple[JudgmentFile, ...]
    table: Preferences
    tasks: Tasks | None
    quality: QualityResult
    agreement: JudgmentAgreement
    sides: SideBiasResult
    timing: TimingResult
    tournament: TournamentResult
    second_opinion: BradleyTerryResult | None
    pairings: PairingsResult | None
    new_pairings: PairingsResult
    board: PreferenceBoard | None


MOST_RUNS: Final = 20
MOST_COLUMNS: Final = 12
MOST_ASSESSORS: Final = 30


def ratio_grid(ratios: WinRatiosResult, marks: WinRatioMarks) -> Grid:
    """The win ratios of all pairs as in Table 4 of Arabzadeh et al. 2021: column over row; a star is significant."""

    def cell(row: int, column: int) -> str:
        ratio, star = float(ratios.ratios[row, column]), "*" if marks.is_significant[row, column] else ""
        shown = "–" if np.isnan(ratio) else f"{ratio:.1%}"
        return f"{shown} ({ratios.counted[row, column]:,}){star}"

    notes = ["In brackets: queries in which the two documents differ, were compared, and did not split evenly."]
    if ratios.family is not None:
        notes.append(
            f"*: binomial test at {marks.alpha:g}, {spoken_correction(ratios.correction)} over {ratios.family}."
        )
    if not ratios.is_pooled.all():
        notes.append(
            f"{NOT_POOLED} Not pooled: its top document was judged in fewer than {POOLED:.0%} of the queries, so its "
            "ratios cover fewer queries, those where it resembles the others, and are not tested."
        )
    unjudged, even = (int(np.triu(part, 1).sum()) for part in (ratios.unjudged, ratios.even))
    if unjudged or even:
        notes.append(f"Not counted: {unjudged:,} comparisons that nobody judged, and {even:,} even splits.")
    return _matrix(f"Win ratios on {ratios.queries:,} queries", ratios, cell, notes)


def corrected_grid(ratios: WinRatiosResult, corrected: CorrectedRatios, error: JudgeError) -> Grid:
    """The win ratios corrected for judges' error, with their intervals: column over row."""

    def cell(row: int, column: int) -> str:
        if np.isnan(corrected.ratios[row, column]):
            return f"– ({ratios.counted[row, column]:,})"
        ratio, low, high = (float(part[row, column]) for part in (corrected.ratios, corrected.low, corrected.high))
        return f"{ratio:.0%} [{low:.0%}, {high:.0%}] ({ratios.counted[row, column]:,})"

    notes = [
        f"(w - e) / (1 - 2e), w the win ratio and e = {error.error:.1%} the error of judges that category A implies.",
        "In square brackets: 95% intervals, which allow for e being an estimate. Tests are those of the win ratios.",
    ]
    return _matrix("Win ratios corrected for judges' error", ratios, cell, notes)


def _matrix(title: str, ratios: WinRatiosResult, cell: Callable[[int, int], str], notes: Sequence[str]) -> Grid:
    """All pairs of the runs that are shown, column over row, with the number of wins below."""
    order = ratios.places(MOST_COLUMNS)
    names = [f"column_{machine_name(ratios.runs[place])}" for place in order]
    if len(set(names)) < len(names):
        names = [f"column_{number}" for number, _ in enumerate(names, start=1)]
    rows: list[list[Value]] = [
        [ratios.marked_runs[row], *(None if row == column else cell(row, column) for column in order)] for row in order
    ]
    rows.append(["wins", *(f"{ratios.run_wins[column]:,}" for column in order)])
    said = ["How often the column's top document is preferred to the row's, over queries in which they differ.", *notes]
    if len(order) < len(ratios.runs):
        said.append(f"{len(order)} of {len(ratios.runs)} runs, pooled ones with most wins first; JSON has all.")
    columns = [Column("run", "Against")]
    columns += [Column(name, ratios.marked_runs[place]) for name, place in zip(names, order, strict=True)]
    return Grid(title=title, columns=columns, rows=rows, notes=said)


def one_pair_grids(found: BetterThanPerfectResult) -> tuple[Grid, Grid]:
    """Tables 1 and 2 of Arabzadeh et al. 2021: how many queries are in each category, and what assessors prefer."""
    kinds = [("A: the label is first", found.agrees.queries), ("B: another document is first", found.differs.queries)]
    if found.no_top:
        kinds.append(("no document", found.no_top))
    total = sum(number for _, number in kinds)
    first = Grid(
        title=f"Categories of {found.run}",
        columns=[
            Column("category", "Category"),
            Column("queries", "Queries", "count"),
            Column("share", "Share", "share"),
        ],
        rows=[[name, number, number / total if total else None] for name, number in [*kinds, ("total", total)]],
    )
    a, b = found.agrees, found.differs
    second = Grid(
        title=f"One pair per query of {found.run}",
        columns=[Column("preferred", "Preferred"), Column("a", "A", "count"), Column("b", "B", "count")],
        rows=[
            ["the label", a.preferred.wins, b.preferred.losses],
            ["the other document", a.preferred.losses, b.preferred.wins],
            ["as many for each", a.preferred.even, b.preferred.even],
            ["not judged", a.unjudged + a.missing, b.unjudged + b.missing],
            ["total", a.queries, b.queries],
        ],
        notes=["The label is compared with the run's second document in A, with its first one in B."],
    )
    return first, second


def better_grid(
    found: Sequence[BetterThanPerfectResult],
    ratios: WinRatiosResult,
    shares: Mapping[str, CorrectedRatios],
    error: JudgeError | None = None,
) -> Grid:
    """Categories A and B of every run, as in Table 2 of Arabzadeh et al. 2021; B also corrected for judges' error."""
    columns, marked = [Column("run", "Run")], dict(zip(ratios.runs, ratios.marked_runs, strict=True))
    for name, what in (("a", "A"), ("b", "B")):
        columns += [
            Column(f"{name}_judged", f"{what} judged", "count"),
            Column(f"{name}_share", f"{what} preferred", "share"),
            Column(f"{name}_low", "from", "share"),
            Column(f"{name}_high", "to", "share"),
        ]
    if error:
        columns += [
            Column("b_corrected", "B corrected", "share"),
            Column("b_corrected_low", "from", "share"),
            Column("b_corrected_high", "to", "share"),
        ]
    rows: list[list[Value]] = []
    for one in sorted(found, key=lambda one: -np.nan_to_num(one.differs.preferred.share)):
        cells: list[Value] = [marked[one.run]]
        for category in (one.agrees, one.differs):
            share = category.preferred
            cells += [share.counted, share.share, *(share.ci95 if share.counted else (None, None))]
        if error:
            truly = shares[one.run]
            cells += [float(truly.ratios), float(truly.low), float(truly.high)]
        rows.append(cells)
    notes = [
        "A: the run's top document is the label, and is compared with its second one.",
        "B: it is another, and is compared with the label; above 50% it is better than the label. 95% intervals.",
    ]
    if error:
        notes.append(f"B corrected: how often it is truly better, if judges err in {error.error:.1%} of the pairs.")
    if len(rows) > MOST_RUNS:
        notes.append(f"{MOST_RUNS} of {len(rows)} runs; JSON has all.")
    return Grid(title="Better than perfect", columns=columns, rows=rows[:MOST_RUNS], notes=notes)


def order_grid(found: Sequence[RunOrder], depth: int) -> Grid:
    """How often each run ranks the preferred document of a judged pair higher; section 4.1 of Arabzadeh et al. 2021."""
    columns = [Column("run", "Run")]
    for name, what in (("both", "Both ranked"), ("any", "One ranked")):
        columns += [
            Column(f"{name}_pairs", what, "count"),
            Column(f"{name}_share", "agrees", "share"),
            Column(f"{name}_low", "from", "share"),
            Column(f"{name}_high", "to", "share"),
        ]
    rows: list[list[Value]] = []
    for run in sorted(found, key=lambda run: (run.run != PERFECT, -np.nan_to_num(run.both.share))):
        cells: list[Value] = [run.run]
        for part in (run.both, run.any):
            cells += [part.pairs, part.share, *(part.ci95 if part.pairs else (None, None))]
        rows.append(cells)
    notes = [
        f"How often a run ranks the preferred document of a judged pair higher, in its first {depth} ranks.",
        "Both ranked: it has both documents there. One ranked: at least one, ahead of one that is missing.",
        "95% intervals allow for pairs of one query being correlated.",
    ]
    if len(rows) > MOST_RUNS:
        notes.append(f"{MOST_RUNS} of {len(rows)} runs; JSON has all.")
    return Grid(title="Order of judged pairs", columns=columns, rows=rows[:MOST_RUNS], notes=notes)


def impact_grid(found: ImpactResult, ratios: WinRatiosResult) -> Grid:
    """Means and ranks under the original and the preference qrels, as in Figure 6 of Arabzadeh et al. 2021."""
    columns = [
        Column("run", "Run"),
        Column("original", "Original", "number", best="high"),
        Column("original_low", "from", "number"),
        Column("original_high", "to", "number"),
        Column("rank", "Rank", "number", digits=1),
        Column("preference", "Preference", "number", best="high"),
        Column("preference_low", "from", "number"),
        Column("preference_high", "to", "number"),
        Column("new_rank", "New rank", "number", digits=1),
        Column("own_documents", "Own docs", "count", help="Judged documents that it alone brought."),
        Column("rank_without", "Rank without", "number", digits=1, help="Its rank if these had not been pooled."),
    ]
    marked = dict(zip(ratios.runs, ratios.marked_runs, strict=True))
    perfect: list[Value] = [marked[PERFECT]]
    for one in (found.perfect_original, found.perfect):
        perfect += [float(one.means[0]), *one.mean_ci95[0].tolist(), None]
    rows: list[list[Value]] = [[*perfect, None, None]]
    for place in found.preference.order:
        row: list[Value] = [marked[found.runs[place]]]
        for one in (found.original, found.preference):
            row += [float(one.means[place]), *one.mean_ci95[place].tolist(), float(one.ranks[place])]
        without = found.left_out[place] if found.left_out else None
        rows.append([*row, without.documents if without else None, without.rank if without else None])
    return Grid(
        title=f"Impact on {found.measure}, {found.queries:,} queries",
        columns=columns,
        rows=rows,
        notes=[
            f"95% intervals from {found.preference.trials:,} bootstrap samples, seed {found.preference.seed}.",
            "Rank without: by the preference qrels that the run's own documents had no part in.",
            "The perfect ranking has the label of every query on top, and is not ranked.",
        ],
    )


def assessor_grid(result: TallyParts) -> Grid:
    """Every assessor: tasks, test pairs, agreement with others, sides and time."""
    agree = {one.assessor: one.agrees for one in result.agreement.assessors}
    sides = {one.assessor: one.left for one in result.sides.assessors}
    times = {one.assessor: one for one in result.timing.assessors}
    rows = [
        {
            "tasks": tasks,
            "agrees": agree.get(tasks.assessor),
            "left": sides.get(tasks.assessor),
            "time": times.get(tasks.assessor),
        }
        for tasks in sorted(result.quality.assessors, key=lambda row: (-row.failed_tests, -row.kept, row.assessor))
    ]
    notes = [] if rows else ["The judgments name no assessor."]
    if len(rows) > MOST_ASSESSORS:
        notes.append(
            f"{MOST_ASSESSORS} of {len(rows):,} assessors, those who failed most test pairs first; JSON has all."
        )
    columns = {
        "tasks.assessor": Column("assessor", "Assessor"),
        "tasks.tasks": Column("tasks", "Tasks", "count"),
        "tasks.tests": Column("test_pairs", "Test pairs", "count"),
        "tasks.failed_tests": Column("failed", "Failed", "count"),
        "tasks.kept": Column("kept", "Kept", "count"),
        "tasks.discarded": Column("discarded", "Discarded", "count"),
        "agrees.share": Column("agrees", "Agrees", "share", help="With the majority of the others on the same pairs."),
        "left.share": Column("left", "Left", "share"),
        "time.median": Column("seconds", "Seconds", "number", digits=1, help="The median for a pair."),
    }
    return grid_at(rows[:MOST_ASSESSORS], columns, title="Assessors", notes=notes)


def file_grid(files: Sequence[JudgmentFile]) -> Grid:
    """What every file brought."""
    columns = {
        "name": Column("file", "File"),
        "judgments": Column("judgments", "Judgments", "count"),
        "repeated": Column("repeated", "Repeated", "count"),
        "same_as": Column("same_as", "Same as"),
    }
    return grid_at(files, columns, title="Files")
