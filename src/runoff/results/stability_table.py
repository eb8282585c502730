"""The chance of each run to be at each rank, as in Craswell et al.'s Tables 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runoff.boards.stability import StabilityResult
from runoff.display import Column, Grid, Shown

if TYPE_CHECKING:
    from runoff.display.charts import Chart

MOST_SHOWN: Final = 10
"""Runs and ranks of the printed table; JSON has all."""


def first_sentence(found: StabilityResult) -> str:
    """How often the leader is first when the queries are drawn again, and who is first more often, if anybody is."""
    leader, other = found.runs[found.order[0]], found.first_more_often
    text = (
        f"{leader} is first in {found.p_first[found.order[0]]:.1%} of {found.trials:,} bootstrap samples of the queries"
    )
    if other is None:
        return f"{text}."
    return f"{text}; {found.runs[other]} is first more often, in {found.p_first[other]:.1%}: {leader} may lead by luck."


@dataclass(frozen=True, kw_only=True, eq=False)
class StabilityTableResult(Shown):
    """P(run at rank j) over bootstrap samples of the queries, and P(run ahead of another)."""

    title: str
    stability: StabilityResult

    def to_dict(self) -> dict[str, object]:
        """Every probability, the best run first."""
        found = self.stability
        order = list(found.order)
        names = [found.runs[place] for place in order]
        beats = found.beats[order][:, order].tolist()
        return {
            "measure": found.measure,
            "queries": found.queries,
            "trials": found.trials,
            "seed": found.seed,
            "rank_probabilities": {found.runs[place]: found.rank_probabilities[place].tolist() for place in order},
            "expected_ranks": {found.runs[place]: float(found.expected_ranks[place]) for place in order},
            "beats": {name: dict(zip(names, row, strict=True)) for name, row in zip(names, beats, strict=True)},
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How often the order at the top is the observed one."""
        return (first_sentence(self.stability),)

    def charts(self) -> tuple[Chart, ...]:
        """Craswell et al.'s Figure 3, and the intervals of means and ranks."""
        from runoff.display.charts import RankHeatMap

        return (RankHeatMap(self.stability),)

    def grid(self) -> Grid:
        """A row per run and a column per rank, from the best."""
        found = self.stability
        shown = found.order[:MOST_SHOWN]
        ranks = range(1, len(shown) + 1)
        notes = ["Runs that tie in a sample share the tied ranks equally."]
        if len(found.order) > len(shown):
            notes.append(f"The best {len(shown)} of {len(found.order):,} runs.")
        return Grid(
            title=f"{self.title}: rank under bootstrapping",
            columns=[
                Column("run", "Run"),
                *(Column(f"rank_{rank}", str(rank), "share") for rank in ranks),
                Column("expected_rank", "Mean rank", "number", digits=1),
            ],
            rows=[
                [
                    found.runs[place],
                    *found.rank_probabilities[place, : len(shown)].tolist(),
                    float(found.expected_ranks[place]),
                ]
                for place in shown
            ],
            notes=notes,
        )
