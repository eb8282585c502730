"""How many of the documents that runs show have no judgment, by depth: a line per run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display.charts._base import Chart, rank_ticks
from runoff.display.charts._labels import fit, names_column, short_labels, shown_name
from runoff.display.charts._spec import Spec, grey_lines, layer, points, quantitative, series, tooltip
from runoff.display.charts._style import LIGHT
from runoff.errors import UsageError
from runoff.phrases import counted

EVERY: Final = 30
"""To this depth every rank is drawn; deeper ranks are spread evenly over a logarithmic axis."""


@dataclass(frozen=True, eq=False)
class Unjudged(Chart):
    """The share of retrieved documents to each rank that nobody judged: what the scores of a run do not know.

    runs    their names, the best first
    shares  float64, runs x depth: as from `Serps.unjudged_shares`
    most    how many runs are highlighted, the best ones, seven at most; the others are grey
    """

    name: ClassVar = "unjudged"
    description: ClassVar = "The share of each run's documents to each rank that have no judgment."

    runs: Sequence[str]
    shares: NDArray[np.float64]
    most: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.most <= len(LIGHT.series):
            raise UsageError(f"most={self.most} cannot be used; expected 1 to {len(LIGHT.series)}; leave it out")
        if self.shares.ndim != 2 or len(self.shares) != len(self.runs) or not self.shares.size:
            raise UsageError(
                f"{len(self.runs):,} runs with shares of shape {self.shares.shape}; expected a row per run and a "
                "column per rank, of at least one run and one rank"
            )

    @property
    def _depth(self) -> int:
        return int(self.shares.shape[1])

    @property
    def _ranks(self) -> list[int]:
        """The ranks that are drawn."""
        if self._depth <= EVERY:
            return list(range(1, self._depth + 1))
        return sorted(set(np.geomspace(1, self._depth, EVERY).round().astype(int).tolist()))

    @property
    def title(self) -> str:
        return f"How much of what the runs show is unjudged? To rank {self._depth:,}"

    @property
    def subtitle(self) -> str:
        count = len(self.runs)
        shown = f"the best {self.most} in colour, grey: the other {count - self.most:,}; " if count > self.most else ""
        return f"{counted(count, 'run')}, {shown}an unjudged document counts as not relevant"

    def text_alternative(self) -> str:
        best = [
            f"{shown_name(name)} {shares[0]:.1%} at rank 1 and {shares[-1]:.1%} to rank {self._depth:,}"
            for name, shares in zip(self.runs[: self.most], self.shares.tolist(), strict=False)
        ]
        last = self.shares[:, -1]
        most = shown_name(self.runs[int(np.argmax(last))])
        return (
            f"Unjudged documents of {counted(len(self.runs), 'run')}: {'; '.join(best)}. Over all runs "
            f"{last.min():.1%} to {last.max():.1%}, the most {most}."
        )

    def text_lines(self, width: int) -> list[str]:
        names = [shown_name(name) for name in self.runs[: self.most]]
        column = max(names_column([*names, "All runs"], width), 4)
        room = max((width - column) // 6, 1)
        ranks = [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000) if rank < self._depth]
        shown = [*ranks[: room - 1], self._depth]
        rows = [*zip(names, self.shares, strict=False), ("All runs", self.shares.mean(axis=0))]
        head = f"{fit('Rank', column)}{''.join(f'{rank:>6}' for rank in shown)}"
        return [
            head,
            *(f"{fit(name, column)}{''.join(f'{row[rank - 1]:>6.0%}' for rank in shown)}" for name, row in rows),
        ]

    def text_notes(self) -> list[str]:
        return ["Shares of the documents to each rank that have no judgment; all runs: their mean."]

    def view(self) -> Spec:
        style, is_deep = self.style, self._depth > EVERY
        labels = short_labels(self.runs[: self.most], style.sheet.label)
        rows: list[Spec] = [
            {"key": at, "name": shown_name(name), "rank": rank, "share": float(self.shares[at, rank - 1])}
            for at, name in enumerate(self.runs)
            for rank in self._ranks
        ]
        shown = [{"run": labels[row["key"]], **row} for row in rows if row["key"] < self.most]
        others = [row for row in rows if row["key"] >= self.most]
        ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000) if tick <= self._depth]
        scale = {
            "domain": [1, max(self._depth, 2)],
            "nice": False,
            "padding": 6,
            "type": "log" if is_deep else "linear",
        }
        axis = {"grid": False, "format": "d", "values": ticks if is_deep else rank_ticks(self._depth)}
        x = quantitative("rank", "To rank", scale=scale, axis=axis)
        top = float(self.shares.max())
        y = quantitative("share", "Share without a judgment", scale={"domain": [0, 1]} if top > 0.5 else {"zero": True})
        y["axis"] = {"format": ".0%" if top > 0.05 else ".1%", "tickCount": 5}
        look = series("run", labels, style)
        tips = {"tooltip": tooltip(("name", "Run"), ("rank", "To rank", ",d"), ("share", "Unjudged", ".1%"))}
        line = {"x": x, "y": y, "color": look["color"]}
        grey = [grey_lines({"x": x, "y": y, **tips}, others, style, runs=len(self.runs))] if others else []
        return {
            "width": style.sheet.width - 6 * style.sheet.font,
            "height": round(style.sheet.width * 0.45),
            "layer": [
                *grey,
                layer("line", line, shown),
                points(line | tips | {"shape": look["shape"]}, style, shown, 40),
            ],
        }
