"""How often IPSO and the tests of measures say the same of two runs: a bar per depth, measure and test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from runoff.display.cells import visible
from runoff.display.charts._base import Chart, Spec, check_most
from runoff.display.charts._kinds import Kind, colour_of, signs_note, stack_layers, stack_rows, stack_text
from runoff.display.charts._labels import fit, names_column, short_labels
from runoff.display.charts._style import Palette
from runoff.errors import UsageError
from runoff.significance.corrections import spoken_correction
from runoff.verdicts import AGREEMENTS, Agreement, AgreementResult

WORDS: Final[dict[Agreement, str]] = {
    "both_yes": "both yes",
    "both_no": "both no",
    "measure_only": "measure only",
    "ipso_only": "IPSO only",
    "opposite": "opposite",
}


MOST: Final = 120
"""Bars of one chart; the paper's Figure 7 has 72: six measures, three tests, four depths."""


class AgreementCase(NamedTuple):
    """One measure and one test beside IPSO at one depth."""

    measure: str
    test: str
    depth: int
    result: AgreementResult

    @property
    def agree(self) -> float:
        """The share of pairs of which both say the same: both yes, or both no."""
        return self.result.shares["both_yes"] + self.result.shares["both_no"]


def agreement_kinds(palette: Palette) -> tuple[Kind, ...]:
    """The five kinds of pairs, in the order of AGREEMENTS."""
    colours = (palette.second, palette.neutral, palette.first, palette.series[3], palette.ink)
    return tuple(
        Kind(WORDS[name], colour, sign) for name, colour, sign in zip(AGREEMENTS, colours, "█·▒░!", strict=True)
    )


@dataclass(frozen=True, eq=False)
class AgreementBars(Chart):
    """The shares of pairs of runs that IPSO, the measure's test, both or neither tell apart.

    Moffat & Mackenzie 2024, Figure 7, https://doi.org/10.1002/asi.24874

    cases  what is shown, in this order; those of one depth stand together
    most   how many cases are shown, the first ones
    """

    name: ClassVar = "agreement_bars"
    description: ClassVar = "How often the sign test of IPSO and the test of a measure tell the same runs apart."

    cases: Sequence[AgreementCase]
    most: int = MOST

    def __post_init__(self) -> None:
        check_most(self.most)
        if not self.cases:
            raise UsageError("there are no measures and tests to show; expected one of each at least")

    @property
    def _shown(self) -> Sequence[AgreementCase]:
        return self.cases[: self.most]

    @property
    def _depths(self) -> list[int]:
        return list(dict.fromkeys(case.depth for case in self._shown))

    @property
    def title(self) -> str:
        """The depth, and how many cases are shown."""
        depths = self._depths
        where = f"depth {depths[0]}" if len(depths) == 1 else f"{len(depths)} depths"
        cut = len(self.cases) > self.most
        part = f", the first {self.most:,} of {len(self.cases):,} measures and tests" if cut else ""
        return f"Do IPSO and the measures' tests agree? To {where}{part}"

    @property
    def subtitle(self) -> str:
        """Pairs, level and correction."""
        result = self.cases[0].result
        many = (
            "not corrected" if result.family is None else f"corrected by {spoken_correction(result.policy.correction)}"
        )
        pairs = len(result.found)
        what = f"{pairs:,} {'pair' if pairs == 1 else 'pairs'} of runs"
        return f"Shares of {what}; yes is p < {result.policy.alpha:g}, {many}"

    def text_alternative(self) -> str:
        """The measure and test that agree most often with IPSO and those that agree least, and the opposite cases."""
        ordered = sorted(self.cases, key=lambda case: -case.agree)
        best, worst = ordered[0], ordered[-1]
        pairs = len(self.cases[0].result.found)
        opposite = sum(case.result.counts["opposite"] for case in self.cases)
        said = f"IPSO says the same as {_words(best)} of {best.agree:.1%} of {pairs:,} pairs of runs"
        if len(ordered) > 1:
            said += (
                f", the most of {len(ordered):,} measures and tests; least often as {_words(worst)}, {worst.agree:.1%}"
            )
        return f"{said}. Both are significant for different runs in {opposite:,} of {pairs * len(ordered):,} cases."

    def text_lines(self, width: int) -> list[str]:
        """A bar per case under the heading of its depth."""
        kinds = agreement_kinds(self.style.palette)
        names = [_label(case) for case in self._shown]
        column = names_column(names, width)
        room = max(width - column - 9, 1)
        lines: list[str] = []
        for depth in self._depths:
            if len(self._depths) > 1:
                lines += ["", f"To depth {depth}"]
            for name, case in zip(names, self._shown, strict=True):
                if case.depth == depth:
                    bar = stack_text(kinds, list(case.result.shares.values()), room)
                    lines.append(f"{fit(name, column)}  {bar} {case.agree:>6.1%}")
        return lines[1:] if lines[0] == "" else lines

    def text_notes(self) -> list[str]:
        """The signs, and the number at the end of a line."""
        return [signs_note(agreement_kinds(self.style.palette)), "The number is the share of both yes and both no."]

    def view(self) -> Spec:
        """Stacked bars, a panel per depth."""
        style, kinds = self.style, agreement_kinds(self.style.palette)
        labels = short_labels(list(dict.fromkeys(map(_label, self._shown))), style.sheet.label)
        of_name = dict(zip(dict.fromkeys(map(_label, self._shown)), labels, strict=True))
        width = style.plot_width(*labels)
        depths = self._depths
        colour = colour_of(kinds, style, below=len(depths) > 1)
        panels = []
        for depth in depths:
            cases = [case for case in self._shown if case.depth == depth]
            rows = [
                part
                for case in cases
                for part in stack_rows(
                    {"case": of_name[_label(case)], "measure": visible(case.measure), "test": visible(case.test),
                     "depth": depth},
                    kinds, list(case.result.shares.values()), style=style, width=width,
                )
            ]  # fmt: skip
            y = {"field": "case", "type": "nominal", "title": None,
                 "scale": {"domain": [of_name[_label(case)] for case in cases], "padding": 0.15}}  # fmt: skip
            is_last = depth == depths[-1]
            axis = {"format": ".0%", "tickCount": 5 if style.size == "page" else 2, "labels": is_last}
            x = {"type": "quantitative", "title": "Share of the pairs" if is_last else None,
                 "scale": {"domain": [0, 1]}, "axis": axis}  # fmt: skip
            tooltip = [{"field": field, "type": "nominal", "title": title} for field, title in (
                ("measure", "Measure"), ("test", "Test"), ("depth", "Depth"))]  # fmt: skip
            own = colour if is_last else {**colour, "legend": None}
            panel: Spec = {
                "data": {"values": rows},
                "width": width,
                "height": round(style.row_height(len(self._shown)) * len(cases) * 1.1),
                **stack_layers(y, x, kinds, colour=own, tooltip=tooltip, style=style),
            }
            if len(depths) > 1:
                panel["title"] = {"text": f"To depth {depth}", "fontSize": style.sheet.font, "fontWeight": "normal",
                                  "color": style.palette.soft, "frame": "group", "offset": 4}  # fmt: skip
            panels.append(panel)
        return panels[0] if len(panels) == 1 else {"vconcat": panels, "spacing": 10}


def _label(case: AgreementCase) -> str:
    return f"{visible(case.measure)}, {visible(case.test).replace('_', ' ')}"


def _words(case: AgreementCase) -> str:
    return f"the {visible(case.test).replace('_', ' ')} test of {visible(case.measure)} at depth {case.depth}"
