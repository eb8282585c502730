"""Stacked bars: shares that add to 1, a bar per case, in one panel or several."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart
from runoff.display.charts._labels import TextRow, short_labels, text_rows
from runoff.display.charts._spec import Kind, Spec, Tip


class Bar(NamedTuple):
    """One bar.

    shares  of each kind, in the order of `kinds`
    fields  what else its rows hold, for the tooltip
    parts   what else each part holds; its `text` is written into it, by default its share
    end     what is written behind the bar in text
    """

    label: str
    shares: Sequence[float]
    fields: Spec
    parts: Sequence[Spec] = ()
    end: str = ""


class Bars(NamedTuple):
    """The bars of one panel, and its title if there are several panels."""

    bars: Sequence[Bar]
    title: str = ""


@dataclass(frozen=True, eq=False)
class StackedBars(Chart):
    """A chart of stacked bars; a subclass names the kinds of parts, the bars, the axis and the tooltips."""

    legend: ClassVar[str | None] = None
    tips: ClassVar[Sequence[Tip]]
    part_tips: ClassVar[Sequence[Tip]] = (("kind", "Kind"), ("share", "Share", ".2%"))
    longest_label: ClassVar[int] = 0
    """Characters that a label may have also where the sheet is narrow."""
    side_by_side: ClassVar[bool] = False
    """Whether panels are beside each other where the sheet is wide."""

    @property
    @abstractmethod
    def axis_title(self) -> str:
        """What the shares are of."""

    @abstractmethod
    def kinds(self) -> Sequence[Kind]:
        """The kinds of parts, from the left."""

    @abstractmethod
    def panels(self) -> Sequence[Bars]:
        """The bars, from the top."""

    def text_lines(self, width: int) -> list[str]:
        kinds, panels = self.kinds(), self.panels()

        def row(bar: Bar) -> TextRow:
            return TextRow((bar.label,), lambda room: stack_text(kinds, bar.shares, room), bar.end)

        drawn = iter(text_rows([row(bar) for part in panels for bar in part.bars], width, share=0.37))
        lines: list[str] = []
        for part in panels:
            lines += ["", part.title] if part.title else []
            lines += [next(drawn) for _ in part.bars]
        return lines[1:] if lines[0] == "" else lines

    def key(self) -> tuple[str, ...]:
        return (vl.signs_note(self.kinds()),) if self.kinds() else ()

    def view(self) -> Spec:
        style, panels = self.style, self.panels()
        longest = max(style.sheet.label, self.longest_label)
        labels = [short_labels([bar.label for bar in part.bars], longest) for part in panels]
        beside = self.side_by_side and style.size == "page"
        width = style.plot_width(*(label for names in labels for label in names))
        width = round(width * 0.47) if beside else width
        shown = [self._panel(at, names, width, beside=beside) for at, names in enumerate(labels)]
        if len(shown) == 1:
            return shown[0]
        return {"hconcat": shown, "spacing": 22} if beside else {"vconcat": shown, "spacing": 10}

    def _panel(self, at: int, labels: tuple[str, ...], width: int, *, beside: bool) -> Spec:
        style, kinds, panels = self.style, self.kinds(), self.panels()
        is_last = at == len(panels) - 1
        rows = [
            row for label, bar in zip(labels, panels[at].bars, strict=True) for row in self._rows(label, bar, width)
        ]
        y = vl.nominal("bar", scale={"domain": list(labels), "padding": 0.2})
        if beside and at:
            y["axis"] = None
        ticks = [0, 0.2, 0.4, 0.6, 0.8, 1] if style.size == "page" and not beside else [0, 0.5, 1]
        is_named = beside or is_last
        title = self.axis_title if is_named else None
        x = vl.numbers(title, {"domain": [0, 1]}, format=".0%", values=ticks, labels=is_named)
        colour = vl.colour_of(kinds, style, title=self.legend, below=len(panels) > 1, width=width)
        if len(panels) > 1 and (at if beside else not is_last):
            colour["legend"] = None
        bars: Spec = {"y": y, "x": {"field": "from", **x}, "x2": {"field": "to"}, "color": colour}
        letters = {"y": y, "x": {"field": "middle", **x}, "text": vl.text(), "color": vl.letters_of(kinds)}
        total = sum(len(part.bars) for part in panels)
        height = style.row_height(total) * len(labels) * (1.5 if total <= 12 else 1.15)
        bars["tooltip"] = vl.tooltip(*self.tips, *self.part_tips)
        drawn = vl.layer("bar", bars, stroke=style.palette.paper, strokeWidth=0.5)
        written = vl.layer("text", letters, fontSize=style.sheet.font - 1)
        more = {"title": vl.panel_title(panels[at].title, style)} if panels[at].title else {}
        return vl.panel(width, height, drawn, written, values=rows, resolve=vl.OWN_COLOURS, **more)

    def _rows(self, label: str, bar: Bar, width: int) -> list[Spec]:
        """The parts of a bar: where each begins and ends, and its text where there is room."""
        rows, start = [], 0.0
        parts = bar.parts or [{}] * len(bar.shares)
        for kind, share, part in zip(self.kinds(), bar.shares, parts, strict=True):
            place = {"from": start, "to": start + share, "middle": start + share / 2}
            written = self.style.if_fits(part.get("text", f"{share:.1%}"), share * width)
            fields = {key: value for key, value in part.items() if key != "text"}
            rows.append(
                {"bar": label, **bar.fields, "kind": kind.word, "share": share, **fields, **place, "label": written}
            )
            start += share
        return rows


def stack_text(kinds: Sequence[Kind], shares: Sequence[float], width: int) -> str:
    """A bar of shares in characters, the sign of each kind as often as its share asks for.

    >>> stack_text([Kind("yes", "#000000", "█"), Kind("no", "#ffffff", "·")], [0.3, 0.7], 10)
    '███·······'
    """
    ends, total = [0], 0.0
    for share in shares:
        total += share
        ends.append(min(round(width * total), width))
    return "".join(kind.sign * (ends[at + 1] - ends[at]) for at, kind in enumerate(kinds))
