"""What sections are made from, for any number of runs, without a workflow: numbers of lower layers and plain parts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from runoff.boards.reliability import reliability
from runoff.boards.stability import StabilityResult
from runoff.display import Column, Grid, Shown
from runoff.display.charts import Chart, HalfSplits, RankHeatMap
from runoff.display.grid import Value
from runoff.reports.sections import InputFile, Origin, ReportInputs
from runoff.tables.board import BoardRun
from runoff.verdicts import lead_verdict
from tests.display.charts.examples import board_scores, names, stability_of


@dataclass(frozen=True, eq=False)
class Part(Shown):
    """A part of a report that says what it is given."""

    said: tuple[str, ...]
    runs: tuple[str, ...] = ("a",)
    drawn: tuple[Chart, ...] = ()
    free_share: float = 0.25
    unjudged: float = 0.5
    words: str = "leads under 1 of 2 conditions"

    def grid(self) -> Grid:
        columns = [Column("run", "Run", help="Its name."), Column("mean", "Mean", "number"), Column("ranks", "Ranks")]
        rows: list[list[Value]] = [[run, place / 7, "█"] for place, run in enumerate(self.runs)]
        return Grid(title="Runs", columns=columns, rows=rows, notes=["Ranks, from the first to the last.", "A note."])

    def to_dict(self) -> dict[str, object]:
        return {}

    def opening(self, width: int) -> tuple[str, ...]:
        return self.said

    def charts(self) -> tuple[Chart, ...]:
        return self.drawn

    def headline(self) -> str:
        return self.words


ORIGIN = Origin(
    files=(InputFile(role="run", path="a.run", size=12, sha256="0" * 64),),
    settings={"Seed": "0"},
    versions={"runoff": "0"},
    command="runoff report board.toml -o report.html",
)


def inputs_of(count: int, *, called: list[str] | None = None, **parts: object) -> ReportInputs:
    """The inputs of a board of so many runs; parts that need two runs are missing where there is one."""
    runs = called or names(count)
    ranks: StabilityResult = stability_of(runs)
    ordered = tuple(ranks.runs[place] for place in ranks.order)
    several = count > 1
    found = reliability(board_scores(runs[:12]), level=0.05, splits=2) if several else None
    made: dict[str, object] = {
        "title": "A board",
        "runs": tuple(BoardRun(name=name, team="T", date=date(2021, 1, 1)) for name in runs),
        "board": Part(("It leads.", "More."), ordered, (RankHeatMap(ranks),)),
        "ranks": ranks,
        "lead": lead_verdict(ordered[0], dict.fromkeys(ordered[1:], "worse")),
        "origin": ORIGIN,
        "labels": Part(("Half is unjudged.",), ordered),
        "audit": Part(("Audit.", "It leads elsewhere.", "More."), ordered) if several else None,
        "ipso": Part(("Many pairs.",), ordered) if several else None,
        "repeats": Part(("Halves agree.",), drawn=(HalfSplits(found),)) if found else None,
        "reliability": found,
    }
    return ReportInputs(**{**made, **parts})  # type: ignore[arg-type]
