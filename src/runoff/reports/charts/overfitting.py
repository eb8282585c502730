"""How much more each team improved on the public queries than on the private ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from runoff.boards.overfitting import OverfittingResult
from runoff.errors import UsageError
from runoff.reports.charts._base import Chart, Spec, check_most
from runoff.reports.charts._labels import fit, names_column, short_labels, shown_name
from runoff.reports.tracks import track


@dataclass(frozen=True, eq=False)
class Overfitting(Chart):
    """The change from first to best submission on public and on private queries, and the excess with its intervals.

    The thick line is the plain 95% interval; the thin one holds for all later submissions at once.

    Craswell et al. 2021, section 3.3, https://doi.org/10.1145/3404835.3462804

    most  how many teams are shown, those with the largest excess
    """

    name: ClassVar = "overfitting"
    description: ClassVar = "Each team's change on public and on private queries, and how much larger the first is."

    results: Sequence[OverfittingResult]
    most: int = 40

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.results:
            raise UsageError("there are no teams to show; expected one with two submissions at least")

    @property
    def _shown(self) -> list[OverfittingResult]:
        return sorted(self.results, key=lambda one: (-one.excess, one.team))[: self.most]

    @property
    def title(self) -> str:
        """The measure, and how many teams are shown."""
        cut = len(self.results) > self.most
        part = f", the {self.most:,} of {len(self.results):,} teams with the largest excess" if cut else ""
        return f"Do teams gain more on public than on private queries? {self.results[0].measure}{part}"

    @property
    def subtitle(self) -> str:
        """Queries, and which line is which."""
        one = self.results[0]
        return (
            f"First to best-on-public submission, {one.public_queries:,} public and {one.private_queries:,} private "
            "queries. 95% intervals: thick, of that submission; thin, of all at once."
        )

    def text_alternative(self) -> str:
        """The teams with the largest excess, and whose intervals lie above 0."""
        said = []
        for one in self._shown[:5]:
            low, high = one.simultaneous_ci95
            said.append(
                f"{shown_name(one.team)} {one.change_public:+.4f} on public and {one.change_private:+.4f} on private, "
                f"excess {one.excess:+.4f} ({low:+.4f} to {high:+.4f})"
            )
        above = sum(one.simultaneous_ci95[0] > 0 for one in self.results)
        teams = len(self.results)
        return (
            f"Changes in {self.results[0].measure} of {teams:,} {'team' if teams == 1 else 'teams'}, the largest "
            f"excess first: {'; '.join(said)}. The wider interval lies above 0 for {above:,}."
        )

    def text_lines(self, width: int) -> list[str]:
        """Changes, excess and its wider interval, a line per team."""
        shown = self._shown
        names = [shown_name(one.team) for one in shown]
        column = max(names_column(names, width), 4)
        room = max(width - column - 29, 1)
        head = f"{fit('Team', column)}  {'Public':>7}  {'Private':>7}  {'Excess':>7}"
        lines = []
        for name, one in zip(names, shown, strict=True):
            low, high = one.simultaneous_ci95
            drawn = track(low, one.excess, high, span=self._span, width=room)
            numbers = f"{one.change_public:>+7.4f}  {one.change_private:>+7.4f}  {one.excess:>+7.4f}"
            lines.append(f"{fit(name, column)}  {numbers}  {drawn}".rstrip())
        return [head, *lines]

    def text_notes(self) -> list[str]:
        """The ends of the scale."""
        low, high = self._span
        return [
            f"The scale of the excess is from {low:+.4f} to {high:+.4f}; intervals hold for all submissions at once."
        ]

    @property
    def _span(self) -> tuple[float, float]:
        intervals = [one.simultaneous_ci95 for one in self._shown]
        return min(low for low, _ in intervals), max(high for _, high in intervals)

    def view(self) -> Spec:
        """Two panels: the two changes, and the excess."""
        style, palette, shown = self.style, self.style.palette, self._shown
        labels = short_labels([one.team for one in shown], style.sheet.label)
        values, points = [], []
        for label, one in zip(labels, shown, strict=True):
            row = {"team": label, "name": shown_name(one.team), "first": shown_name(one.first),
                   "best": shown_name(one.best), "submissions": len(one.submissions)}  # fmt: skip
            values.append({
                **row, "public": one.change_public, "private": one.change_private, "excess": one.excess,
                "low": one.excess_ci95[0], "high": one.excess_ci95[1], "all_low": one.simultaneous_ci95[0],
                "all_high": one.simultaneous_ci95[1],
            })  # fmt: skip
            points += [{**row, "queries": "private", "change": one.change_private},
                       {**row, "queries": "public", "change": one.change_public}]  # fmt: skip
        rows = {"field": "team", "type": "nominal", "title": None, "scale": {"domain": list(labels)}}
        colour = {"field": "queries", "type": "nominal", "title": "Change on",
                  "scale": {"domain": ["private", "public"], "range": [palette.second, palette.first]},
                  "legend": {"orient": "top", "direction": "horizontal", "symbolOpacity": 1}}  # fmt: skip
        shape = {"field": "queries", "type": "nominal", "title": "Change on",
                 "scale": {"domain": ["private", "public"], "range": ["circle", "diamond"]}}  # fmt: skip
        axis = {"format": "+.3~f", "tickCount": 4}
        change = {"type": "quantitative", "title": "Change of the mean", "axis": axis,
                  "scale": {"zero": True, "nice": False, "padding": 8}}  # fmt: skip
        excess = {**change, "title": "Excess on public"}
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Team"},
            {"field": "first", "type": "nominal", "title": "First"},
            {"field": "best", "type": "nominal", "title": "Best on public"},
            {"field": "submissions", "type": "quantitative", "title": "Submissions"},
        ]
        thick = 1.0 if style.size != "print" else 0.6
        size = 60 if style.size != "print" else 22
        height = style.row_height(len(shown)) * len(shown)
        room = style.plot_width(*labels)
        left: Spec = {
            "width": round(room * 0.5),
            "height": height,
            "layer": [
                _zero(change, palette.soft),
                {
                    "data": {"values": values},
                    "mark": {"type": "rule", "color": palette.neutral, "strokeWidth": 2},
                    "encoding": {"y": rows, "x": {"field": "private", **change}, "x2": {"field": "public"}},
                },
                {
                    "data": {"values": points},
                    "mark": {"type": "point", "filled": True, "opacity": 1, "size": size},
                    "encoding": {
                        "y": rows, "x": {"field": "change", **change}, "color": colour, "shape": shape,
                        "tooltip": [*tooltip, {"field": "queries", "type": "nominal", "title": "Queries"},
                                    {"field": "change", "type": "quantitative", "title": "Change", "format": "+.4f"}],
                    },
                },
            ],
        }  # fmt: skip
        bare = {**rows, "axis": None}
        spans = [
            {
                "data": {"values": values},
                "mark": {"type": "rule", "strokeWidth": 3 * wide * thick, "color": palette.accent},
                "encoding": {"y": bare, "x": {"field": low, **excess}, "x2": {"field": high}},
            }
            for low, high, wide in (("all_low", "all_high", 0.3), ("low", "high", 1))
        ]
        right: Spec = {
            "width": round(room * 0.42),
            "height": height,
            "layer": [
                _zero(excess, palette.soft),
                *spans,
                {
                    "data": {"values": values},
                    "mark": {"type": "point", "filled": True, "opacity": 1, "color": palette.accent, "size": size},
                    "encoding": {
                        "y": bare, "x": {"field": "excess", **excess},
                        "tooltip": [*tooltip, *({"field": field, "type": "quantitative", "title": title,
                                                 "format": "+.4f"} for field, title in (
                            ("excess", "Excess"), ("low", "95% from"), ("high", "to"),
                            ("all_low", "Over all, from"), ("all_high", "to ")))],
                    },
                },
            ],
        }  # fmt: skip
        return {"hconcat": [left, right], "spacing": 16}


def _zero(scale: Spec, colour: str) -> Spec:
    """The line of no change."""
    mark = {"type": "rule", "color": colour, "strokeDash": [3, 3]}
    return {"data": {"values": [{}]}, "mark": mark, "encoding": {"x": {**scale, "datum": 0}}}
