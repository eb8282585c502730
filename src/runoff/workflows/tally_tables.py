"""The tables of a tally."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from runoff.preferences import BetterThanPerfectResult, ImpactResult, WinRatiosResult
from runoff.reports import Column, Grid, machine_name
from runoff.reports.grid import Value
from runoff.significance.corrections import spoken_correction
from runoff.verdicts.win_ratio_marks import WinRatioMarks
from runoff.workflows.judgment_files import JudgmentFile
from runoff.workflows.tally_parts import TallyParts

MOST_RUNS: Final = 20
MOST_ASSESSORS: Final = 30


def ratio_grid(ratios: WinRatiosResult, marks: WinRatioMarks) -> Grid:
    """The win ratios of all pairs, as in Table 4 of Arabzadeh et al. 2021; a star is a significant one."""
    order = np.argsort(-ratios.run_wins, kind="stable")[:MOST_RUNS].tolist()
    names = [f"against_{machine_name(ratios.runs[place])}" for place in order]
    if len(set(names)) < len(names):
        names = [f"against_{number}" for number, _ in enumerate(names, start=1)]
    rows: list[list[Value]] = []
    for place in order:
        cells: list[Value] = [ratios.runs[place], int(ratios.run_wins[place])]
        for other in order:
            ratio = float(ratios.ratios[other, place])
            star = "*" if marks.is_significant[other, place] else ""
            cells.append(None if np.isnan(ratio) else f"{ratio:.1%}{star}")
        rows.append(cells)
    unjudged = int(np.triu(ratios.unjudged, 1).sum())
    notes = [
        "How often the row's top document is preferred to the column's, over queries in which they differ.",
        f"*: binomial test at {marks.alpha:g}, {spoken_correction(ratios.correction)} over {ratios.family}.",
    ]
    if unjudged:
        notes.append(f"{unjudged:,} comparisons of top documents were never judged and are not counted.")
    if len(order) < len(ratios.runs):
        notes.append(f"{len(order)} of {len(ratios.runs)} runs, those with most wins; JSON has all.")
    columns = [Column("run", "Run"), Column("wins", "Wins", "count", best="high", help="Runs that it beats.")]
    columns += [Column(name, ratios.runs[place]) for name, place in zip(names, order, strict=True)]
    return Grid(title=f"Win ratios on {ratios.queries:,} queries", columns=columns, rows=rows, notes=notes)


def better_grid(found: Sequence[BetterThanPerfectResult]) -> Grid:
    """Categories A and B of every run, as in Table 2 of Arabzadeh et al. 2021."""
    columns = [Column("run", "Run")]
    for name, what in (("a", "A"), ("b", "B")):
        columns += [
            Column(f"{name}_judged", f"{what} judged", "count"),
            Column(f"{name}_share", f"{what} preferred", "share"),
            Column(f"{name}_low", "from", "share"),
            Column(f"{name}_high", "to", "share"),
        ]
    rows: list[list[Value]] = []
    for one in sorted(found, key=lambda one: -np.nan_to_num(one.differs.preferred.share)):
        cells: list[Value] = [one.run]
        for category in (one.agrees, one.differs):
            share = category.preferred
            judged = share.wins + share.losses + share.even
            cells += [judged, share.share, *(share.ci95 if judged else (None, None))]
        rows.append(cells)
    notes = [
        "A: the run's top document is the first qrel, and is compared with its second one.",
        "B: it is another, and is compared with the qrel; above 50% it is better than the label. 95% intervals.",
    ]
    return Grid(title="Better than perfect", columns=columns, rows=rows[:MOST_RUNS], notes=notes)


def impact_grid(found: ImpactResult) -> Grid:
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
    rows: list[list[Value]] = []
    for place in found.preference.order:
        row: list[Value] = [found.runs[place]]
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
        ],
    )


def assessor_grid(result: TallyParts) -> Grid:
    """Every assessor: tasks, test pairs, agreement with others, sides and time."""
    agree = {one.assessor: one.agrees for one in result.agreement.assessors}
    sides = {one.assessor: one.left for one in result.sides.assessors}
    times = {one.assessor: one for one in result.timing.assessors}
    rows: list[list[Value]] = []
    for one in sorted(result.quality.assessors, key=lambda one: (-one.failed_tests, -one.kept, one.assessor)):
        time, left = times.get(one.assessor), sides.get(one.assessor)
        rows.append(
            [
                one.assessor, one.tasks, one.tests, one.failed_tests, one.kept, one.discarded,
                agree[one.assessor].share if one.assessor in agree else None,
                left.share if left else None, time.median if time else None,
            ]
        )  # fmt: skip
    notes = [] if rows else ["The judgments name no assessor."]
    if len(rows) > MOST_ASSESSORS:
        notes.append(
            f"{MOST_ASSESSORS} of {len(rows):,} assessors, those who failed most test pairs first; JSON has all."
        )
    return Grid(
        title="Assessors",
        columns=[
            Column("assessor", "Assessor"),
            Column("tasks", "Tasks", "count"),
            Column("test_pairs", "Test pairs", "count"),
            Column("failed", "Failed", "count"),
            Column("kept", "Kept", "count"),
            Column("discarded", "Discarded", "count"),
            Column("agrees", "Agrees", "share", help="With the majority of the others on the same pairs."),
            Column("left", "Left", "share"),
            Column("seconds", "Seconds", "number", digits=1, help="The median for a pair."),
        ],
        rows=rows[:MOST_ASSESSORS],
        notes=notes,
    )


def file_grid(files: Sequence[JudgmentFile]) -> Grid:
    """What every file brought."""
    return Grid(
        title="Files",
        columns=[
            Column("file", "File"),
            Column("judgments", "Judgments", "count"),
            Column("repeated", "Repeated", "count"),
            Column("same_as", "Same as"),
        ],
        rows=[[one.name, one.judgments, one.repeated, one.same_as] for one in files],
    )
