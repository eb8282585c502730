"""How often the truly best document wins its tournament as judgments per pair grow: a line per pool size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from runoff.display.charts._base import Words
from runoff.display.charts._intervals import IntervalLine, Intervals
from runoff.display.charts._spec import Spec, layer, points, quantitative, series, tooltip
from runoff.display.charts._style import LIGHT
from runoff.errors import UsageError
from runoff.phrases import counted
from studies.best_found import BestFound


@dataclass(frozen=True, eq=False)
class BestFoundLines(Intervals):
    """The share of queries whose best document is found, for each pool size and number of judgments per pair.

    The line is the share if one of the winners is drawn; the band is from winning alone to being among the winners.

    found  what was simulated; seven pool sizes at most
    """

    name: ClassVar = "best_found"
    description: ClassVar = (
        "How often the best document wins as each pair is judged more often, by the size of the pool."
    )
    head: ClassVar = ("Pool", "Judgments", "Found", "", "")
    align: ClassVar = ">>>"

    found: Sequence[BestFound]

    def __post_init__(self) -> None:
        if not self.found or len(self._pools) > len(LIGHT.series):
            raise UsageError(
                f"{len(self._pools)} pool sizes cannot be shown; expected 1 to {len(LIGHT.series)}; choose among them"
            )

    @property
    def _pools(self) -> list[int]:
        return sorted({point.pool for point in self.found})

    def _of(self, pool: int) -> list[BestFound]:
        return sorted((row for row in self.found if row.pool == pool), key=lambda row: row.judgments_per_pair)

    def words(self) -> Words:
        errors = sorted({row.error for row in self.found})
        wrong = f"{errors[0]:.0%}" if len(errors) == 1 else f"{errors[0]:.0%} to {errors[-1]:.0%}"
        pools = []
        for pool in self._pools:
            first, last = self._of(pool)[0], self._of(pool)[-1]
            end = "" if first is last else f" to {last.drawn:.1%} with {last.judgments_per_pair}"
            judgments = counted(first.judgments_per_pair, "judgment")
            pools.append(f"of {pool} documents {first.drawn:.1%} with {judgments} per pair{end}")
        return Words(
            "How often is the best document found?",
            f"The best document is found in pools {'; '.join(pools)}.",
            f"{self.found[0].queries:,} simulated queries, assessors wrong on {wrong} of the pairs; bands from winning "
            "alone to being among the winners",
            ("From 0 to 100%: ├ wins alone, ● if one of the winners is drawn, ┤ is among the winners.",),
        )

    def key(self) -> tuple[str, ...]:
        return ()

    def span(self) -> tuple[float, float]:
        return 0.0, 1.0

    def intervals(self) -> Sequence[IntervalLine]:
        return [
            IntervalLine(
                ("" if at else str(pool), str(row.judgments_per_pair), f"{row.drawn:.1%}"),
                (row.alone, row.drawn, row.among),
            )
            for pool in self._pools
            for at, row in enumerate(self._of(pool))
        ]

    def view(self) -> Spec:
        style = self.style
        labels = [f"{pool} documents" for pool in self._pools]
        values = [
            {"pool": label, "judgments": row.judgments_per_pair, "error": row.error}
            | {"drawn": row.drawn, "alone": row.alone, "among": row.among}
            for label, pool in zip(labels, self._pools, strict=True)
            for row in self._of(pool)
        ]
        times = sorted({row.judgments_per_pair for row in self.found})
        ticks = {"values": times} if len(times) <= 10 else {"tickMinStep": 1}
        scale = {"domain": [times[0], times[-1]], "nice": False, "padding": 8}
        axis = {"grid": False, "format": "d", **ticks}
        x = quantitative("judgments", "Judgments per pair", scale=scale, axis=axis)
        y = {"type": "quantitative", "title": "Queries whose best document is found", "scale": {"domain": [0, 1]}}
        y["axis"] = {"format": ".0%", "tickCount": 5}
        look = series("pool", labels, style, "Pools of", columns=4)
        tips = tooltip(
            ("pool", "Pool"),
            ("judgments", "Judgments per pair", None),
            ("drawn", "Found if drawn", ".1%"),
            ("alone", "Wins alone", ".1%"),
            ("among", "Among the winners", ".1%"),
        )
        line = {"x": x, "y": {"field": "drawn", **y}, "color": look["color"]}
        band = line | {"y": {"field": "alone", **y}, "y2": {"field": "among"}}
        dots = points(line | {"shape": look["shape"], "tooltip": tips}, style, size=60)
        return {
            "data": {"values": values},
            "width": style.sheet.width - 6 * style.sheet.font,
            "height": round(style.sheet.width * 0.5),
            "layer": [layer("area", band, opacity=0.15), layer("line", line), dots],
        }
