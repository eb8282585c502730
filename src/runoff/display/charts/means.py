"""Means of runs against their dates and their costs: records, baselines, and the frontier of cheap and good runs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar, Final

from runoff.boards.history import HistoryResult
from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart, Words
from runoff.display.charts._labels import TextRow, block_bar, shorten, shown_name, text_rows
from runoff.display.charts._spec import Place, Spec
from runoff.display.charts._style import LETTER
from runoff.display.grid import visible
from runoff.errors import UsageError
from runoff.phrases import counted, listed
from runoff.tables.board import BoardRun

DENSITY: Final = " ▁▂▃▄▅▆▇█"
"""Runs of a month, from none to the most of any month."""
CERTIFIED: Final = "certified record"


@dataclass(frozen=True, eq=False)
class Timeline(Chart):
    """The dated runs of a board and its records.

    Lin et al. 2021, Figure 1, https://doi.org/10.48550/arXiv.2102.12887

    runs       those with a date are points; a baseline is a dashed line
    means      the mean of each run by name; a run without one is left out
    history    the records; better is always up
    measure    what the means are of
    certified  the records that the record test certifies; None where it was not asked
    """

    name: ClassVar = "timeline"
    description: ClassVar = "The mean of every run by its date, and the best so far."

    runs: Sequence[BoardRun]
    means: Mapping[str, float]
    history: HistoryResult
    measure: str = "Mean"
    certified: Collection[str] | None = None

    def __post_init__(self) -> None:
        if not self._dated:
            raise UsageError("no run has a date and a mean; expected at least one; give the runs of the board dates")

    def words(self) -> Words:
        records, measure, runs = self.history.records, visible(self.measure), counted(len(self._dated), "run")
        others = len(self._dated) - len(records)
        summary = f"None of {runs} beats the baselines, so there is no record of {measure}."
        if records:
            first, last = records[0], records[-1]
            held = f"{shown_name(last.name)} has held the record of {measure}, {last.mean:.4f}, since {last.date}"
            summary = f"{held}; it is the only record among {runs}."
        if len(records) > 1:
            certified = ", ".join(map(shown_name, self._real)) or "none of the later ones"
            summary = (
                f"{held}. The first of {len(records):,} records was {shown_name(first.name)} with {first.mean:.4f} on "
                f"{first.date}. {others:,} of {runs} set no record."
                f"{f' The record test certifies {certified}.' if self._is_tested else ''}"
            )
        certified = f", {len(self._real):,} of them certified" if self._is_tested else ""
        left_out = f"; {len(self.history.undated):,} without a date left out" if self.history.undated else ""
        months = f"The last line: runs over time, higher where there were more; {others:,} set no record."
        return Words(
            f"The best {self.measure} over time",
            summary,
            f"{runs}, {counted(len(records), 'record')}{certified}{left_out}",
            (*(["✓ certified by the record test."] if self._real else []), months),
        )

    @property
    def _dated(self) -> list[tuple[BoardRun, date]]:
        return [(run, run.date) for run in self.runs if run.date and not run.baseline and run.name in self.means]

    @property
    def _baselines(self) -> list[BoardRun]:
        return [run for run in self.runs if run.baseline and run.name in self.means]

    @property
    def _is_tested(self) -> bool:
        return self.certified is not None and len(self.history.records) > 1

    @property
    def _real(self) -> list[str]:
        return [record.name for record in self.history.records if record.name in (self.certified or ())]

    def text_lines(self, width: int) -> list[str]:
        """A line per record with a bar, a line per baseline, and the runs of each month."""
        rows = [(record.date.isoformat(), record.name, self.rounded(record.mean)) for record in self.history.records]
        rows += [("baseline", run.name, self.rounded(self.means[run.name])) for run in self._baselines]
        longest, real = max((abs(mean) for *_, mean in rows), default=0.0), set(self._real)
        lines = [
            TextRow((when, f"{'✓ ' * (name in real)}{shown_name(name)}", f"{mean:.4f}"), block_bar(abs(mean), longest))
            for when, name, mean in rows
        ]
        return [*text_rows(lines, width, "<<>"), "", self._months(width)]

    def _months(self, width: int) -> str:
        counts = Counter(day.year * 12 + day.month - 1 for _, day in self._dated)
        first, last = min(counts), max(counts)
        per_cell = -(-(last - first + 1) // max(width - 20, 1))
        cells = [0] * ((last - first) // per_cell + 1)
        for month, count in counts.items():
            cells[(month - first) // per_cell] += count
        drawn = "".join(DENSITY[-(-8 * cell // max(cells))] for cell in cells)
        start, end = (f"{month // 12:04}-{month % 12 + 1:02}" for month in (first, last))
        return f"{start} {drawn} {end}"

    def view(self) -> Spec:
        """Baselines, points, steps, and the names of the records."""
        style, palette = self.style, self.style.palette
        width, height = style.sheet.width - 5 * style.sheet.font, round(style.sheet.width * 0.55)
        days = [day for _, day in self._dated]
        first, last = min(days), max(days)
        margin = timedelta(days=max((last - first).days // 25, 2))
        means = [self.means[run.name] for run in (*(run for run, _ in self._dated), *self._baselines)]
        room = (max(means) - min(means)) * 0.06 or abs(max(means)) * 0.05 or 0.5
        low, high = min(means) - room, max(means) + room
        axis: Spec = {"grid": False, "labelOverlap": "greedy", "labelSeparation": 8, "labelFlush": False}
        axis["tickCount"] = _ticks(6 if style.size == "page" else 4, (last - first + 2 * margin).days)
        axis["format"] = "%Y-%m" if (last - first).days > 150 else "%Y-%m-%d"
        span = {"type": "utc", "domain": [(first - margin).isoformat(), (last + margin).isoformat()]}
        x = {"field": "date", "type": "temporal", "title": None, "scale": span, "axis": axis}
        scale = vl.exactly(low, high, zero=False, reverse=self.history.best_is_low)
        y = vl.quantitative("mean", f"Mean {visible(self.measure)}", scale=scale, axis={"tickCount": 6})
        kinds = ["run", "record", *([CERTIFIED] if self._is_tested else [])]
        legend = vl.legend_above() if self._is_tested else None
        size = 42 if style.size == "page" else 22
        larger = {"condition": {"test": {"field": "kind", "equal": CERTIFIED}, "value": 4 * size}}
        colours = palette.strong, palette.accent, palette.second
        dots = {
            "x": x,
            "y": y,
            "tooltip": vl.tooltip(("name", "Run"), ("team", "Team"), ("date", "Date"), ("mean", "Mean", ".4f")),
            "color": vl.words_as("kind", kinds, colours[: len(kinds)], legend=legend),
            "shape": vl.words_as("kind", kinds, ["circle", "circle", "diamond"][: len(kinds)], legend=legend),
            "size": (larger if self._is_tested else {}) | {"value": size},
            "order": {"field": "kind", "type": "nominal", "sort": "descending"},
        }
        records = self.history.records
        steps = [_point(record.name, record.team, record.date, record.mean) for record in records]
        steps += [steps[-1] | {"date": last.isoformat()}] if steps else []
        names = self._names((first - margin, last + margin), width, height, (low, high))
        sides = ("right", {"align": "right", "dx": -3}), ("left", {"align": "left", "dx": 4})
        look: Spec = {"baseline": "middle", "dy": -style.sheet.font * 0.7}
        return vl.panel(
            width,
            height,
            *self._baseline_layers(y),
            vl.layer("line", {"x": x, "y": y}, steps, interpolate="step-after", color=palette.accent),
            vl.layer("point", dots, self._points(), filled=True, opacity=0.85),
            *(vl.label_layers({"x": x, "y": y}, names, sides, **look) if names else ()),
        )

    def _points(self) -> list[Spec]:
        kinds = {record.name: "record" for record in self.history.records} | dict.fromkeys(self._real, CERTIFIED)
        dated = sorted(self._dated, key=lambda dated: (dated[0].name in kinds, dated[1], dated[0].name))
        return [
            _point(run.name, run.team, day, self.means[run.name]) | {"kind": kinds.get(run.name, "run")}
            for run, day in dated
        ]

    def _baseline_layers(self, y: Spec) -> list[Spec]:
        soft, limit = self.style.palette.soft, self.style.sheet.label
        values = [
            {"name": shown_name(run.name), "label": shorten(visible(run.name), limit), "mean": self.means[run.name]}
            for run in self._baselines
        ]
        look: Spec = {"align": "right", "baseline": "bottom", "dy": -2, "color": soft, "fontStyle": "italic"}
        layers = [
            vl.layer("rule", {"y": y}, values, strokeDash=[5, 4], color=soft),
            vl.layer("text", {"y": y, "x": {"value": "width"}, "text": vl.text()}, values, **look),
        ]
        return layers if values else []

    def _names(self, span: tuple[date, date], width: int, height: int, ends: tuple[float, float]) -> list[Spec]:
        """The records whose names have room, certified ones and then the newest first, and where each is written.

        Names are above and to the left of their points, or to the right, where no other run can be.
        """
        sheet, records, real = self.style.sheet, self.history.records, set(self._real)
        days, (low, high) = max((span[1] - span[0]).days, 1), ends
        places = [(record.date - span[0]).days / days * width for record in records]
        taken: list[Place] = []
        values: list[Spec] = []
        for number in sorted(range(len(records)), key=lambda number: (records[number].name not in real, -number)):
            record, across = records[number], places[number]
            up = (record.mean - low) / (high - low) * height
            until = [*places, width][number + 1]
            options = []
            for longest in (sheet.label, sheet.label * 2 // 3, sheet.label // 2):
                label = shorten(visible(record.name), longest)
                length = (len(label) + 1) * sheet.font * LETTER
                options.append(Place(across - length, across, up, "right", label))
                if across + length <= until:
                    options.append(Place(across, across + length, up, "left", label))
            if (place := vl.first_free(options, taken, width, sheet.font * 1.15)) is not None:
                where = {"date": record.date.isoformat(), "mean": record.mean, "align": place.align}
                values.append({"name": shown_name(record.name), "label": place.label, **where})
        return values[::-1]


def _point(name: str, team: str, day: date, mean: float) -> Spec:
    return {"name": shown_name(name), "team": visible(team), "date": day.isoformat(), "mean": mean}


def _ticks(count: int, days: int) -> int | Spec:
    """About this many ticks; never two on one day, which would be called the same."""
    return count if days > count else {"interval": "day", "step": 1}


MOST_PANELS: Final = 3
LOG_FROM: Final = 20.0
"""Costs that span more than this are shown on a logarithmic scale."""


@dataclass(frozen=True, eq=False)
class CostFrontier(Chart):
    """The mean of every run against what it costs, a panel per cost, with the frontier of each.

    With several costs a run that is beaten on each of them may still be on the frontier of all together: no one run
    beats it on everything. Such runs have a colour of their own.

    runs         (name, mean) of each run
    costs        the costs of each run, in the order of `names`
    names        what the costs are called; the first three are drawn
    frontiers    for each run, whether it is on the frontier of each cost alone
    frontier     whether each run is on the frontier of all costs together
    """

    name: ClassVar = "cost_frontier"
    description: ClassVar = "The mean of each run against its cost, and the runs that no cheaper run beats."

    runs: Sequence[tuple[str, float]]
    costs: Sequence[tuple[float, ...]]
    names: tuple[str, ...]
    frontiers: Sequence[tuple[bool, ...]]
    frontier: Sequence[bool]
    measure: str
    best_is_low: bool = False

    def __post_init__(self) -> None:
        if not self.runs or not self.names or any(len(row) != len(self.names) for row in self.costs):
            raise UsageError("no runs, no costs or too few of them; expected every cost of at least one run; give them")

    @property
    def _kinds(self) -> list[str]:
        """What a run can be; with one cost there is no frontier but its own."""
        if len(self.names) == 1:
            return ["on the frontier", "beaten on both"]
        return ["on the frontier of this cost", "on that of all costs", "beaten on all"]

    def _kind(self, at: int, place: int) -> str:
        own, *others, beaten = self._kinds
        if self.frontiers[at][place]:
            return own
        return others[0] if others and self.frontier[at] else beaten

    def _steps(self, place: int) -> list[tuple[str, float, float]]:
        """Name, cost and mean of the frontier of one cost, from cheap to expensive."""
        steps = [
            (name, row[place], mean)
            for (name, mean), row, free in zip(self.runs, self.costs, self.frontiers, strict=True)
            if free[place]
        ]
        return sorted(steps, key=lambda step: (step[1], step[0]))

    def words(self) -> Words:
        names = list(map(shown_name, self.names[:MOST_PANELS]))
        frontiers = [
            f"by {name}, {listed([shown_name(step[0]) for step in self._steps(place)], 5)}"
            for place, name in enumerate(names)
        ]
        best, mean = (min if self.best_is_low else max)(self.runs, key=lambda run: run[1])
        return Words(
            f"What does {self.measure} cost? {' and '.join(self.names[:MOST_PANELS])}",
            f"{shown_name(best)} has the best mean {self.measure} of {counted(len(self.runs), 'run')}, {mean:.4f}. No "
            f"other run beats these on mean and cost: {'; '.join(frontiers)}.",
            "Lines join the runs that no other run beats on mean and cost; intervals of means are not shown",
            (f"* no other run is at least as good and as cheap in {names[0]}, and better in one.",),
        )

    def text_lines(self, width: int) -> list[str]:
        """A line per run in the order of the means: a star on the frontier, the mean, the first cost."""
        order = sorted(range(len(self.runs)), key=lambda at: self.runs[at][1], reverse=not self.best_is_low)
        most = max(row[0] for row in self.costs)
        rows = []
        for at in order:
            (name, mean), cost = self.runs[at], self.costs[at][0]
            star = "*" if self.frontiers[at][0] else " "
            before = f"{star} {shown_name(name)}", f"{mean:.4f}", f"{cost:.4g}"
            rows.append(TextRow(before, block_bar(cost, most, "▪", least=0)))
        return text_rows(rows, width, "<>>", ("  Run", "Mean", shown_name(self.names[0]), "", ""))

    def view(self) -> Spec:
        """A panel per cost."""
        panels = [self._panel(place) for place in range(min(len(self.names), MOST_PANELS))]
        return {"vconcat": panels, "spacing": 20}

    def _panel(self, place: int) -> Spec:
        style, palette, kinds = self.style, self.style.palette, self._kinds
        colours = [palette.second, *([palette.accent] if len(kinds) > 2 else []), palette.neutral]
        steps = {name: order for order, (name, _, _) in enumerate(self._steps(place))}
        prices = [row[place] for row in self.costs]
        is_log = min(prices) > 0.0 and max(prices) / min(prices) > LOG_FROM
        width, height = style.sheet.width - style.sheet.font * 10, style.sheet.row * 12
        sides = self._sides(place, width, height, is_log=is_log)
        values: list[Spec] = []
        for at, ((name, mean), cost) in enumerate(zip(self.runs, prices, strict=True)):
            run = {"name": shown_name(name), "mean": mean, "cost": cost, "kind": self._kind(at, place)}
            values.append({**run, "label": self._short(name), "side": sides.get(name, ""), "step": steps.get(name)})
        values.sort(key=lambda row: kinds.index(row["kind"]), reverse=True)  # the frontier is drawn last
        x = vl.quantitative("cost", shorten(shown_name(self.names[place]), 40), axis={"tickCount": 5, "format": ",~r"})
        x["scale"] = {"type": "log"} if is_log else {"zero": False, "nice": True}
        y = vl.quantitative("mean", f"Mean {self.measure}", axis={"tickCount": 5})
        y["scale"] = {"zero": False, "nice": True, "reverse": self.best_is_low}
        legend = vl.legend_above(len(kinds) if style.size == "page" else 1) if place == 0 else None
        tips = vl.tooltip(("name", "Run"), ("mean", "Mean", ".4f"), ("cost", "Cost", ".4~g"), ("kind", "It is"))
        axes = {"x": x, "y": y}
        line = axes | {"order": {"field": "step", "type": "quantitative"}}
        dots = axes | {"color": vl.words_as("kind", kinds, colours, legend=legend), "tooltip": tips}
        looks = (
            ("left", {"align": "right", "dx": -6, "dy": -4}),
            ("right", {"align": "left", "dx": 6, "dy": 9}),
        )
        return vl.panel(
            width,
            height,
            vl.layer("line", line, where=("kind", kinds[0]), color=palette.second, opacity=0.6),
            vl.points(dots, style, size=60),
            *vl.label_layers(axes, None, looks, "side", fontSize=style.sheet.font - 1),
            values=values,
        )

    def _short(self, name: str) -> str:
        return shorten(shown_name(name), self.style.sheet.label // 2)

    def _sides(self, place: int, width: int, height: int, *, is_log: bool) -> dict[str, str]:
        """On which side of its point a run of the frontier has its name; those that have no room are left out.

        Above and left of the frontier there is no run, so that is tried first; the best mean is never left out.
        """
        font, sign = self.style.sheet.font, -1 if self.best_is_low else 1
        prices = [math.log10(row[place]) if is_log else row[place] for row in self.costs]
        low, high = (math.floor(min(prices)), math.ceil(max(prices))) if is_log else (min(prices), max(prices))
        means = [sign * mean for _, mean in self.runs]
        taken: list[Place] = []
        sides: dict[str, str] = {}
        for name, price, mean in reversed(self._steps(place)):
            across = ((math.log10(price) if is_log else price) - low) / ((high - low) or 1.0) * width
            up = (sign * mean - min(means)) / ((max(means) - min(means)) or 1.0) * height
            length = self.style.text_width(self._short(name)) + 6
            options = Place(across - length, across, up, "left"), Place(across, across + length, up - font, "right")
            if (side := vl.first_free(options, taken, math.inf, font)) is not None:
                sides[name] = side.align
        return sides
