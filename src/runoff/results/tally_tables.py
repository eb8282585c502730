"""The tables of a tally."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from runoff.arguments import checks_arguments
from runoff.boards.stability import StabilityResult
from runoff.choices import Exclude
from runoff.display import Grid
from runoff.display.rows import Row, column, each, ends, grid_of, row_class, row_of
from runoff.preferences import (
    PERFECT,
    BetterThanPerfectResult,
    CorrectedRatios,
    ImpactResult,
    JudgeError,
    JudgmentAgreement,
    PairingsResult,
    PreferredShare,
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

Interval: TypeAlias = tuple[float, float]
DEPTH: Final = 10
"""Ranks of a run that are looked at."""


@checks_arguments
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
    tournament      the best documents of each query; second_opinion: the queries for which
                    Bradley-Terry names another one, None if it was not asked
    pairings        how often the original labels win, and new_pairings: the preference qrels
    board           what it means for runs; None without any
    """

    options: TallyOptions
    files: tuple[JudgmentFile, ...]
    table: Preferences
    tasks: Tasks | None
    quality: QualityResult
    agreement: JudgmentAgreement
    sides: SideBiasResult
    timing: TimingResult
    tournament: TournamentResult
    second_opinion: tuple[str, ...] | None
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


@row_class
class MatrixRow:
    """One run against each of the others; the last row counts the wins of each."""

    run: str = column("Against")
    cells: Mapping[str, str | None] = each(name="column_{}")


def _matrix(title: str, ratios: WinRatiosResult, cell: Callable[[int, int], str], notes: Sequence[str]) -> Grid:
    """All pairs of the runs that are shown, column over row, with the number of wins below."""
    order = ratios.order[:MOST_COLUMNS]
    names = ratios.marked_runs
    rows = [
        MatrixRow(names[row], {names[column]: None if row == column else cell(row, column) for column in order})
        for row in order
    ]
    rows.append(MatrixRow("wins", {names[column]: f"{ratios.run_wins[column]:,}" for column in order}))
    notes = ["How often the column's top document is preferred to the row's, on queries where they differ.", *notes]
    if len(order) < len(ratios.runs):
        notes.append(f"{len(order)} of {len(ratios.runs)} runs, pooled ones with most wins first; JSON has all.")
    return grid_of(MatrixRow, rows, title=title, notes=notes)


@row_class
class CategoryRow:
    """How many queries of a run are in a category."""

    category: str = column("Category")
    queries: int = column("Queries", "count")
    share: float | None = column("Share", "share")


@row_class
class PreferredRow:
    """How many queries of each category have an outcome."""

    preferred: str = column("Preferred")
    a: int = column("A", "count")
    b: int = column("B", "count")


def one_pair_grids(found: BetterThanPerfectResult) -> tuple[Grid, Grid]:
    """Tables 1 and 2 of Arabzadeh et al. 2021: how many queries are in each category, and what assessors prefer."""
    a, b = found.agrees, found.differs
    kinds = [("A: the label is first", a.queries), ("B: another document is first", b.queries)]
    if found.no_top:
        kinds.append(("no document", found.no_top))
    total = sum(number for _, number in kinds)
    categories = [CategoryRow(name, number, number / total if total else None) for name, number in kinds]
    outcomes = [
        PreferredRow("the label", a.preferred.wins, b.preferred.losses),
        PreferredRow("the other document", a.preferred.losses, b.preferred.wins),
        PreferredRow("as many for each", a.preferred.even, b.preferred.even),
        PreferredRow("not judged", a.unjudged + a.missing, b.unjudged + b.missing),
        PreferredRow("total", a.queries, b.queries),
    ]
    categories.append(CategoryRow("total", total, 1.0 if total else None))
    note = "The label is compared with the run's second document in A, with its first one in B."
    return (
        grid_of(CategoryRow, categories, title=f"Categories of {found.run}"),
        grid_of(PreferredRow, outcomes, title=f"One pair per query of {found.run}", notes=[note]),
    )


@row_class
class BetterRow:
    """Categories A and B of a run; B also corrected for judges' error, where that can be done."""

    run: str = column("Run")
    a_judged: int = column("A judged", "count")
    a_share: float = column("A preferred", "share")
    a_ci95: Interval | None = ends("a_low", "from", "a_high", "to", "share")
    b_judged: int = column("B judged", "count")
    b_share: float = column("B preferred", "share")
    b_ci95: Interval | None = ends("b_low", "from", "b_high", "to", "share")
    b_corrected: float | None = column("B corrected", "share")
    b_corrected_ci95: Interval | None = ends("b_corrected_low", "from", "b_corrected_high", "to", "share")


def better_grid(
    results: Sequence[BetterThanPerfectResult],
    ratios: WinRatiosResult,
    shares: Mapping[str, CorrectedRatios],
    error: JudgeError | None = None,
) -> Grid:
    """Categories A and B of every run, as in Table 2 of Arabzadeh et al. 2021; B also corrected for judges' error."""
    marked, rows = dict(zip(ratios.runs, ratios.marked_runs, strict=True)), []
    for result in sorted(results, key=lambda result: -np.nan_to_num(result.differs.preferred.share)):
        a, b = result.agrees.preferred, result.differs.preferred
        truly = shares[result.run] if error else None
        corrected = (float(truly.ratios), (float(truly.low), float(truly.high))) if truly else (None, None)
        rows.append(BetterRow(marked[result.run], *_preferred(a), *_preferred(b), *corrected))
    notes = [
        "A: the run's top document is the label, and is compared with its second one.",
        "B: it is another, and is compared with the label; above 50% it is better than the label. 95% intervals.",
    ]
    if error:
        notes.append(f"B corrected: how often it is truly better, if judges err in {error.error:.1%} of the pairs.")
    without = () if error else ("b_corrected", "b_corrected_ci95")
    return _first_runs(BetterRow, rows, "Better than perfect", notes, without)


def _preferred(found: PreferredShare) -> tuple[int, float, Interval | None]:
    return found.counted, found.share, found.ci95 if found.counted else None


def _first_runs(
    row_type: type[Row], rows: Sequence[Row], title: str, notes: Sequence[str], without: Sequence[str] = ()
) -> Grid:
    more = [f"{MOST_RUNS} of {len(rows)} runs; JSON has all."] if len(rows) > MOST_RUNS else []
    return grid_of(row_type, rows[:MOST_RUNS], title=title, notes=[*notes, *more], without=without)


@row_class
class OrderRow:
    """How often a run ranks the preferred document of a judged pair higher."""

    run: str = column("Run")
    both_pairs: int = column("Both ranked", "count")
    both_share: float = column("agrees", "share")
    both_ci95: Interval | None = ends("both_low", "from", "both_high", "to", "share")
    any_pairs: int = column("One ranked", "count")
    any_share: float = column("agrees", "share")
    any_ci95: Interval | None = ends("any_low", "from", "any_high", "to", "share")


def order_grid(orders: Sequence[RunOrder], depth: int) -> Grid:
    """How often each run ranks the preferred document of a judged pair higher; section 4.1 of Arabzadeh et al. 2021."""
    rows = []
    for order in sorted(orders, key=lambda order: (order.run != PERFECT, -np.nan_to_num(order.both.share))):
        both, some = order.both, order.any
        ends_of_both, ends_of_some = (part.ci95 if part.pairs else None for part in (both, some))
        rows.append(OrderRow(order.run, both.pairs, both.share, ends_of_both, some.pairs, some.share, ends_of_some))
    notes = [
        f"How often a run ranks the preferred document of a judged pair higher, in its first {depth} ranks.",
        "Both ranked: it has both documents there. One ranked: at least one, ahead of one that is missing.",
        "95% intervals allow for pairs of one query being correlated.",
    ]
    return _first_runs(OrderRow, rows, "Order of judged pairs", notes)


@row_class
class ImpactRow:
    """Mean and rank of a run under the original and the preference qrels; the perfect ranking has no rank."""

    run: str = column("Run")
    original: float = column("Original", "number", best="high")
    original_ci95: Interval = ends("original_low", "from", "original_high", "to", "number")
    rank: float | None = column("Rank", "number", digits=1)
    preference: float = column("Preference", "number", best="high")
    preference_ci95: Interval = ends("preference_low", "from", "preference_high", "to", "number")
    new_rank: float | None = column("New rank", "number", digits=1)
    own_documents: int | None = column("Own docs", "count", help="Judged documents that it alone brought.")
    rank_without: float | None = column(
        "Rank without", "number", digits=1, help="Its rank if these had not been pooled."
    )


def impact_grid(found: ImpactResult, ratios: WinRatiosResult) -> Grid:
    """Means and ranks under the original and the preference qrels, as in Figure 6 of Arabzadeh et al. 2021."""
    marked = dict(zip(ratios.runs, ratios.marked_runs, strict=True))
    perfect = *_mean(found.perfect_original, 0), None, *_mean(found.perfect, 0), None
    rows = [ImpactRow(marked[PERFECT], *perfect, None, None)]
    for place in found.preference.order:
        old, new = _mean(found.original, place), _mean(found.preference, place)
        ranks = float(found.original.ranks[place]), float(found.preference.ranks[place])
        without = found.left_out[place] if found.left_out else None
        alone = (without.documents, without.rank) if without else (None, None)
        rows.append(ImpactRow(marked[found.runs[place]], *old, ranks[0], *new, ranks[1], *alone))
    return grid_of(
        ImpactRow,
        rows,
        title=f"Impact on {found.measure}, {found.queries:,} queries",
        notes=[
            f"95% intervals from {found.preference.trials:,} bootstrap samples, seed {found.preference.seed}.",
            "Rank without: by the preference qrels that the run's own documents had no part in.",
            "The perfect ranking has the label of every query on top, and is not ranked.",
        ],
    )


def _mean(stability: StabilityResult, place: int) -> tuple[float, Interval]:
    low, high = stability.mean_ci95[place].tolist()
    return float(stability.means[place]), (low, high)


@row_class
class AssessorRow:
    """An assessor: tasks, test pairs, agreement with others, sides and time."""

    assessor: str = column("Assessor")
    tasks: int = column("Tasks", "count")
    tests: int = column("Test pairs", "count")
    failed_tests: int = column("Failed", "count")
    kept: int = column("Kept", "count")
    discarded: int = column("Discarded", "count")
    agrees: float | None = column("Agrees", "share", help="With the majority of the others on the same pairs.")
    left: float | None = column("Left", "share")
    seconds: float | None = column("Seconds", "number", digits=1, help="The median for a pair.")


def assessor_grid(result: TallyParts) -> Grid:
    """Every assessor, those who failed most test pairs first."""
    agrees = {assessor.assessor: assessor.agrees.share for assessor in result.agreement.assessors}
    sides = {assessor.assessor: assessor.left.share for assessor in result.sides.assessors}
    times = {assessor.assessor: assessor.median for assessor in result.timing.assessors}
    found = sorted(result.quality.assessors, key=lambda row: (-row.failed_tests, -row.kept, row.assessor))
    notes = []
    if len(found) > MOST_ASSESSORS:
        notes.append(
            f"{MOST_ASSESSORS} of {len(found):,} assessors, those who failed most test pairs first; JSON has all."
        )
    rows = [
        row_of(AssessorRow, row, agrees=agrees.get(name), left=sides.get(name), seconds=times.get(name))
        for name, row in ((row.assessor, row) for row in found[:MOST_ASSESSORS])
    ]
    return grid_of(AssessorRow, rows, title="Assessors", notes=notes)


@row_class
class FileRow:
    """What a file brought."""

    name: str = column("File")
    judgments: int = column("Judgments", "count")
    repeated: int = column("Repeated", "count")
    same_as: str | None = column("Same as")


def file_grid(files: Sequence[JudgmentFile]) -> Grid:
    """What every file brought."""
    return grid_of(FileRow, [row_of(FileRow, file) for file in files], title="Files")
