"""What sections are made from, for any number of runs, without a workflow: numbers of lower layers and plain parts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from types import SimpleNamespace

from runoff.boards.reliability import reliability
from runoff.boards.stability import StabilityResult
from runoff.comparisons import ipso_theory
from runoff.display import Column, Grid, Shown
from runoff.display.charts import Chart, HalfSplits, RankHeatMap
from runoff.display.grid import Value
from runoff.reports.sections import Content, InputFile, Origin, ReportInputs, Section
from runoff.results.board import RANKS_NOTE
from runoff.results.board_parts import BoardRow
from runoff.results.ipso_agreement import DepthShares
from runoff.tables.board import BoardRun
from runoff.verdicts import Doubt, lead_verdict
from tests.display.charts.examples import board_scores, names, stability_of


def row_of(place: int, run: str, **more: object) -> BoardRow:
    """A row of a board; the first two runs could be the best, and no run lacks queries."""
    known: dict[str, object] = {
        "run": run,
        "team": "T",
        "date": "2021-01-01",
        "mean": place / 7,
        "ci95": (0.1, 0.2),
        "expected_rank": place + 1.0,
        "rank_interval": (place + 1, place + 1),
        "rank_set": (1, 2) if place < 2 else (place + 1, place + 1),
        "p_first": 0.5 if place < 2 else 0.0,
        "could_be_best": place < 2,
        "group": min(place, 2),
        "missing_queries": 0,
    }
    return BoardRow(**{**known, **more})  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Part(Shown):
    """A part of a report that says what it is given."""

    said: tuple[str, ...]
    runs: tuple[str, ...] = ("a",)
    drawn: tuple[Chart, ...] = ()
    unjudged: float = 0.5
    words: str = "leads under 1 of 2 conditions"
    records: object = None
    has_something: bool = True

    @property
    def rows(self):
        return [row_of(place, run) for place, run in enumerate(self.runs)]

    @property
    def decided(self):
        return SimpleNamespace(decisions=SimpleNamespace(alpha=0.05))

    def grid(self) -> Grid:
        columns = [
            Column("run", "Run", help="Its name."),
            Column("mean", "Mean", "number"),
            Column("low", "95% from", "number"),
            Column("high", "to", "number"),
            Column("p", "p", "p"),
            Column("ranks", "Ranks"),
        ]
        rows: list[list[Value]] = [[run, place / 7, 0.1, 0.2, 0.5, "█"] for place, run in enumerate(self.runs)]
        return Grid(title="Runs", columns=columns, rows=rows, notes=[RANKS_NOTE, "A note."])

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


def content_of(section: Section, inputs: ReportInputs) -> Content:
    """What a section says where it has something to say."""
    content = section.content(inputs)
    assert content is not None
    return content


def shares_of(free: float) -> DepthShares:
    """Ranked lists of which measures may order this share differently."""
    theory = ipso_theory(10)
    return DepthShares(depth=10, equal=0.0, separable=1.0 - free, nonseparable=free, unjudged=0.5, theory=theory)


def inputs_of(count: int, *, called: list[str] | None = None, full: bool = False, **parts: object) -> ReportInputs:
    """The inputs of a board of this many runs; parts that need two runs are missing where there is one."""
    runs = called or names(count)
    ranks: StabilityResult = stability_of(runs)
    ordered = tuple(ranks.runs[place] for place in ranks.order)
    several = count > 1
    found = reliability(board_scores(runs[:12]), level=0.05, splits=2) if several and full else None
    made: dict[str, object] = {
        "title": "A board",
        "runs": tuple(BoardRun(name=name, team="T", date=date(2021, 1, 1)) for name in runs),
        "board": Part(("It leads.", "More."), ordered, (RankHeatMap(ranks),)),
        "ranks": ranks,
        "lead": lead_verdict(ordered[0], dict.fromkeys(ordered[1:], "worse")),
        "origin": ORIGIN,
        "labels": Part(("Half is unjudged.",), ordered),
        "audit": Part(("Audit.", "It leads elsewhere.", "More."), ordered) if several else None,
        "doubts": (Doubt(section="labels", sentence="Half is unjudged."),) if several else (),
        "shares": shares_of(0.25) if several else None,
        **({"ipso": Part(("Many pairs.",), ordered)} if several and full else {}),
        **({"repeats": Part(("Halves agree.",), drawn=(HalfSplits(found),)), "reliability": found} if found else {}),
        "full": full,
    }
    return ReportInputs(**{**made, **parts})  # type: ignore[arg-type]
