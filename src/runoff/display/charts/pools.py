"""What was judged: how large pools are, whether a sample represents all queries, what has no judgment."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from runoff.display.charts import _spec as vl
from runoff.display.charts._base import Chart, Words, best_of, rank_ticks
from runoff.display.charts._labels import TextRow, block_bar, short_labels, shorten, shown_name, text_rows
from runoff.display.charts._spec import Place, Spec
from runoff.display.charts._style import LIGHT
from runoff.display.grid import visible
from runoff.errors import UsageError
from runoff.phrases import counted

MOST_BARS: Final = 40
"""With more sizes than this, neighbours share a bar."""


@dataclass(frozen=True, eq=False)
class PoolSizes(Chart):
    """How many queries have a pool of each size.

    Arabzadeh et al. 2021, Figure 4, https://arxiv.org/abs/2109.00062

    sizes  the number of documents in the pool of each query
    """

    name: ClassVar = "pool_sizes"
    description: ClassVar = "How many queries have a pool of how many documents."

    sizes: Sequence[int]

    def __post_init__(self) -> None:
        if not self.sizes or min(self.sizes) < 0:
            raise UsageError("there are no sizes of pools to show; expected a whole number from 0 for each query")

    def words(self) -> Words:
        sizes, usual = self.sizes, max(self._bars(), key=lambda bar: bar[2])
        mean, median = f"{statistics.fmean(sizes):.2f}", f"{statistics.median(sizes):g}"
        pairs = sum(size * (size - 1) // 2 for size in sizes)
        subtitle = f"{_queries(len(sizes))}; mean {mean}, median {median}; {pairs:,} pairs"
        return Words(
            "How large are the pools?",
            f"Pools of {_queries(len(sizes))} hold {min(sizes):,} to {max(sizes):,} documents, {mean} on average, with "
            f"a median of {median}. The most frequent size is {_words(usual)}, for {_queries(usual[2])}.",
            subtitle,
            (f"{subtitle}.",),
        )

    def _bars(self) -> list[tuple[int, int, int]]:
        """The first and the last size of each bar, and its queries."""
        low, high = min(self.sizes), max(self.sizes)
        step = math.ceil((high - low + 1) / MOST_BARS)
        counts = Counter((size - low) // step for size in self.sizes)
        return [
            (low + at * step, min(low + (at + 1) * step - 1, high), counts[at])
            for at in range((high - low) // step + 1)
        ]

    def text_lines(self, width: int) -> list[str]:
        bars, most = self._bars(), max(bar[2] for bar in self._bars())
        rows = [TextRow((_words(bar), f"{bar[2]:,}"), block_bar(bar[2], most, least=bar[2] > 0)) for bar in bars]
        return text_rows(rows, width, ">>")

    def view(self) -> Spec:
        """Bars, and a dashed line at the mean."""
        style, palette, bars = self.style, self.style.palette, self._bars()
        values = [
            {"from": low - 0.5, "to": high + 0.5, "size": _words((low, high, queries)), "queries": queries}
            for low, high, queries in bars
        ]
        low, high = bars[0][0], bars[-1][1]
        ticks = _whole_ticks(low, high, 15)
        x = vl.numbers("Documents in the pool", vl.exactly(low - 0.5, high + 0.5), grid=False, values=ticks, format="d")
        ticks = _whole_ticks(0, max(bar[2] for bar in bars), 6)
        y = vl.quantitative("queries", "Queries", axis={"values": ticks, "format": ",d"})
        tips = vl.tooltip(("size", "Documents"), ("queries", "Queries", ","))
        sizes = {"x": {"field": "from", **x}, "x2": {"field": "to"}, "y": y, "y2": {"datum": 0}, "tooltip": tips}
        mean = {"x": {"field": "mean", **x}, "tooltip": vl.tooltip(("mean", "Mean", ".2f"))}
        half = max(len(bars) * 3 * style.sheet.row, style.sheet.width // 2)
        line: Spec = {"color": palette.accent, "strokeDash": [5, 4], "strokeWidth": 2}
        return vl.panel(
            min(style.sheet.width - 5 * style.sheet.font, half),
            style.sheet.width * 0.35,
            vl.layer("bar", sizes, values, color=palette.second, stroke=palette.paper, strokeWidth=1),
            vl.layer("rule", mean, [{"mean": statistics.fmean(self.sizes)}], **line),
        )


def _words(bar: tuple[int, int, int]) -> str:
    return f"{bar[0]:,}" if bar[0] == bar[1] else f"{bar[0]:,} to {bar[1]:,}"


def _queries(count: int) -> str:
    return counted(count, "query", "queries")


def _whole_ticks(low: int, high: int, most: int) -> list[int]:
    """Whole numbers for an axis, in round steps and about as many as `most`.

    >>> _whole_ticks(0, 1, 6), _whole_ticks(2, 31, 15)
    ([0, 1], [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30])
    """
    steps = (step * 10**power for power in range(10) for step in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= most)
    return list(range(-(-low // step) * step, high + 1, step))


MOST_NAMED: Final = 12
"""Points that are named, if they have room."""


@dataclass(frozen=True, eq=False)
class SampleCheck(Chart):
    """The score of every run on all queries against its score on a sample; on the diagonal both are the same.

    Arabzadeh et al. 2021, Figure 5, https://arxiv.org/abs/2109.00062

    runs         their names
    scores       float64, runs: the mean on all queries
    sampled      float64, runs: the mean on the sample
    queries      how many queries there are: in all, and in the sample
    measure      what the means are of
    most         how many runs are shown, the best ones on all queries
    """

    name: ClassVar = "sample_check"
    description: ClassVar = "Each run's score on all queries against its score on a sample of them."

    runs: Sequence[str]
    scores: NDArray[np.float64]
    sampled: NDArray[np.float64]
    queries: tuple[int, int]
    measure: str = "RR@10"
    most: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        shape = (len(self.runs),)
        if not self.runs or self.scores.shape != shape or self.sampled.shape != shape:
            raise UsageError(
                f"{len(self.runs):,} runs with scores of shapes {self.scores.shape} and {self.sampled.shape}; expected "
                "one score per run on all queries and one on the sample, of at least one run"
            )

    @property
    def _places(self) -> list[int]:
        order: list[int] = np.argsort(-self.scores, kind="stable")[: self.most].tolist()
        return order

    def words(self) -> Words:
        first, best = self._places[0], int(np.argmax(self.sampled))
        far = int(np.argmax(np.abs(self.sampled - self.scores)))
        swapped = int((np.diff(self.sampled[np.argsort(-self.scores, kind="stable")]) > 0).sum())
        on_sample = f", {shown_name(self.runs[best])} on the sample ({self.sampled[best]:.4f})" if best != first else ""
        swaps = f"{counted(swapped, 'pair')} of neighbours {'changes' if swapped == 1 else 'change'} places"
        queries = f"{self.queries[1]:,} of {self.queries[0]:,} queries"
        subtitle = f"{queries}; on the line a run scores the same on both"
        return Words(
            f"Does the sample represent all queries? {self.measure}{best_of(len(self._places), len(self.runs))}",
            f"{visible(self.measure)} of {counted(len(self.runs), 'run')} on a sample of {queries}: "
            f"{shown_name(self.runs[first])} is first on all ({self.scores[first]:.4f}; {self.sampled[first]:.4f} on "
            f"the sample){on_sample}. {swaps if swapped else 'The order is the same on both'}; the largest difference "
            f"is {self.sampled[far] - self.scores[far]:+.4f}, for {shown_name(self.runs[far])}.",
            subtitle,
            (f"{subtitle}. Δ is the score on the sample minus that on all.",),
        )

    def text_lines(self, width: int) -> list[str]:
        rows = [
            TextRow((shown_name(self.runs[place]), f"{score:.4f}", f"{sampled:.4f}", f"{sampled - score:+.4f}"))
            for place, score, sampled in zip(
                self._places, self.scores[self._places].tolist(), self.sampled[self._places].tolist(), strict=True
            )
        ]
        return text_rows(rows, width, "<>>>", ("Run", "All", "Sample", "Δ", "", ""))

    def view(self) -> Spec:
        """A point per run and the diagonal; names where there is room."""
        style, palette, places = self.style, self.style.palette, self._places
        both = np.concatenate([self.scores[places], self.sampled[places]])
        pad = max(float(both.max() - both.min()) * 0.05, 0.005)
        low, high = float(both.min()) - pad, float(both.max()) + pad
        side = round(style.sheet.width * (0.62 if style.size == "page" else 0.82))
        named = self._named(side, low, high)
        values: list[Spec] = []
        for place in places:
            score, sampled = float(self.scores[place]), float(self.sampled[place])
            label = named.get(place, Place(0, 0, 0))
            row = {"name": shown_name(self.runs[place]), "label": label.label, "align": label.align}
            values.append({**row, "all": score, "sample": sampled, "difference": sampled - score})
        scale, digits = vl.exactly(low, high, zero=False), ".2~f" if high - low > 0.05 else ".3~f"
        everything, sample = f"{visible(self.measure)} on all {self.queries[0]:,} queries", self.queries[1]
        x = vl.numbers(everything, scale, tickCount=5, format=digits)
        axes = {"x": {"field": "all", **x}, "y": {"field": "sample", **x, "title": f"On the sample of {sample:,}"}}
        scores = ("all", "All queries", ".4f"), ("sample", "Sample", ".4f")
        tips = vl.tooltip(("name", "Run"), *scores, ("difference", "Sample minus all", "+.4f"))
        ends = [{"all": end, "sample": end} for end in (low, high)]
        sides = ("left", {"align": "left", "dx": 6}), ("right", {"align": "right", "dx": -6})
        return vl.panel(
            side,
            side,
            vl.layer("line", axes, ends, color=palette.soft, strokeWidth=1, strokeDash=[5, 4]),
            vl.points(axes | {"tooltip": tips}, style, values, 45, opacity=0.85, color=palette.second),
            *vl.label_layers(axes, values, sides, fontSize=style.sheet.font - 1),
        )

    def _named(self, side: int, low: float, high: float) -> dict[int, Place]:
        """The names that have room, each with its place: the best run first, then those farthest from the line."""
        places, style = self._places, self.style
        far = np.argsort(-np.abs(self.sampled[places] - self.scores[places]), kind="stable").tolist()
        across, up = ((values[places] - low) / (high - low) * side for values in (self.scores, self.sampled))
        taken = [Place(x - 4, x + 4, y) for x, y in zip(across.tolist(), up.tolist(), strict=True)]
        named: dict[int, Place] = {}
        for at in dict.fromkeys([0, *far]):
            label = shorten(shown_name(self.runs[places[at]]), style.sheet.label // 2)
            x, y, wide = float(across[at]), float(up[at]), style.text_width(label) + 10
            options = Place(x + 4.1, x + wide, y, "left", label), Place(x - wide, x - 4.1, y, "right", label)
            if (place := vl.first_free(options, taken, side, style.sheet.font)) is not None:
                named[places[at]] = place
            if len(named) == MOST_NAMED:
                break
        return named


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

    def words(self) -> Words:
        best = [
            f"{shown_name(name)} {shares[0]:.1%} at rank 1 and {shares[-1]:.1%} to rank {self._depth:,}"
            for name, shares in zip(self.runs[: self.most], self.shares.tolist(), strict=False)
        ]
        last, runs = self.shares[:, -1], counted(len(self.runs), "run")
        others = len(self.runs) - self.most
        shown = f"the best {self.most} in colour, {counted(others, 'other')} in grey; " if others > 0 else ""
        most = shown_name(self.runs[int(np.argmax(last))])
        over_all = (
            f" Over all runs {last.min():.1%} to {last.max():.1%}, the most for {most}." if len(self.runs) > 1 else ""
        )
        return Words(
            f"How much of what the runs show is unjudged? To rank {self._depth:,}",
            f"Unjudged documents of {runs}: {'; '.join(best)}.{over_all}",
            f"{runs}, {shown}an unjudged document counts as not relevant",
            ("Shares of the documents to each rank that have no judgment; all runs: their mean.",),
        )

    def text_lines(self, width: int) -> list[str]:
        ranks = [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000) if rank < self._depth]
        shown = [*ranks[: max(width * 2 // 3 // 6, 1) - 1], self._depth]
        shares = [*zip(self.runs, self.shares, strict=True)][: self.most]
        rows = [
            TextRow((shown_name(name), *(f"{row[rank - 1]:.0%}" for rank in shown)))
            for name, row in (*shares, ("All runs", self.shares.mean(axis=0)))
        ]
        return text_rows(rows, width, "<" + ">" * len(shown), ("Rank", *map(str, shown), "", ""))

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
        scale = vl.exactly(1, max(self._depth, 2), padding=6, type="log" if is_deep else "linear")
        axis = {"grid": False, "format": "d", "values": ticks if is_deep else rank_ticks(self._depth)}
        x = vl.quantitative("rank", "To rank", scale=scale, axis=axis)
        top = float(self.shares.max())
        y = vl.quantitative(
            "share", "Share without a judgment", scale={"domain": [0, 1]} if top > 0.5 else {"zero": True}
        )
        y["axis"] = {"format": ".0%" if top > 0.05 else ".1%", "tickCount": 5}
        look = vl.series("run", labels, style)
        tips = {"tooltip": vl.tooltip(("name", "Run"), ("rank", "To rank", ",d"), ("share", "Unjudged", ".1%"))}
        line = {"x": x, "y": y, "color": look["color"]}
        return vl.panel(
            style.sheet.width - 6 * style.sheet.font,
            style.sheet.width * 0.45,
            *vl.grey_lines({"x": x, "y": y, **tips}, others, style, runs=len(self.runs)),
            vl.layer("line", line, shown),
            vl.points(line | tips | {"shape": look["shape"]}, style, shown, 40),
        )
