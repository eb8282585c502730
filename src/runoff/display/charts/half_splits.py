"""How often each significance test says the same on the other half of the queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from runoff.boards.reliability import ReliabilityResult, RepeatShares
from runoff.display.charts._base import Chart, Spec
from runoff.display.charts._labels import fit

WORDS: Final = ("agree", "partial", "disagree")
CELLS: Final = "█▒░"


@dataclass(frozen=True, eq=False)
class HalfSplits(Chart):
    """The shares of pairs and splits in which a test agrees, partially agrees or disagrees with itself.

    Craswell et al. 2021, Table 4, https://doi.org/10.1145/3404835.3462804
    """

    name: ClassVar = "half_splits"
    description: ClassVar = "How often each significance test says the same on two random halves of the queries."

    reliability: ReliabilityResult

    @property
    def title(self) -> str:
        """The measure."""
        return f"Do the tests repeat on the other half? {self.reliability.measure}"

    @property
    def subtitle(self) -> str:
        """Splits and pairs."""
        found = self.reliability
        pairs = f"{found.pairs:,} {'pair' if found.pairs == 1 else 'pairs'} of runs"
        return f"{found.splits:,} random halves of {found.queries:,} queries, {pairs}, level {found.level:g}"

    def text_alternative(self) -> str:
        """The test that agrees most and the one that agrees least."""
        ordered = sorted(self.reliability.tests, key=lambda line: -line.agree)
        best, worst = ordered[0], ordered[-1]
        return (
            f"By {self.reliability.measure}, the halves agree most often with {_words(best)} ({best.agree:.1%}, "
            f"disagree {best.disagree:.1%}) and least often with {_words(worst)} ({worst.agree:.1%}, disagree "
            f"{worst.disagree:.1%})."
        )

    def text_lines(self, width: int) -> list[str]:
        """A bar per test."""
        names = [_words(line) for line in self.reliability.tests]
        column = min(max(map(len, names)), max(width - 30, 8))
        room = max(width - column - 22, 1)
        lines = []
        for name, line in zip(names, self.reliability.tests, strict=True):
            ends = [round(room * end) for end in (0.0, line.agree, line.agree + line.partial, 1.0)]
            bar = "".join(cell * (end - start) for cell, start, end in zip(CELLS, ends[:-1], ends[1:], strict=True))
            shares = " ".join(f"{share:>6.1%}" for share in (line.agree, line.partial, line.disagree))
            lines.append(f"{fit(name, column)} {bar} {shares}")
        return lines

    def text_notes(self) -> list[str]:
        """The shades."""
        return [", ".join(f"{cell} {word}" for cell, word in zip(CELLS, WORDS, strict=True)) + "."]

    def view(self) -> Spec:
        """Stacked bars."""
        style, palette = self.style, self.style.palette
        labels = [_words(line) for line in self.reliability.tests]
        width = style.plot_width(*labels)
        values = []
        for label, line in zip(labels, self.reliability.tests, strict=True):
            start = 0.0
            for word in WORDS:
                share = float(getattr(line, word))
                values.append({
                    "test": label, "what": word, "share": share, "from": start, "to": start + share,
                    "middle": start + share / 2, "label": style.if_fits(f"{share:.1%}", share * width),
                })  # fmt: skip
                start += share
        y = {"field": "test", "type": "nominal", "title": None, "scale": {"domain": labels, "padding": 0.2}}
        x = {"type": "quantitative", "title": "Share of pairs and splits", "scale": {"domain": [0, 1]},
             "axis": {"format": ".0%", "tickCount": 5}}  # fmt: skip
        colour = {"domain": list(WORDS), "range": [palette.second, palette.neutral, palette.accent]}
        letters = ["#15181d", "#e4e7ec", "#15181d"] if style.dark else ["#fff", "#1d2127", "#fff"]
        return {
            "data": {"values": values},
            "width": width,
            "height": round(style.sheet.row * len(labels) * 1.5),
            "layer": [
                {
                    "mark": {"type": "bar", "stroke": palette.paper, "strokeWidth": 0.5},
                    "encoding": {
                        "y": y, "x": {"field": "from", **x}, "x2": {"field": "to"},
                        "color": {"field": "what", "type": "nominal", "title": "The halves", "scale": colour,
                                  "legend": {"orient": "top", "direction": "horizontal"}},
                        "tooltip": [{"field": "test", "type": "nominal", "title": "Test"},
                                    {"field": "what", "type": "nominal", "title": "The halves"},
                                    {"field": "share", "type": "quantitative", "title": "Share", "format": ".2%"}],
                    },
                },
                {
                    "mark": {"type": "text", "fontSize": style.sheet.font - 1},
                    "encoding": {
                        "y": y, "x": {"field": "middle", **x}, "text": {"field": "label", "type": "nominal"},
                        "color": {"field": "what", "type": "nominal", "legend": None,
                                  "scale": {"domain": list(WORDS), "range": letters}},
                    },
                },
            ],
            "resolve": {"scale": {"color": "independent"}},
        }  # fmt: skip


def _words(line: RepeatShares) -> str:
    """A test and its aggregate, as people say it."""
    return f"{line.test.replace('_', ' ')}, better by {line.aggregate}"
