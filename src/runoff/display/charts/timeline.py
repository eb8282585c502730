"""The best mean of a board over time: every run as a point, the records as steps, the baselines as dashed lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar, Final

from runoff.boards.history import HistoryResult, Record
from runoff.display.charts._base import Chart
from runoff.display.charts._labels import fit, names_column, shorten, shown_name
from runoff.display.charts._spec import Place, Spec, first_free, layer, nominal, quantitative, text, tooltip
from runoff.display.charts._style import LETTER
from runoff.display.grid import visible
from runoff.errors import UsageError
from runoff.phrases import counted
from runoff.tables.board import BoardRun

DENSITY: Final = " ▁▂▃▄▅▆▇█"
"""Other submissions of a month, from none to the most of any month."""
CERTIFIED: Final = "certified record"


@dataclass(frozen=True, eq=False)
class Timeline(Chart):
    """The dated runs of a board and its records.

    Lin et al. 2021, Figure 1, https://doi.org/10.48550/arXiv.2102.12887

    runs       those with a date are points; a baseline is a dashed line
    means      the mean of each run by name; a run without one is left out
    history    the records; better is always up
    measure    what the means are of
    certified  the records that the record test shows to be real; None where it was not asked
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

    @property
    def title(self) -> str:
        return f"The best {self.measure} over time"

    @property
    def subtitle(self) -> str:
        counts = f"{counted(len(self._dated), 'run')}, {counted(len(self.history.records), 'record')}"
        certified = f", {len(self._real):,} of them certified" if self._is_tested else ""
        left_out = f"; {len(self.history.undated):,} without a date left out" if self.history.undated else ""
        return f"{counts}{certified}{left_out}"

    @property
    def _dated(self) -> list[BoardRun]:
        return [run for run in self.runs if run.date and not run.baseline and run.name in self.means]

    @property
    def _baselines(self) -> list[BoardRun]:
        return [run for run in self.runs if run.baseline and run.name in self.means]

    @property
    def _is_tested(self) -> bool:
        return self.certified is not None and len(self.history.records) > 1

    @property
    def _real(self) -> list[str]:
        return [record.name for record in self.history.records if record.name in (self.certified or ())]

    def text_alternative(self) -> str:
        records, measure, runs = self.history.records, visible(self.measure), len(self._dated)
        if not records:
            return f"None of {counted(runs, 'run')} beats the baselines, so there is no record of {measure}."
        first, last = records[0], records[-1]
        record = (
            f"{shown_name(last.name)} has held the record of {measure}, {last.mean:.4f}, since {last.date.isoformat()}"
        )
        if len(records) == 1:
            return f"{record}; it is the only record among {counted(runs, 'run')}."
        return (
            f"{record}. The first of {len(records):,} records was {shown_name(first.name)} with {first.mean:.4f} on "
            f"{first.date.isoformat()}. {runs - len(records):,} of {runs:,} runs set no record."
            f"{self._certified_words()}"
        )

    def _certified_words(self) -> str:
        if not self._is_tested:
            return ""
        if not self._real:
            return " The record test certifies none of the later ones."
        return f" The record test certifies {', '.join(map(shown_name, self._real))}."

    def text_lines(self, width: int) -> list[str]:
        """A line per record with a bar, a line per baseline, and the submissions of each month."""
        real = set(self._real)
        rows = [
            (record.date.isoformat(), record.mean, f"{'✓ ' if record.name in real else ''}{shown_name(record.name)}")
            for record in self.history.records
        ]
        rows += [("baseline", self.means[run.name], shown_name(run.name)) for run in self._baselines]
        column = names_column([name for *_, name in rows], width)
        room = max(width - column - 22, 1)
        longest = max((abs(mean) for _, mean, _ in rows), default=0.0) or 1.0
        lines = []
        for when, mean, name in rows:
            bar = "█" * max(round(abs(mean) / longest * room), 1)
            lines.append(f"{when:<10}  {bar:<{room}}  {mean:.4f}  {fit(name, column)}".rstrip())
        return [*lines, "", self._months(width)]

    def text_notes(self) -> list[str]:
        others = len(self._dated) - len(self.history.records)
        months = f"The last line: runs over time, higher where there were more; {others:,} set no record."
        return [*(["✓ certified by the record test."] if self._real else []), months]

    def _months(self, width: int) -> str:
        dates = [run.date for run in self._dated if run.date]
        counts = Counter((day.year, day.month) for day in dates)
        first, last = min(counts), max(counts)
        length = (last[0] - first[0]) * 12 + last[1] - first[1] + 1
        per_cell = -(-length // max(width - 20, 1))
        cells = [0] * -(-length // per_cell)
        for (year, month), count in counts.items():
            cells[((year - first[0]) * 12 + month - first[1]) // per_cell] += count
        drawn = "".join(DENSITY[-(-8 * cell // max(cells))] for cell in cells)
        start, end = (f"{year:04}-{month:02}" for year, month in (first, last))
        return f"{start} {drawn} {end}"

    def view(self) -> Spec:
        """Baselines, points, steps, and the names of the records."""
        style, palette = self.style, self.style.palette
        width, height = style.sheet.width - 5 * style.sheet.font, round(style.sheet.width * 0.55)
        days = [run.date for run in self._dated if run.date]
        first, last = min(days), max(days)
        margin = timedelta(days=max((last - first).days // 25, 2))
        means = [self.means[run.name] for run in (*self._dated, *self._baselines)]
        low, high = min(means), max(means)
        room = (high - low) * 0.06 or abs(high) * 0.05 or 0.5
        scale: Spec = {
            "domain": [low - room, high + room],
            "zero": False,
            "nice": False,
            "reverse": self.history.best_is_low,
        }
        axis: Spec = {"grid": False, "labelOverlap": "greedy", "labelSeparation": 8, "labelFlush": False}
        axis["tickCount"] = _ticks(6 if style.size == "page" else 4, (last - first + 2 * margin).days)
        axis["format"] = "%Y-%m" if (last - first).days > 150 else "%Y-%m-%d"
        ends = [(first - margin).isoformat(), (last + margin).isoformat()]
        x = {"field": "date", "type": "temporal", "title": None, "scale": {"type": "utc", "domain": ends}, "axis": axis}
        y = quantitative("mean", f"Mean {visible(self.measure)}", scale=scale, axis={"tickCount": 6})
        kinds = ["run", "record", *([CERTIFIED] if self._is_tested else [])]
        legend = {"orient": "top", "direction": "horizontal"} if self._is_tested else None
        colours = [palette.strong, palette.accent, palette.second][: len(kinds)]
        shapes = ["circle", "circle", "diamond"][: len(kinds)]
        size = 42 if style.size == "page" else 22
        larger = {"condition": {"test": {"field": "kind", "equal": CERTIFIED}, "value": 4 * size}}
        dots = {
            "x": x,
            "y": y,
            "tooltip": tooltip(("name", "Run"), ("team", "Team"), ("date", "Date"), ("mean", "Mean", ".4f")),
            "color": nominal("kind", scale={"domain": kinds, "range": colours}, legend=legend),
            "shape": nominal("kind", scale={"domain": kinds, "range": shapes}, legend=legend),
            "size": (larger if self._is_tested else {}) | {"value": size},
            "order": {"field": "kind", "type": "nominal", "sort": "descending"},
        }
        steps = [self._point(record.name, record.team, record.date, record.mean) for record in self.history.records]
        steps += [steps[-1] | {"date": last.isoformat()}] if steps else []
        return {
            "width": width,
            "height": height,
            "layer": [
                *self._baseline_layers(y),
                layer("line", {"x": x, "y": y}, steps, interpolate="step-after", color=palette.accent),
                layer("point", dots, self._points(), filled=True, opacity=0.85),
                *self._name_layers(x, y, room=((first - margin, last + margin), width, height, scale["domain"])),
            ],
        }

    def _point(self, name: str, team: str, day: date, mean: float) -> Spec:
        return {"name": shown_name(name), "team": visible(team), "date": day.isoformat(), "mean": mean}

    def _points(self) -> list[Spec]:
        kinds = {record.name: "record" for record in self.history.records} | dict.fromkeys(self._real, CERTIFIED)
        points = []
        for run in sorted(self._dated, key=lambda run: (run.name in kinds, run.date or date.min, run.name)):
            kind = kinds.get(run.name, "run")
            points.append(self._point(run.name, run.team, run.date or date.min, self.means[run.name]) | {"kind": kind})
        return points

    def _baseline_layers(self, y: Spec) -> list[Spec]:
        if not self._baselines:
            return []
        soft, limit = self.style.palette.soft, self.style.sheet.label
        values = [
            {"name": shown_name(run.name), "label": shorten(visible(run.name), limit), "mean": self.means[run.name]}
            for run in self._baselines
        ]
        look: Spec = {"align": "right", "baseline": "bottom", "dy": -2, "color": soft, "fontStyle": "italic"}
        return [
            layer("rule", {"y": y}, values, strokeDash=[5, 4], color=soft),
            layer("text", {"y": y, "x": {"value": "width"}, "text": text()}, values, **look),
        ]

    def _name_layers(self, x: Spec, y: Spec, room: tuple[tuple[date, date], int, int, list[float]]) -> list[Spec]:
        """Names of records, above and to the left of their points, where nothing else can be."""
        sheet = self.style.sheet
        values = _placed(self.history.records, set(self._real), sheet.label, sheet.font, room)
        encoding = {"x": x, "y": y, "text": text()}
        look: Spec = {"baseline": "middle", "dy": -sheet.font * 0.7}
        return [
            layer("text", encoding, values, where=("align", align), align=align, dx=dx, **look)
            for align, dx in (("right", -3), ("left", 4))
            if values
        ]


def _placed(
    records: Sequence[Record],
    first: Collection[str],
    limit: int,
    font: int,
    room: tuple[tuple[date, date], int, int, list[float]],
) -> list[Spec]:
    """The records whose names have room, those in `first` and then the newest first, and where each is written."""
    (start, end), width, height, (low, high) = room
    days = max((end - start).days, 1)
    places = [(record.date - start).days / days * width for record in records]
    taken: list[Place] = []
    values: list[Spec] = []
    for number in sorted(range(len(records)), key=lambda number: (records[number].name not in first, -number)):
        record, across = records[number], places[number]
        up = (record.mean - low) / (high - low) * height
        until = places[number + 1] if number + 1 < len(records) else width
        options = []
        for longest in (limit, limit * 2 // 3, limit // 2):
            label = shorten(visible(record.name), longest)
            length = (len(label) + 1) * font * LETTER
            options.append(Place(across - length, across, up, "right", label))
            if across + length <= until:
                options.append(Place(across, across + length, up, "left", label))
        if (place := first_free(options, taken, width, font * 1.15)) is not None:
            where = {"date": record.date.isoformat(), "mean": record.mean, "align": place.align}
            values.append({"name": shown_name(record.name), "label": place.label, **where})
    return values[::-1]


def _ticks(count: int, days: int) -> int | Spec:
    """About this many ticks; never two on one day, which would be called the same."""
    return count if days > count else {"interval": "day", "step": 1}
