"""A board as a table, and the notes below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from runoff.boards.rank_sets import FLIPS
from runoff.boards.stability import StabilityResult
from runoff.display import Column, Grid
from runoff.display.grid import machine_name
from runoff.display.strips import strip
from runoff.results.board_costs import BoardCosts
from runoff.results.board_data import BoardData
from runoff.results.board_rows import BoardRow
from runoff.results.comparison import Comparison
from runoff.results.fit import dropped_notes, fit_notes
from runoff.results.remarks import shared_remarks
from runoff.significance.corrections import spoken_correction
from runoff.verbs._comparing import BoardDecisions
from runoff.verdicts import VerdictOrderResult
from runoff.verdicts.facet import spoken
from runoff.verdicts.power import at_level

STRIP_WIDTH: Final = 30
FEW: Final = 100
FEW_NOTE: Final = (
    f"On fewer than {FEW} queries this confidence can be lower where scores are skewed; `runoff calibrate` measures it."
)


class RankedBoard(Protocol):
    """What the table needs of a board; see `runoff.results.board.BoardResult`."""

    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def data(self) -> BoardData: ...  # noqa: D102
    @property
    def ranks(self) -> StabilityResult: ...  # noqa: D102
    @property
    def rows(self) -> tuple[BoardRow, ...]: ...  # noqa: D102
    @property
    def comparisons(self) -> Sequence[Comparison]: ...  # noqa: D102
    @property
    def verdict_order(self) -> VerdictOrderResult | None: ...  # noqa: D102
    @property
    def decided(self) -> BoardDecisions: ...  # noqa: D102
    @property
    def costs(self) -> BoardCosts | None: ...  # noqa: D102


def board_grid(board: RankedBoard) -> Grid:
    """A row per run."""
    found = board.ranks
    has_teams, has_dates = any(row.team for row in board.rows), any(row.date for row in board.rows)
    columns = [Column("run", "Run"), Column("rank", "Rank", "count")]
    columns += [Column("copeland", "Copeland", "count", signed=True)] if board.verdict_order else []
    columns += [Column("team", "Team")] if has_teams else []
    columns += [Column("date", "Date")] if has_dates else []
    columns += [
        Column("mean", found.measure, "number"),
        Column("low", "95% from", "number"),
        Column("high", "to", "number"),
        Column("rank_set", "Possible ranks"),
        Column("group", "Group", "count"),
        Column("verdict", "Against the leader"),
        Column("p", "p", "p"),
        Column("expected_rank", "Mean rank", "number", digits=1),
        Column("p_first", "P(first)", "share"),
    ]
    if board.comparisons:
        columns += [Column("seen_from", "Detectable Δ", "number")]
    costs = board.costs
    if costs:
        columns += [Column(machine_name(f"cost_{name}"), name, "number", digits=2) for name in costs.names]
        columns += [Column("frontier", "Frontier")]
    columns += [Column("ranks", "Ranks")]
    rows = []
    for rank, row in enumerate(board.rows, start=1):
        about: list[str | int | None] = [row.copeland] if board.verdict_order else []
        about += ([row.team] if has_teams else []) + ([row.date] if has_dates else [])
        word = spoken(row.verdict, row.how) if row.verdict else None
        more: list[str | float | bool | None] = [row.seen_from] if board.comparisons else []
        if costs:
            more += [*costs.values[row.run], costs.frontier.get(row.run)]
        rows.append([
            row.run, rank, *about, row.mean, *row.ci95, rank_range(row.rank_set), row.group, word, row.p,
            row.expected_rank, row.p_first, *more, strip(row.rank_probabilities, width=STRIP_WIDTH),
        ])  # fmt: skip
    return Grid(title=board.title, columns=columns, rows=rows, notes=_notes(board))


def rank_range(ranks: tuple[int, int]) -> str:
    """The ranks that a run could have.

    >>> rank_range((2, 5)), rank_range((1, 1))
    ('2 to 5', '1')
    """
    first, last = ranks
    return f"{first}" if first == last else f"{first} to {last}"


def _notes(board: RankedBoard) -> list[str]:
    found, policy = board.ranks, board.data.policy
    samples = f"{found.trials:,} bootstrap samples of the {found.queries:,} queries, seed {found.seed}"
    notes = [
        f"Intervals, mean ranks and P(first) are over {samples}.",
        (
            f"Possible ranks, groups and verdicts follow from one decision about all pairs of runs at once "
            f"({1 - policy.alpha:.0%} confidence for all runs together; max-t, step down, {FLIPS:,} flips)."
        ),
        *([FEW_NOTE] if found.queries < FEW else []),
        "Group: runs that are not shown to be worse than the first of the group.",
        "Ranks, from the first to the last: · ░ ▒ ▓ █ from rarely to almost always there.",
    ]
    constant = int(board.decided.decisions.is_constant.sum()) // 2
    if constant:
        pairs = "1 pair of runs differs" if constant == 1 else f"{constant:,} pairs of runs differ"
        notes.append(f"{pairs} by the same on every query: a constant difference, of which nothing can be claimed.")
    if board.costs:
        notes.append("Frontier: no other run is at least as good and as cheap, and better in one of these.")
    if board.comparisons:
        family = board.decided.facets.family if board.decided.facets else None
        how = f", corrected by {spoken_correction(policy.correction)} over {family}" if family else ""
        notes.append(
            f"Against {board.comparisons[0].champion}: worse or inconclusive by {found.measure}, "
            "p corrected over all pairs. "
            f"Fewer, later and their opposites say how the run differs{how}; they explain a verdict and do not make it."
        )
        notes.append(
            f"Detectable Δ: the smallest true difference of {found.measure} to {board.comparisons[0].champion} "
            "that is found "
            f"with 80% power{at_level(board.comparisons[0].verdict)}: smaller ones usually go undetected."
        )
        notes += shared_remarks([comparison.remarks for comparison in board.comparisons])
    notes += fit_notes(board.data.fits, found.queries)
    notes += dropped_notes(board.data.fits)
    if board.verdict_order is not None:
        notes.append(
            "In the order of the verdicts: how many runs a run is better than under do no harm, minus how many it "
            f"is worse than; ties by the mean. Each pair is decided at {policy.alpha:g} by itself."
        )
    return notes
