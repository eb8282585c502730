"""Means and ranks with their 95% intervals, a row per run, and the groups of runs that cannot be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.boards.stability import StabilityResult
from runoff.reports.charts._base import Chart, Spec, best_of, check_most, number, rank_ticks
from runoff.reports.charts._labels import fit, listed, names_column, short_labels, shown_name
from runoff.reports.tracks import track


@dataclass(frozen=True, eq=False)
class RankIntervals(Chart):
    """The mean and the expected rank of every run with 95% intervals over bootstrap samples of the queries.

    Runs on one band of the background are one group: they cannot be told apart from the first of it.

    most  how many runs are shown, the best ones
    """

    name: ClassVar = "rank_intervals"
    description: ClassVar = "The mean and the rank of each run with 95% intervals, in groups that can be told apart."

    stability: StabilityResult
    most: int = 60

    def __post_init__(self) -> None:
        check_most(self.most)

    @property
    def title(self) -> str:
        """The measure, and how many runs are shown."""
        return f"Which runs can be told apart? {self.stability.measure}{best_of(len(self._places), self._runs)}"

    @property
    def subtitle(self) -> str:
        """Trials and queries."""
        found = self.stability
        return f"95% intervals over {found.trials:,} bootstrap samples of {found.queries:,} queries; bands are groups"

    @property
    def _runs(self) -> int:
        return len(self.stability.runs)

    @property
    def _places(self) -> tuple[int, ...]:
        return self.stability.order[: self.most]

    def text_alternative(self) -> str:
        """Who leads, its intervals, and who cannot be told apart from it."""
        found = self.stability
        first = found.order[0]
        (low, high), (top, bottom) = found.mean_ci95[first].tolist(), found.rank_intervals[first].tolist()
        group = [found.runs[place] for place in found.order[1:] if found.groups[place] == found.groups[first]]
        others = f"It cannot be told apart from {listed(group)}" if group else "Every other run is told apart from it"
        return (
            f"{shown_name(found.runs[first])} leads {self._runs:,} {'run' if self._runs == 1 else 'runs'} with a mean "
            f"{found.measure} of {found.means[first]:.4f} (95% interval {low:.4f} to {high:.4f}; rank {top} to "
            f"{bottom}). {others}. The runs form {int(found.groups.max()):,} "
            f"{'group' if found.groups.max() == 1 else 'groups'}."
        )

    def text_lines(self, width: int) -> list[str]:
        """Group, name, mean and the interval of the mean, a line per run."""
        found, places = self.stability, list(self._places)
        names = [shown_name(found.runs[place]) for place in places]
        column = max(names_column(names, width), 3)
        room = max(width - column - 24, 1)
        span = self._span
        lines = []
        for name, place in zip(names, places, strict=True):
            low, high = found.mean_ci95[place].tolist()
            top, bottom = found.rank_intervals[place].tolist()
            line = track(low, float(found.means[place]), high, span=span, width=room)
            ranks = f"{top}" if top == bottom else f"{top}-{bottom}"
            lines.append(
                f"{found.groups[place]:>3}  {fit(name, column)}  {found.means[place]:.4f}  {line}  {ranks}".rstrip()
            )
        head = f"Grp  {fit('Run', column)}  {'Mean':<6}  {fit('95% interval of the mean', room)}  Rank"
        return [head, *lines]

    def text_notes(self) -> list[str]:
        """The ends of the scale."""
        low, high = self._span
        return [f"The scale is from {low:.4f} to {high:.4f}. Ranks are 95% intervals."]

    @property
    def _span(self) -> tuple[float, float]:
        places = list(self._places)
        return float(self.stability.mean_ci95[places, 0].min()), float(self.stability.mean_ci95[places, 1].max())

    def _values(self, labels: tuple[str, ...]) -> list[Spec]:
        found = self.stability
        values = []
        opened: set[int] = set()
        for label, place in zip(labels, self._places, strict=True):
            group = int(found.groups[place])
            low, high = found.mean_ci95[place].tolist()
            top, bottom = found.rank_intervals[place].tolist()
            values.append({
                "run": label, "name": shown_name(found.runs[place]), "mean": number(found.means[place]),
                "low": number(low), "high": number(high), "rank": number(found.expected_ranks[place]),
                "top": top, "bottom": bottom, "group": group, "band": group % 2,
                "mark": "" if group in opened else f"group {group}",
            })  # fmt: skip
            opened.add(group)
        return values

    def view(self) -> Spec:
        """Two panels that share their rows."""
        style, palette = self.style, self.style.palette
        labels = short_labels([self.stability.runs[place] for place in self._places], style.sheet.label)
        values = self._values(labels)
        height = style.row_height(len(values))
        room = style.plot_width(*labels, beside=style.text_width("group 99") + style.sheet.font)
        means = {"zero": False, "nice": False, "padding": 8}
        last = max(row["bottom"] for row in values)
        ranks = {"domain": [0.5, last + 0.5], "nice": False}
        left = self._panel(labels, ("low", "mean", "high"), f"Mean {self.stability.measure}", means, {"tickCount": 5})
        right = self._panel(
            labels, ("top", "rank", "bottom"), "Rank", ranks, {"values": rank_ticks(last), "format": "d"}
        )
        right["layer"].append({
            "mark": {"type": "text", "align": "left", "dx": style.sheet.font // 2, "color": palette.soft},
            "encoding": {"y": _rows(labels, shown=False), "x": {"value": "width"},
                         "text": {"field": "mark", "type": "nominal"}},
        })  # fmt: skip
        for panel, part in ((left, 0.6), (right, 0.4)):
            panel |= {"width": round(room * part), "height": height * len(values)}
        right["layer"][0]["encoding"]["y"] = _rows(labels, shown=False)
        return {"data": {"values": values}, "spacing": 14, "hconcat": [left, right]}

    def _panel(
        self, labels: tuple[str, ...], fields: tuple[str, str, str], title: str, scale: Spec, axis: Spec
    ) -> Spec:
        low, point, high = fields
        style, palette = self.style, self.style.palette
        y = _rows(labels, shown=low == "low")
        x = {"type": "quantitative", "title": title, "scale": scale, "axis": axis}
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "mean", "type": "quantitative", "title": "Mean", "format": ".4f"},
            {"field": "low", "type": "quantitative", "title": "95% from", "format": ".4f"},
            {"field": "high", "type": "quantitative", "title": "to", "format": ".4f"},
            {"field": "rank", "type": "quantitative", "title": "Expected rank", "format": ".1f"},
            {"field": "top", "type": "quantitative", "title": "Rank from"},
            {"field": "bottom", "type": "quantitative", "title": "to "},
            {"field": "group", "type": "quantitative", "title": "Group"},
        ]
        thick = 2 if style.size != "print" else 1.2
        return {
            "layer": [
                {
                    "mark": {"type": "rect", "color": palette.neutral, "opacity": 0.25},
                    "transform": [{"filter": {"field": "band", "equal": 1}}],
                    "encoding": {"y": y},
                },
                {
                    "mark": {"type": "rule", "strokeWidth": thick, "color": palette.second, "opacity": 0.75},
                    "encoding": {"y": y, "x": {"field": low, **x}, "x2": {"field": high}, "tooltip": tooltip},
                },
                {
                    "mark": {"type": "point", "filled": True, "opacity": 1, "color": palette.second,
                             "size": 50 if style.size != "print" else 16},
                    "encoding": {"y": y, "x": {"field": point, **x}, "tooltip": tooltip},
                },
            ]
        }  # fmt: skip


def _rows(labels: tuple[str, ...], *, shown: bool) -> Spec:
    axis: Spec = {"axis": {"title": None}} if shown else {"axis": None}
    return {"field": "run", "type": "nominal", "scale": {"domain": list(labels), "padding": 0}, **axis}
