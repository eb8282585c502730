"""One pair per query of a run: its first document against its second where it is the label, else against the label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runoff.display import Column, Grid, Shown
from runoff.files.judging.judged_pairs import render_pairs
from runoff.preferences import JudgingCost, judging_cost, split_queries
from runoff.reading.runs import read_runs
from runoff.reading.sources import Progress, ReadOptions, as_qrels
from runoff.results.fit import Fit, dropped_notes
from runoff.verbs.pool import PoolOptions


@dataclass(frozen=True, kw_only=True, eq=False)
class OnePairResult(Shown):
    """The pairs of a run, one per query, and what judging them costs.

    agrees, differs  queries of category A, whose first document is the label, and of B, whose first is another one
    lone             queries of A for which the run has no second document to compare; no_top: no document at all
    remarks          on rows that were dropped
    """

    run: str
    agrees: int
    differs: int
    lone: int
    no_top: int
    pairs: tuple[tuple[str, str, str], ...]
    cost: JudgingCost
    remarks: tuple[str, ...] = ()

    def pair_lines(self) -> Iterator[str]:
        """The lines of a file with the pairs, for `runoff tasks --pairs`."""
        return render_pairs(self.pairs)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How much there is to judge, and what it costs."""
        cost = self.cost
        often = "once" if cost.judgments_per_pair == 1 else f"{cost.judgments_per_pair} times"
        said = f"{self.run} has {len(self.pairs):,} pairs, one per query. Judged {often} they are {cost.tasks:,} tasks "
        return (f"{said}and cost {cost.total:,.2f} ({cost.pay:.2f} + {cost.fee:.2f} a task).", *self.remarks)

    def grid(self) -> Grid:
        """Table 1 of Arabzadeh et al. 2021, with what is to be judged."""
        rows = [
            ("A: the label is first", "its second document", self.agrees, self.agrees - self.lone),
            ("B: another document is first", "the label", self.differs, self.differs),
            *([("no document", None, self.no_top, 0)] if self.no_top else []),
        ]
        total = sum(row[2] for row in rows)
        rows.append(("total", None, total, len(self.pairs)))
        return Grid(
            title=f"Categories of {self.run}",
            columns=[
                Column("category", "Category"),
                Column("against", "Compared with"),
                Column("queries", "Queries", "count"),
                Column("share", "Share", "share"),
                Column("pairs", "Pairs", "count"),
            ],
            rows=[
                [name, other, number, number / total if total else None, pairs] for name, other, number, pairs in rows
            ],
        )

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff pool --one-pair --format json`."""
        return {
            "run": self.run,
            "queries": self.agrees + self.differs + self.no_top,
            "a": self.agrees,
            "b": self.differs,
            "no_second": self.lone,
            "no_top": self.no_top,
            "pairs": len(self.pairs),
            "tasks": self.cost.tasks,
            "cost": self.cost.total,
        }


def one_pair(
    run: Any,
    qrels: Any,
    *,
    question: PoolOptions | None = None,
    queries: Sequence[str] | None = None,
    reading: ReadOptions | None = None,
    progress: Progress | None = None,
) -> OnePairResult:
    """One pair per query of a run; `tally(..., one_pair=run)` counts the judgments of them.

    question  what judging is paid, and how often each pair is judged
    queries   these queries only

    Arabzadeh et al. 2021, section 3.1, https://arxiv.org/abs/2109.00062

    >>> found = one_pair({"q": {"a": 2.0, "b": 1.0}, "r": {"c": 1.0}}, {"q": {"a": 1}, "r": {"d": 1}})
    >>> found.pairs, (found.agrees, found.differs)
    ((('q', 'a', 'b'), ('r', 'c', 'd')), (1, 1))
    """
    asked = question or PoolOptions()
    (top,) = read_runs([run], top=2, reading=reading, progress=progress).tops
    split = split_queries(top, as_qrels(qrels, queries=queries, reading=reading))
    pairs = split.pairs()
    return OnePairResult(
        run=top.name,
        agrees=len(split.agrees),
        differs=len(split.differs),
        lone=len(split.agrees) + len(split.differs) - len(pairs),
        no_top=split.no_top,
        pairs=pairs,
        cost=judging_cost(
            len(pairs),
            judgments_per_pair=asked.judgments_per_pair,
            pairs_per_task=asked.pairs_per_task,
            pay=asked.pay,
            fee=asked.fee,
        ),
        remarks=tuple(dropped_notes([Fit.of_run(top, ())])),
    )
