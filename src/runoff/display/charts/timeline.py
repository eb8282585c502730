"""The best mean of a board over time: every run as a point, the records as steps, the baselines as dashed lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import product
from typing import ClassVar, Final

from runoff.boards.history import HistoryResult, Record, history
from runoff.display.cells import visible
from runoff.display.charts._base import Chart, Spec
from runoff.display.charts._labels import fit, names_column, shorten, shown_name
from runoff.display.charts._style import LETTER
from runoff.errors import UsageError
from runoff.tables.board import BoardRun

DENSITY: Final = " ▁▂▃▄▅▆▇█"
"""Other submissions of a month, from none to the most of any month."""
CERTIFIED: Final = "certified record"


@dataclass(frozen=True, eq=False)
class Timeline(Chart):
    """The dated runs of a board and its records.

    Lin et al. 2021, Figure 1, https://doi.org/10.48550/arXiv.2102.12887

    runs         those with a date are points; a baseline is a dashed line
    means        the mean of each run by name; a run without one is left out
    measure      what the means are of
    best_is_low  whether a lower mean is better; better is always up
    certified    the records that the record test shows to be real; None where it was not asked
    """

    name: ClassVar = "timeline"
    description: ClassVar = "The mean of every run by its date, and the best so far."

    runs: Sequence[BoardRun]
    means: Mapping[str, float]
    measure: str = "Mean"
    best_is_low: bool = False
    certified: Collection[str] | None = None
    found: HistoryResult = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "found", history(self.runs, self.means, best_is_low=self.best_is_low))
        if not self._dated:
            raise UsageError("no run has a date and a mean; expected one at least; give the runs of the board dates")

    @property
    def title(self) -> str:
        """The measure."""
        return f"The best {self.measure} over time"

    @property
    def subtitle(self) -> str:
        """How many runs, records, certified ones and runs without a date."""
        records, runs = len(self.found.records), len(self._dated)
        said = f"{runs:,} {'run' if runs == 1 else 'runs'}, {records:,} {'record' if records == 1 else 'records'}"
        if self._is_tested:
            said += f", {len(self._real):,} of them certified"
        left = len(self.found.undated)
        return f"{said}; {left:,} without a date left out" if left else said

    @property
    def _dated(self) -> list[BoardRun]:
        return [run for run in self.runs if run.date and not run.baseline and run.name in self.means]

    @property
    def _baselines(self) -> list[BoardRun]:
        return [run for run in self.runs if run.baseline and run.name in self.means]

    @property
    def _is_tested(self) -> bool:
        return self.certified is not None and len(self.found.records) > 1

    @property
    def _real(self) -> list[str]:
        return [record.name for record in self.found.records if record.name in (self.certified or ())]

    def text_alternative(self) -> str:
        """First and last record, how many lie between them, and which are certified."""
        records, measure = self.found.records, visible(self.measure)
        if not records:
            return f"No run of {len(self._dated):,} beats the baselines, so there is no record of {measure}."
        first, last = records[0], records[-1]
        said = f"{shown_name(last.name)} has the record of {measure} with {last.mean:.4f} since {last.date.isoformat()}"
        if len(records) == 1:
            return f"{said}; it is the only record among {len(self._dated):,} runs."
        return (
            f"{said}. The first of {len(records):,} records was {shown_name(first.name)} with {first.mean:.4f} on "
            f"{first.date.isoformat()}. {len(self._dated) - len(records):,} of {len(self._dated):,} runs were no "
            f"records.{self._certified_words()}"
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
            (one.date.isoformat(), one.mean, f"{'✓ ' if one.name in real else ''}{shown_name(one.name)}")
            for one in self.found.records
        ]
        rows += [("baseline", self.means[run.name], shown_name(run.name)) for run in self._baselines]
        column = names_column([name for *_, name in rows], width)
        room = max(width - column - 22, 1)
        everything = [abs(mean) for _, mean, _ in rows]
        longest = max(everything, default=0.0) or 1.0
        lines = [
            f"{when:<10}  {'█' * max(round(abs(mean) / longest * room), 1):<{room}}  {mean:.4f}  {fit(name, column)}"
            .rstrip()
            for when, mean, name in rows
        ]  # fmt: skip
        return [*lines, "", self._months(width)]

    def text_notes(self) -> list[str]:
        """What the mark and the line of months show."""
        others = len(self._dated) - len(self.found.records)
        months = f"The last line: runs over time, higher where there were more; {others:,} were no records."
        return [*(["✓ certified by the record test."] if self._real else []), months]

    def _months(self, width: int) -> str:
        dates = [run.date for run in self._dated if run.date]
        counts = Counter((one.year, one.month) for one in dates)
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
        scale: Spec = {"domain": [low - room, high + room], "zero": False, "nice": False, "reverse": self.best_is_low}
        x = {"field": "date", "type": "temporal", "title": None,
             "scale": {"type": "utc", "domain": [(first - margin).isoformat(), (last + margin).isoformat()]},
             "axis": {"grid": False, "labelOverlap": "greedy", "labelSeparation": 8, "labelFlush": False,
                      "tickCount": _ticks(6 if style.size == "page" else 4, (last - first + 2 * margin).days),
                      "format": "%Y-%m" if (last - first).days > 150 else "%Y-%m-%d"}}  # fmt: skip
        y = {"field": "mean", "type": "quantitative", "title": f"Mean {visible(self.measure)}", "scale": scale,
             "axis": {"tickCount": 6}}  # fmt: skip
        tooltip = [
            {"field": "name", "type": "nominal", "title": "Run"},
            {"field": "team", "type": "nominal", "title": "Team"},
            {"field": "date", "type": "nominal", "title": "Date"},
            {"field": "mean", "type": "quantitative", "title": "Mean", "format": ".4f"},
        ]
        kinds = ["run", "record", *([CERTIFIED] if self._is_tested else [])]
        look = {"field": "kind", "type": "nominal", "title": None,
                "legend": {"orient": "top", "direction": "horizontal"} if self._is_tested else None}  # fmt: skip
        small = style.size != "page"
        size = 22 if small else 42
        larger = {"condition": {"test": {"field": "kind", "equal": CERTIFIED}, "value": 4 * size}}
        larger = larger if self._is_tested else {}
        steps = [self._point(record.name, record.team, record.date, record.mean) for record in self.found.records]
        end = [steps[-1] | {"date": last.isoformat()}] if steps else []
        return {
            "width": width,
            "height": height,
            "layer": [
                *self._baseline_layers(y),
                {
                    "data": {"values": steps + end},
                    "mark": {"type": "line", "interpolate": "step-after", "color": palette.accent},
                    "encoding": {"x": x, "y": y},
                },
                {
                    "data": {"values": self._points()},
                    "mark": {"type": "point", "filled": True, "opacity": 0.85},
                    "encoding": {
                        "x": x, "y": y, "tooltip": tooltip,
                        "color": look | {"scale": {"domain": kinds, "range": [
                            palette.strong, palette.accent, palette.second][:len(kinds)]}},
                        "shape": look | {"scale": {"domain": kinds, "range": ["circle", "circle", "diamond"][
                            :len(kinds)]}},
                        "size": larger | {"value": size},
                        "order": {"field": "kind", "type": "nominal", "sort": "descending"}},
                },
                *self._name_layers(x, y, room=((first - margin, last + margin), width, height, scale["domain"])),
            ],
        }  # fmt: skip

    def _point(self, name: str, team: str, day: date, mean: float) -> Spec:
        return {"name": shown_name(name), "team": visible(team), "date": day.isoformat(), "mean": mean}

    def _points(self) -> list[Spec]:
        kinds = {one.name: "record" for one in self.found.records} | dict.fromkeys(self._real, CERTIFIED)
        points = []
        for run in sorted(self._dated, key=lambda run: (run.name in kinds, run.date or date.min, run.name)):
            kind = kinds.get(run.name, "run")
            points.append(self._point(run.name, run.team, run.date or date.min, self.means[run.name]) | {"kind": kind})
        return points

    def _baseline_layers(self, y: Spec) -> list[Spec]:
        if not self._baselines:
            return []
        palette, style = self.style.palette, self.style
        values = [
            {"name": shown_name(run.name), "label": shorten(visible(run.name), style.sheet.label),
             "mean": self.means[run.name]}
            for run in self._baselines
        ]  # fmt: skip
        return [
            {
                "data": {"values": values},
                "mark": {"type": "rule", "strokeDash": [5, 4], "color": palette.soft},
                "encoding": {"y": y},
            },
            {
                "data": {"values": values},
                "mark": {"type": "text", "align": "right", "baseline": "bottom", "dy": -2, "color": palette.soft,
                         "fontStyle": "italic"},
                "encoding": {"y": y, "x": {"value": "width"}, "text": {"field": "label", "type": "nominal"}},
            },
        ]  # fmt: skip

    def _name_layers(self, x: Spec, y: Spec, room: tuple[tuple[date, date], int, int, list[float]]) -> list[Spec]:
        """Names of records, above and to the left of their points, where nothing else can be."""
        style = self.style
        values = _placed(self.found.records, set(self._real), style.sheet.label, style.sheet.font, room)
        if not values:
            return []
        return [
            {
                "data": {"values": values},
                "mark": {"type": "text", "align": align, "baseline": "middle", "dx": dx, "dy": -style.sheet.font * 0.7},
                "transform": [{"filter": {"field": "align", "equal": align}}],
                "encoding": {"x": x, "y": y, "text": {"field": "label", "type": "nominal"}},
            }
            for align, dx in (("right", -3), ("left", 4))
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
    taken: list[tuple[float, float, float]] = []
    values: list[Spec] = []
    for number in sorted(range(len(records)), key=lambda number: (records[number].name not in first, -number)):
        record, across = records[number], places[number]
        up = (record.mean - low) / (high - low) * height
        until = places[number + 1] if number + 1 < len(records) else width
        for longest, align in product((limit, limit * 2 // 3, limit // 2), ("right", "left")):
            label = shorten(visible(record.name), longest)
            length = (len(label) + 1) * font * LETTER
            left, right = (across - length, across) if align == "right" else (across, across + length)
            is_free = not any(
                abs(up - other) < font * 1.15 and left < their_right and right > their_left
                for other, their_left, their_right in taken
            )
            if left >= 0 and (align == "right" or right <= until) and is_free:
                taken.append((up, left, right))
                values.append({"name": shown_name(record.name), "label": label, "date": record.date.isoformat(),
                               "mean": record.mean, "align": align})  # fmt: skip
                break
    return values[::-1]


def _ticks(count: int, days: int) -> int | Spec:
    """About so many ticks; never two on one day, which would be called the same."""
    return count if days > count else {"interval": "day", "step": 1}
