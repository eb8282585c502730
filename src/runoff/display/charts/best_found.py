"""How often the truly best document wins its tournament as judgments per pair grow: a line per pool size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from runoff.display.charts._base import Chart, Spec
from runoff.display.charts._style import LIGHT, SHAPES
from runoff.display.tracks import track
from runoff.errors import UsageError
from runoff.simulation.best_found import BestFound


@dataclass(frozen=True, eq=False)
class BestFoundLines(Chart):
    """The share of queries whose best document is found, for each pool size and number of judgments per pair.

    The line is the share if one of the winners is drawn; the band is from winning alone to being among the winners.

    found  what was simulated; seven pool sizes at most
    """

    name: ClassVar = "best_found"
    description: ClassVar = (
        "How often the best document wins as each pair is judged more often, by the size of the pool."
    )

    found: Sequence[BestFound]

    def __post_init__(self) -> None:
        if not self.found or len(self._pools) > len(LIGHT.series):
            raise UsageError(
                f"{len(self._pools)} pool sizes cannot be shown; expected 1 to {len(LIGHT.series)}; choose among them"
            )

    @property
    def _pools(self) -> list[int]:
        return sorted({one.pool for one in self.found})

    def _of(self, pool: int) -> list[BestFound]:
        return sorted((one for one in self.found if one.pool == pool), key=lambda one: one.judgments_per_pair)

    @property
    def title(self) -> str:
        """What is asked."""
        return "How often is the best document found?"

    @property
    def subtitle(self) -> str:
        """The error and the queries of the simulation, and what the bands are."""
        errors = sorted({one.error for one in self.found})
        wrong = f"{errors[0]:.0%}" if len(errors) == 1 else f"{errors[0]:.0%} to {errors[-1]:.0%}"
        return (
            f"{self.found[0].queries:,} simulated queries, assessors wrong on {wrong} of the pairs; bands from winning "
            "alone to being among the winners"
        )

    def text_alternative(self) -> str:
        """The first and the last share of each pool size."""
        said = []
        for pool in self._pools:
            first, last = self._of(pool)[0], self._of(pool)[-1]
            end = "" if first is last else f" to {last.drawn:.1%} with {last.judgments_per_pair}"
            said.append(f"of {pool} documents {first.drawn:.1%} with {_times(first.judgments_per_pair)}{end}")
        return f"The best document is found in pools {'; '.join(said)}."

    def text_lines(self, width: int) -> list[str]:
        """A line per pool size and number of judgments."""
        head = "Pool  Judgments   Found  "
        room = max(width - len(head), 1)
        lines = [head.rstrip()]
        for pool in self._pools:
            for at, one in enumerate(self._of(pool)):
                drawn = track(one.alone, one.drawn, one.among, span=(0, 1), width=room)
                number = f"{pool:>4}" if at == 0 else "    "
                lines.append(f"{number}  {one.judgments_per_pair:>9}  {one.drawn:>6.1%}  {drawn}".rstrip())
        return lines

    def text_notes(self) -> list[str]:
        """What the ends are."""
        return ["From 0 to 100%: ├ wins alone, ● if one of the winners is drawn, ┤ is among the winners."]

    def view(self) -> Spec:
        """A line with points and a band per pool size."""
        style, palette = self.style, self.style.palette
        labels = [f"{pool} documents" for pool in self._pools]
        values = [
            {"pool": label, "judgments": one.judgments_per_pair, "drawn": one.drawn, "alone": one.alone,
             "among": one.among, "error": one.error}
            for label, pool in zip(labels, self._pools, strict=True)
            for one in self._of(pool)
        ]  # fmt: skip
        times = sorted({one.judgments_per_pair for one in self.found})
        x = {"field": "judgments", "type": "quantitative", "title": "Judgments per pair",
             "scale": {"domain": [times[0], times[-1]], "nice": False, "padding": 8},
             "axis": {"values": times if len(times) <= 10 else None, "grid": False, "format": "d"}}  # fmt: skip
        if len(times) > 10:
            x["axis"] = {"grid": False, "format": "d", "tickMinStep": 1}
        y = {"type": "quantitative", "title": "Queries whose best document is found",
             "scale": {"domain": [0, 1]}, "axis": {"format": ".0%", "tickCount": 5}}  # fmt: skip
        domain = {"domain": labels}
        colour = {"field": "pool", "type": "nominal", "title": "Pools of",
                  "scale": {**domain, "range": list(palette.series)},
                  "legend": {"orient": "bottom", "columns": 4 if style.size == "page" else 2,
                             "symbolOpacity": 1}}  # fmt: skip
        shape = {"field": "pool", "type": "nominal", "title": "Pools of", "scale": {**domain, "range": list(SHAPES)}}
        tooltip = [
            {"field": "pool", "type": "nominal", "title": "Pool"},
            {"field": "judgments", "type": "quantitative", "title": "Judgments per pair"},
            *({"field": field, "type": "quantitative", "title": title, "format": ".1%"} for field, title in (
                ("drawn", "Found if drawn"), ("alone", "Wins alone"), ("among", "Among the winners"))),
        ]  # fmt: skip
        return {
            "data": {"values": values},
            "width": style.sheet.width - 6 * style.sheet.font,
            "height": round(style.sheet.width * 0.5),
            "layer": [
                {
                    "mark": {"type": "area", "opacity": 0.15},
                    "encoding": {"x": x, "y": {"field": "alone", **y}, "y2": {"field": "among"},
                                 "color": colour},
                },
                {"mark": {"type": "line"}, "encoding": {"x": x, "y": {"field": "drawn", **y}, "color": colour}},
                {
                    "mark": {"type": "point", "filled": True, "opacity": 1,
                             "size": 60 if style.size != "print" else 22},
                    "encoding": {"x": x, "y": {"field": "drawn", **y}, "color": colour, "shape": shape,
                                 "tooltip": tooltip},
                },
            ],
        }  # fmt: skip


def _times(count: int) -> str:
    return f"{count} {'judgment' if count == 1 else 'judgments'} per pair"
