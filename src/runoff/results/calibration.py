"""What a calibration shows: a table per quantity with the sizes side by side, and one long table for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runoff.display import Column, Grid, Shown
from runoff.display.rows import column, ends, grid_of, plain, row_class, row_dict, row_of
from runoff.phrases import listed
from runoff.simulation.calibration import CalibratedLine, CalibrationResult, Promise

if TYPE_CHECKING:
    from runoff.display.charts import Chart

MOST_NAMED: Final = 5
SHOWN: Final = (
    "Observed ± Monte Carlo standard error, in percent; a bias in units of the measure. In brackets: not promised, but "
    "worth knowing. Where the error is 0 because no board, or each, is counted, the verdict goes by Wilson's interval, "
    "which ends at 4 / (n + 4) for none of n boards."
)
WORDS: Final = (
    "Not refuted: the boards do not show that a promise is broken, as far as the Monte Carlo error lets them; "
    "conservative: on the safe side by more than chance; off: on the other "
    "side by more than chance, corrected (Holm) over the whole table."
)


@row_class
class CalibrationRow:
    """A statement of runoff, and what boards of one size show of it."""

    quantity: str = column("Quantity")
    key: str = column("Key")
    statement: str = column("Statement")
    queries: int = column("Queries", "count")
    kind: str = column("Promise")
    level: float | None = column("Level", "number")
    promised: bool = column("Promised")
    observed: float = column("Observed", "number")
    error: float = column("Monte Carlo error", "number")
    ci95: tuple[float, float] | None = ends("low", "95% from", "high", "to", "number")
    boards: int = column("Boards", "count")
    verdict: str = column("Verdict")
    off_by: float | None = column("Off by", "number", signed=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationTablesResult(Shown):
    """Which of runoff's statements are refuted by boards drawn from some data."""

    calibration: CalibrationResult
    measure_note: str = ""
    """Why the measure was chosen, if nobody named one."""

    @property
    def not_refuted(self) -> bool:
        """Whether no promise is off by more than chance."""
        return not self.calibration.broken

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff calibrate --format json`."""
        found = self.calibration
        return {
            "measure": found.measure,
            "measure_note": self.measure_note,
            "source": {"queries": found.source_queries, "runs": found.source_runs},
            "queries": list(found.sizes),
            "boards": found.boards,
            "alpha": found.settings.policy.alpha,
            **row_dict(found.settings, "trials", "runs"),
            "seed": found.seed,
            "not_refuted": self.not_refuted,
            "left_out": list(found.left_out),
            "lines": plain(self._rows()),
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """How many promises are refuted, and which."""
        found = self.calibration
        promised = [line for line in found.lines if line.line.promised and line.verdict.word]
        sizes = listed([f"{size:,}" for size in found.sizes], len(found.sizes))
        boards = f"{found.boards:,} simulated boards each of {sizes} queries"
        if not promised:
            said = f"No promise was tested on {boards}."
        elif not found.broken:
            many = len(promised)
            count = f"None of {many:,} promises is refuted" if many != 1 else "The promise is not refuted"
            said = f"{count} by {boards}{_errors(promised)}."
        else:
            verb = "is" if len(found.broken) == 1 else "are"
            named = "; ".join(_in_words(line) for line in found.broken[:MOST_NAMED])
            more = f"; {len(found.broken) - MOST_NAMED} more" if len(found.broken) > MOST_NAMED else ""
            said = f"{len(found.broken):,} of {len(promised):,} promises {verb} refuted by {boards}: {named}{more}."
        left = (
            (f"Not tested, because scores alone have no ranked lists: {', '.join(found.left_out)}.",)
            if found.left_out
            else ()
        )
        return (said, *left)

    def _rows(self) -> list[CalibrationRow]:
        return [
            row_of(
                CalibrationRow,
                line,
                line.line,
                line.verdict,
                statement=line.line.label,
                observed=line.mean,
                verdict=line.verdict.word,
            )
            for line in self.calibration.lines
        ]

    def grid(self) -> Grid:
        """A row per promise and size."""
        return grid_of(CalibrationRow, self._rows(), title=self._title("Calibration"))

    def grids(self) -> tuple[Grid, ...]:
        """A table per quantity, a row per statement, a column per size."""
        titles = dict.fromkeys((line.quantity, line.title) for line in self.calibration.lines)
        last, notes = list(titles)[-1:], (SHOWN, WORDS, *([self.measure_note] if self.measure_note else []))
        return tuple(self._wide(*one, notes=notes if [one] == last else ()) for one in titles)

    def _wide(self, quantity: str, title: str, notes: tuple[str, ...]) -> Grid:
        found = [line for line in self.calibration.lines if line.quantity == quantity]
        cells = {(line.line.key, line.queries): cell(line) for line in found}
        statements = {line.line.key: line.line for line in found}
        return Grid(
            title=self._title(title),
            columns=[
                Column("statement", "Statement"),
                Column("promise", "Promised"),
                *(Column(f"n{size}", f"{size:,} queries") for size in self.calibration.sizes),
            ],
            rows=[
                [line.label, promise(line), *(cells.get((key, size)) for size in self.calibration.sizes)]
                for key, line in statements.items()
            ],
            notes=notes,
        )

    def charts(self) -> tuple[Chart, ...]:
        """How far errors, coverages and powers are from what is promised; none where only biases were asked for."""
        from runoff.display.charts import Promises

        known = any(line.line.kind in ("at most", "at least") and line.boards for line in self.calibration.lines)
        return (Promises(self.calibration),) if known else ()

    def _title(self, what: str) -> str:
        found = self.calibration
        return f"{what}: {found.measure}, from {found.source_runs:,} runs over {found.source_queries:,} queries"


def promise(line: Promise) -> str:
    """What is promised, in a few signs; in brackets where runoff does not promise it.

    >>> promise(Promise(key="t", label="t", kind="at most", level=0.05))
    '≤ 5%'
    """
    if line.kind == "none" or line.level is None:
        return ""
    text = "0" if line.kind == "zero" else f"{'≤' if line.kind == 'at most' else '≥'} {100 * line.level:g}%"
    return text if line.promised else f"({text})"


def cell(line: CalibratedLine) -> str:
    """What was observed for one size, with its Monte Carlo error and the verdict."""
    verdict, kind = line.verdict, line.line.kind
    if kind == "zero":
        shown, off = f"{line.mean:+.4f} ± {line.error:.4f}", f"{verdict.off_by or 0.0:+.4f}"
    else:
        shown, off = f"{100 * line.mean:.1f} ± {100 * line.error:.1f}", f"{100 * (verdict.off_by or 0.0):+.1f}"
    word = f"off by {off}" if verdict.word == "off" else verdict.word
    if kind == "zero" and verdict.word == "off":
        word = ""  # the bias is the number that is shown
    return f"{shown} {word}".strip()


def _errors(lines: Sequence[CalibratedLine]) -> str:
    """The largest Monte Carlo error of shares: what is smaller than twice that cannot be seen."""
    shares = [line.error for line in lines if line.line.kind != "zero"]
    return f" (Monte Carlo errors of up to {100 * max(shares):.1f} points)" if shares else ""


def _in_words(line: CalibratedLine) -> str:
    return f"{line.title}, {line.line.label}, {line.queries:,} queries: {cell(line)} ({promise(line.line)})"
