"""A board of published means alone: the order and the records, and nothing about how sure they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runoff.boards.history import history
from runoff.display import Column, Grid, Shown
from runoff.display.rows import row_dict
from runoff.errors import UsageError
from runoff.files.board_toml import read_board
from runoff.results.records import RecordsResult
from runoff.tables.board import PRIVATE, PUBLIC, Board, BoardRun

if TYPE_CHECKING:
    from runoff.display.charts import Chart

ONLY_MEANS: Final = (
    "Only the means are known: without per-query scores there are no intervals, no tests and no verdicts."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedBoardResult(Shown):
    """The runs of a board with their published means on one query set, the best first."""

    title: str
    measure: str
    query_set: str
    runs: tuple[BoardRun, ...]
    records: RecordsResult | None
    left_out: int

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff board --format json` that published means can fill."""
        return {
            **row_dict(self, "title", "measure", "query_set"),
            "runs": [
                {
                    "run": run.name,
                    "team": run.team,
                    "date": run.date.isoformat() if run.date else None,
                    "baseline": run.baseline,
                    "mean": run.scores[self.query_set],
                }
                for run in self.runs
            ],
            "history": self.records.to_rows() if self.records else [],
        }

    def opening(self, width: int) -> tuple[str, ...]:
        """Who leads, and that nothing is known about how sure that is."""
        first = self.runs[0]
        text = (
            f"{first.name} leads {len(self.runs):,} runs with a published {self.measure} of "
            f"{first.scores[self.query_set]:.4f} on the {self.query_set} queries. {ONLY_MEANS}"
        )
        return (text, *(self.records.opening(width) if self.records else ()))

    def grid(self) -> Grid:
        """A row per run."""
        notes = [f"{self.left_out:,} runs have no {self.query_set} score and are left out."] if self.left_out else []
        return Grid(
            title=self.title,
            columns=[
                Column("run", "Run"),
                Column("rank", "Rank", "count"),
                Column("team", "Team"),
                Column("date", "Date"),
                Column("baseline", "Baseline"),
                Column("mean", self.measure, "number"),
            ],
            rows=[
                [
                    run.name,
                    rank,
                    run.team,
                    run.date.isoformat() if run.date else None,
                    "yes" if run.baseline else "",
                    run.scores[self.query_set],
                ]
                for rank, run in enumerate(self.runs, start=1)
            ],
            notes=notes,
        )

    def charts(self) -> tuple[Chart, ...]:
        """The records over time, if runs have dates."""
        return self.records.charts() if self.records else ()

    def grids(self) -> tuple[Grid, ...]:
        """The board, and its records if runs have dates."""
        return (self.grid(), self.records.grid()) if self.records else (self.grid(),)


def has_only_means(source: str | os.PathLike[str] | Board) -> bool:
    """Whether no run of a `board.toml` has a file, but some have published means."""
    runs = (source if isinstance(source, Board) else read_board(source, check_files=False)).runs
    return not any(run.path for run in runs) and any(run.scores for run in runs)


def published_board(source: str | os.PathLike[str] | Board, *, query_set: str | None = None) -> PublishedBoardResult:
    """The board of the published means in a `board.toml`.

    query_set  whose means; those on `private` queries if there are any, else on `public` ones, else the first named
    """
    board = source if isinstance(source, Board) else read_board(source)
    name = query_set or _usual(board)
    means = board.published(name)
    if not means:
        names = ", ".join(published_sets(board.runs)) or "none"
        raise UsageError(f"no run has a published score on '{name}'; expected one of {names}; choose one of these")
    scored = sorted((run for run in board.runs if run.name in means), key=lambda run: (-means[run.name], run.name))
    records = RecordsResult(measure=board.measure, runs=board.runs, means=means, history=history(board.runs, means))
    return PublishedBoardResult(
        title=board.title,
        measure=board.measure,
        query_set=name,
        runs=tuple(scored),
        records=records if any(run.date for run in scored) else None,
        left_out=len(board.runs) - len(scored),
    )


def published_sets(runs: Sequence[BoardRun]) -> list[str]:
    """The query sets that runs have published means on."""
    return list(dict.fromkeys(name for run in runs for name in run.scores))


def _usual(board: Board) -> str:
    names = published_sets(board.runs)
    return next((name for name in (PRIVATE, PUBLIC, *names) if name in names), PRIVATE)
