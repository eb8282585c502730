"""A board as a table, and the notes below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from runoff.boards.stability import StabilityResult
from runoff.reports import Column, Grid
from runoff.reports.grid import machine_name
from runoff.reports.strips import strip
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import VerdictOrderResult
from runoff.verdicts.sight import at_level
from runoff.workflows.board_claims import BoardClaims
from runoff.workflows.board_costs import BoardCosts
from runoff.workflows.board_data import BoardData
from runoff.workflows.board_rows import BoardRow
from runoff.workflows.duel import DuelResult
from runoff.workflows.mark_notes import mark_notes
from runoff.workflows.remarks import shared_remarks

STRIP_WIDTH: Final = 30


class Ranked(Protocol):
    """What the table needs of a board; see `runoff.workflows.leaderboard.BoardResult`."""

    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def data(self) -> BoardData: ...  # noqa: D102
    @property
    def ranks(self) -> StabilityResult: ...  # noqa: D102
    @property
    def rows(self) -> tuple[BoardRow, ...]: ...  # noqa: D102
    @property
    def duels(self) -> Sequence[DuelResult]: ...  # noqa: D102
    @property
    def verdict_order(self) -> VerdictOrderResult | None: ...  # noqa: D102
    @property
    def claims(self) -> BoardClaims | None: ...  # noqa: D102
    @property
    def costs(self) -> BoardCosts | None: ...  # noqa: D102


def board_grid(board: Ranked) -> Grid:
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
        Column("expected_rank", "Mean rank", "number", digits=1),
        Column("first_rank", "Rank from", "count"),
        Column("last_rank", "to ", "count"),
        Column("p_first", "P(first)", "share"),
        Column("group", "Group", "count"),
    ]
    if board.duels:
        columns += [Column("verdict", "Against the first"), Column("p", "p", "p")]
        columns += [Column("seen_from", "Seen from", "number")]
    claims, costs, order = board.claims, board.costs, [row.run for row in board.rows]
    if claims:
        columns += [Column("could_be_best", "Best?"), Column("alike", "Like ranks")]
    if costs:
        columns += [Column(machine_name(f"cost_{name}"), name, "number", digits=2) for name in costs.names]
        columns += [Column("frontier", "Frontier")]
    columns += [Column("ranks", "Ranks")]
    rows = []
    for rank, row in enumerate(board.rows, start=1):
        about: list[str | int | None] = [row.copeland] if board.verdict_order else []
        about += ([row.team] if has_teams else []) + ([row.date] if has_dates else [])
        word = f"{row.verdict} {row.marks}".strip() if row.verdict else None
        verdict = [word, row.p, row.seen_from] if board.duels else []
        more: list[str | float | bool | None] = []
        if claims:
            more += [claims.could_be_best(row.run), claims.alike_ranks(row.run, order)]
        if costs:
            more += [*costs.values[row.run], costs.frontier.get(row.run)]
        rows.append([
            row.run, rank, *about, row.mean, *row.ci95, row.expected_rank, *row.rank_interval, row.p_first,
            row.group, *verdict, *more, strip(row.rank_probabilities, width=STRIP_WIDTH),
        ])  # fmt: skip
    return Grid(title=board.title, columns=columns, rows=rows, notes=_notes(board))


def _notes(board: Ranked) -> list[str]:
    found, policy = board.ranks, board.data.policy
    samples = f"{found.trials:,} bootstrap samples of the {found.queries:,} queries, seed {found.seed}"
    notes = [
        f"Intervals and probabilities are over {samples}.",
        "Runs of one group cannot be told apart from the first of the group.",
        "Ranks, from the first to the last: · ░ ▒ ▓ █ from rarely to almost always there.",
    ]
    if board.claims:
        best = board.claims.best
        notes.append(
            f"Best?: whether the run could be the best, with {best.level:.0%} confidence; like ranks: the runs "
            f"that it cannot be told apart from, at {best.critical:.2f} standard errors, which holds for all "
            "pairs at once and is wider than the groups."
        )
    if board.costs:
        notes.append("Frontier: no other run is at least as good and as cheap, and better in one of these.")
    if board.duels:
        size = board.duels[0].verdict.family_size
        how = f"corrected by {spoken_correction(policy.correction)} over {size:,} runs" if size > 1 else "not corrected"
        notes.append(
            f"Against {board.duels[0].champion}: the verdict on the run under do no harm at {policy.alpha:g}, and p "
            f"of the {policy.measure_test} test of {found.measure}, {how}."
        )
        notes.append(
            f"Seen from: the smallest true difference of {found.measure} to {board.duels[0].champion} that is found "
            f"with 80% power{at_level(board.duels[0].verdict)}: a smaller one may be there and stay inconclusive."
        )
        notes += mark_notes([duel.verdict for duel in board.duels], found.measure)
        notes += shared_remarks(board.duels)
    if board.verdict_order is not None:
        notes.append(
            "In the order of the verdicts: how many runs a run is better than under do no harm, minus how many it "
            f"is worse than; ties by the mean. Each pair is decided at {policy.alpha:g} by itself."
        )
    return notes
