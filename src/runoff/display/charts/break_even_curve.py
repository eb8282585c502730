"""For whom each of two runs is the better choice: what one saves, by how many results a user reads."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.comparisons import BreakEven, BreakEvenResult
from runoff.display.charts._base import Chart, Words
from runoff.display.charts._labels import fit, shorten, shown_name
from runoff.display.charts._spec import Spec, finite, layer, quantitative, text, tooltip, zero_line
from runoff.display.text_pictures import track
from runoff.phrases import counted, listed

MOST_LINES: Final = 20
"""Lines of the text form, about."""
MOST_POINTS: Final = 200
"""Numbers of results that are drawn; a line through more of them looks the same."""
BETTER: Final = " is better"


@dataclass(frozen=True, eq=False)
class BreakEvenCurve(Chart):
    """How much less a user reads with the challenger who stops after a number of results; below 0, how much more.

    Above the line of no difference the challenger is the better choice, below it the champion. The grey band is the 95%
    interval; a dashed line is a number of results at which the better run changes.
    """

    name: ClassVar = "break_even_curve"
    description: ClassVar = "Which of two runs is the better choice, by how many results a user reads."

    found: BreakEvenResult

    def words(self) -> Words:
        result, (low, high) = self.found, self._span
        challenger, champion = (shorten(name, 40) for name in (result.challenger, result.champion))
        how = f"95% interval in grey, {result.queries:,} queries" if self._has_intervals else "1 query, no interval"
        details = [self._significant(), self._at_the_end()] if result.saved.any() else []
        changes = [f"{round(change.results):,}{_in_brackets(change)}" for change in result.changes]
        where = f" The better run changes at about {listed(changes, len(changes))} results." if changes else ""
        one, other = (shorten(shown_name(name), 40) for name in (result.challenger, result.champion))
        saved = (
            f"results per query that {one} saves users who stop after reading this many, summed over relevant "
            f"documents; below 0, with {other}"
        )
        return Words(
            f"Which run is better for whom? {challenger} against {champion}",
            " ".join(filter(None, [self._who(), *details])),
            f"Results saved by users who stop after this many, summed over a query's relevant documents ({how})",
            (f"Saved: {saved}. The scale is from {low:+.2f} to {high:+.2f}, │ is 0.{where}",),
        )

    @property
    def _has_intervals(self) -> bool:
        return bool(np.isfinite(self.found.error).all())

    def _better(self, saved: float) -> str:
        return shown_name(self.found.challenger if saved > 0 else self.found.champion)

    def _who(self) -> str:
        """For whom each run is better."""
        found = self.found
        nonzero = found.saved[found.saved != 0]
        if not len(nonzero):
            names = f"{shown_name(found.challenger)} and {shown_name(found.champion)}"
            return f"There is no difference between {names} for users who read {_results(found.depth)} or fewer."
        if not found.changes:
            return f"{self._better(nonzero[0])} is better for users who read any number of results to {found.depth:,}."
        if len(found.changes) == 1:
            (change,) = found.changes
            about = f"{_results(change.results)}{_in_brackets(change, '95% interval ')}"
            many, few = self._better(nonzero[-1]), self._better(nonzero[0])
            return f"{many} is better for users who read more than about {about}, {few} for those who read fewer."
        changes = [
            f"{self._better(1 if change.challenger_above else -1)} from about {round(change.results):,}"
            for change in found.changes
        ]
        first = f"{self._better(nonzero[0])} is better for users who read the fewest results"
        return f"{', '.join([first, *changes[:-1]])} and {changes[-1]}."

    def _significant(self) -> str:
        """The numbers of results at which the interval leaves out 0."""
        low, high = self._bounds
        signs = (low > 0).astype(int) - (high < 0)
        parts, at = [], 1
        for sign, group in itertools.groupby(signs.tolist()):
            size = len(list(group))
            if sign:
                last = at + size - 1
                parts.append(f"{f'{at:,} to {last:,}' if size > 1 else f'{at:,}'} for {self._better(sign)}")
            at += size
        if not parts:
            return "The difference is not significant at any number of results."
        return f"The difference is significant at {', '.join(parts)}."

    def _at_the_end(self) -> str:
        """What is saved by users who read all."""
        found, (low, high) = self.found, self._bounds
        last = float(found.saved[-1])
        if not last:
            return ""
        ends = sorted((abs(float(low[-1])), abs(float(high[-1])))) if low[-1] * high[-1] > 0 else None
        interval = "" if ends is None else f" (95% interval {ends[0]:,.2f} to {ends[1]:,.2f})"
        return (
            f"Users who read {_results(found.depth)} save {abs(last):,.2f}{interval} per query with "
            f"{self._better(last)}, summed over relevant documents."
        )

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        low, high = self.found.ci95.T
        return low, high

    @cached_property
    def _span(self) -> tuple[float, float]:
        low, high = (np.where(np.isfinite(one), one, self.found.saved) for one in self._bounds)
        return float(min(low.min(), 0.0)), float(max(high.max(), 0.0))

    def text_lines(self, width: int) -> list[str]:
        """Results, what is saved and its interval, a line for some numbers of results."""
        found, (low, high) = self.found, self._bounds
        step = -(-found.depth // MOST_LINES)
        places = list(dict.fromkeys([*range(step - 1, found.depth, step), found.depth - 1]))
        numbers = [f"{found.saved[at]:+.2f}" for at in places]
        column = max(len("Saved"), *map(len, numbers))
        room = max(width - column - len("Results") - 4, 1)
        zero = track(0.0, 0.0, 0.0, span=self._span, width=room).index("●")
        lines = [f"Results  {'Saved':>{column}}  {self._sides(zero, room)}".rstrip()]
        for at, saved in zip(places, numbers, strict=True):
            ends = (float(low[at]), float(high[at])) if self._has_intervals else (float(found.saved[at]),) * 2
            drawn = track(ends[0], float(found.saved[at]), ends[1], span=self._span, width=room)
            if drawn[zero] == " ":
                drawn = f"{drawn[:zero]}│{drawn[zero + 1 :]}"
            lines.append(f"{at + 1:>7}  {saved:>{column}}  {drawn}".rstrip())
        return lines

    def _sides(self, zero: int, room: int) -> str:
        """Who is better on each side of the place of 0, as far as there is room to say it."""
        from rich.cells import cell_len

        sides = []
        for name, most in ((self.found.champion, zero - 1), (self.found.challenger, room - zero - 2)):
            whole = cell_len(shown_name(name))
            wide = min(whole, most - len(BETTER))
            sides.append(f"{fit(shown_name(name), wide).rstrip()}{BETTER}" if wide >= min(whole, 6) else "")
        return f"{' ' * (zero - 1 - cell_len(sides[0]))}{sides[0]} │ {sides[1]}" if zero else f"│ {sides[1]}"

    def view(self) -> Spec:
        """A band, a curve on the colour of the better run, and where the better run changes."""
        style, palette, result = self.style, self.style.palette, self.found
        width = style.plot_width("-00.0")
        low, high = self._bounds
        places = np.unique(np.linspace(0, result.depth - 1, min(result.depth, MOST_POINTS)).astype(np.int64)).tolist()
        values = [
            {"results": at + 1, "saved": finite(result.saved[at]), "low": finite(low[at]), "high": finite(high[at])}
            for at in places
        ]
        ticks: Spec = {"tickCount": 8 if style.size == "page" else 5}
        if result.depth <= 10:
            ticks = {"values": [*range(1, result.depth + 1)]}
        span = self._span if self._span[0] < self._span[1] else (-1.0, 1.0)
        x = quantitative("results", "Results that a user reads", axis={"format": ",d", **ticks})
        x["scale"] = {"domain": [1, max(result.depth, 2)], "nice": False}
        y: Spec = {"type": "quantitative", "title": "Results saved per query"}
        # Both halves have room for who is better there, so that the curve cannot run through it.
        y["scale"] = {"domain": list(span), "nice": False, "padding": round(style.sheet.font * 1.8)}
        y["axis"] = {"tickCount": 5, "labelExpr": "format(abs(datum.value), ',~g')"}
        tips = tooltip(
            ("results", "Results", ",d"),
            ("saved", f"Saved by {shown_name(result.challenger)}", "+,.2f"),
            ("low", "95% from", "+,.2f"),
            ("high", "to", "+,.2f"),
        )
        thin = 0.6 if style.size == "print" else 1.0
        areas = [
            layer(
                "area",
                {"x": x, "y": {"field": side, **y}, "y2": {"datum": 0}},
                self._filled(places),
                color=colour,
                opacity=0.8,
            )
            for side, colour in (("up", palette.second), ("down", palette.first))
        ]
        curve = layer("line", {"x": x, "y": {"field": "saved", **y}}, color=palette.ink, strokeWidth=2 * thin)
        layers = [*areas, zero_line("y", y, palette.ink, strokeWidth=thin), curve]
        if self._has_intervals:
            between = {"x": x, "y": {"field": "low", **y}, "y2": {"field": "high"}}
            edges = [
                layer("line", {"x": x, "y": {"field": end, **y}}, color=palette.strong, strokeWidth=thin, opacity=0.7)
                for end in ("low", "high")
            ]
            layers = [layer("area", between, color=palette.neutral, opacity=0.45), *areas, *edges, *layers[2:]]
        # A line has one tooltip for the whole of it: rules that are not seen say what is where.
        pointed = {"x": x, "tooltip": tips if self._has_intervals else tips[:2]}
        hover = layer("rule", pointed, opacity=0, strokeWidth=max(round(width / len(values)), 2), aria=False)
        layers += [*self._change_marks(x, width), *self._side_marks(width), hover]
        return {"width": width, "height": width // 2, "data": {"values": values}, "layer": layers}

    def _filled(self, places: list[int]) -> list[Spec]:
        """The curve above and below 0, with the points at which it crosses."""
        points = [(at + 1.0, float(self.found.saved[at])) for at in places]
        points += [(change.results, 0.0) for change in self.found.changes]
        return [
            {"results": results, "up": max(saved, 0.0), "down": min(saved, 0.0)} for results, saved in sorted(points)
        ]

    def _pixels(self, results: float, width: int) -> float:
        return (results - 1) / (max(self.found.depth, 2) - 1) * width

    def _change_marks(self, x: Spec, width: int) -> list[Spec]:
        """A dashed line at every change, and above the plot which number of results it is."""
        style, ink = self.style, self.style.palette.ink
        part = 0.6 if style.size == "print" else 1.0
        at = {"x": {**x, "field": "at"}}
        changes = [{"at": change.results} for change in self.found.changes]
        named = at | {"y": {"value": -style.sheet.font // 3}, "text": text()}
        if not changes:
            return []
        return [
            layer("rule", at, changes, color=ink, strokeDash=[4 * part, 3 * part], strokeWidth=part),
            layer("text", named, self._change_labels(width), align="center", baseline="bottom", color=ink),
        ]

    def _change_labels(self, width: int) -> list[Spec]:
        """As much about every change as there is room for beside the others; where there is none, nothing."""
        changes = self.found.changes
        texts = [
            [
                f"break-even at {_results(change.results)}{_in_brackets(change) or ' (interval open)'}"
                for change in changes
            ],
            [f"{round(change.results):,}{_in_brackets(change)}" for change in changes],
            [f"{round(change.results):,}" for change in changes],
        ]
        for labels in texts:
            placed = self._placed(labels, width)
            if len(placed) == len(changes):
                break
        return placed

    def _placed(self, labels: list[str], width: int) -> list[Spec]:
        """Labels above their changes, moved into the plot at its ends; those that overlap others are left out."""
        placed: list[Spec] = []
        taken = 0.0
        for label, change in zip(labels, self.found.changes, strict=True):
            half = self.style.text_width(label) / 2
            middle = min(max(self._pixels(change.results, width), half), width - half)
            if half * 2 <= width and (not placed or middle - half >= taken + self.style.sheet.font / 2):
                results = 1 + middle / width * (max(self.found.depth, 2) - 1)
                placed.append({"at": results, "label": label})
                taken = middle + half
        return placed

    def _side_marks(self, width: int) -> list[Spec]:
        """Which run is better in the upper and in the lower half: an arrow in its colour, and its name."""
        style, palette = self.style, self.style.palette
        font, limit = style.sheet.font, int(width * 0.8 / style.text_width("x" * 100) * 100) - len(BETTER)
        names = self.found.challenger, self.found.champion
        sides = [f"{shorten(shown_name(name), min(limit, style.sheet.label))}{BETTER}" for name in names]
        start = self._free_start(max(map(style.text_width, sides)) + 2 * font, width)
        marks: list[Spec] = []
        for words, shape, colour, y in (
            (sides[0], "triangle-up", palette.second, font),
            (sides[1], "triangle-down", palette.first, width // 2 - font),
        ):
            arrow: Spec = {
                "shape": shape,
                "filled": True,
                "color": colour,
                "opacity": 1,
                "size": round(font * font * 0.6),
            }
            letters: Spec = {
                "align": "left",
                "baseline": "middle",
                "fontWeight": "bold",
                "x": start + round(font * 1.3),
                "y": y,
            }
            # A seam of paper around the letters, where a dashed line runs through them.
            seam = letters | {"stroke": palette.paper, "strokeWidth": font / 3, "aria": False}
            marks.append(layer("point", {}, [{}], **arrow, x=start + font // 2, y=y))
            marks += [layer("text", {"text": text("better")}, [{"better": words}], **look) for look in (seam, letters)]
        return marks

    def _free_start(self, needed: int, width: int) -> int:
        """Where a text begins that no dashed line crosses: at the left, at the right, or at the left anyway."""
        lines = [self._pixels(change.results, width) for change in self.found.changes]
        starts = [round(self.style.sheet.font * 0.5), width - needed]
        return next((start for start in starts if not any(start <= at <= start + needed for at in lines)), starts[0])


def _results(results: float) -> str:
    return counted(round(results), "result")


def _in_brackets(change: BreakEven, words: str = "") -> str:
    """The interval of a change; nothing where both ends are open."""
    low, high = change.ci95
    if low is not None and high is not None:
        return f" ({words}{low:,} to {high:,})"
    return "" if low is high else f" ({words}at least {low:,})" if low is not None else f" ({words}at most {high:,})"
