"""How much teams could have learnt of hidden labels, as organisers see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runoff.display.grid import Column, Grid, Value
from runoff.reports.page.tables import Table, table

if TYPE_CHECKING:
    from runoff.server.cases.boards.label_budget import LabelBudget

NO_BOUND: Final = (
    "Nothing is counted here: teams hold the labels of the public queries, or the measure has no known range."
)
NOTES: Final = (
    (
        "Bits from numbers: means and intervals of the team's own runs. A team with fewer bits than the labels hold "
        "cannot know all labels from these numbers."
    ),
    (
        "Bits in all: also the words of every comparison with another run, and those of the board, which is decided "
        "again with each run. Nobody can learn more than this. It is far above what any known attack reads, because "
        "most of these words say again what the numbers say."
    ),
    (
        "Both count what a team could learn from its own runs. Teams that work together have the sum of theirs; people "
        "with runs in several teams are listed too. The threat model in the documentation says what attacks did read."
    ),
)


def budget_words(budget: LabelBudget | None) -> str:
    """What the labels hold."""
    if budget is None:
        return NO_BOUND
    return (
        f"The labels of the {budget.queries:,} queries behind public scores hold at least {budget.held:,} bits: one "
        "for each query, whether one document is relevant. Every number that is shown tells something about them."
    )


def budget_table(budget: LabelBudget | None) -> Table | None:
    """What each team could have learnt, those that could know most first."""
    if budget is None or not budget.lines:
        return None
    rows: list[list[Value]] = [
        [
            f"{line.name} (a person in several teams)" if line.is_person else line.name,
            line.runs,
            line.released,
            round(line.numbers),
            min(line.numbers / budget.held, 1.0) if budget.held else None,
            line.pairs,
            round(line.whole),
        ]
        for line in budget.lines
    ]
    columns = [
        Column("team", "Team"),
        Column("runs", "Runs", "count"),
        Column("released", "Scores shown", "count"),
        Column("numbers", "Bits from numbers", "count"),
        Column("share", "Of the labels, at most", "share"),
        Column("pairs", "Pairs", "count"),
        Column("whole", "Bits in all", "count"),
    ]
    return table(Grid(title="What each team could have learnt at most", columns=columns, rows=rows), "budget-table")
