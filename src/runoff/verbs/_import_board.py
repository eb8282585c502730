"""Make a `board.toml` from what a leaderboard has published: its table, or its folder of submissions."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from runoff.display import Column, Grid, Shown
from runoff.errors import UsageError
from runoff.files.board_text import write_board
from runoff.files.msmarco_table import read_msmarco_table
from runoff.files.qrels import read_qrels
from runoff.files.submission_folder import read_run_folder
from runoff.measures import Measure
from runoff.measures.default import SINGLE, default_measure
from runoff.tables.board import Board


@dataclass(frozen=True, kw_only=True, eq=False)
class ImportedBoardResult(Shown):
    """A board that was written to a file."""

    board: Board
    source: str
    path: Path

    def to_dict(self) -> dict[str, object]:
        """What was found."""
        return {"source": self.source, "board": str(self.path), **self._facts()}

    def _facts(self) -> dict[str, int]:
        runs = self.board.runs
        return {
            "runs": len(runs),
            "teams": len({run.team for run in runs if run.team}),
            "dated": sum(run.date is not None for run in runs),
            "baselines": sum(run.baseline for run in runs),
            "with_file": sum(run.path is not None for run in runs),
            "with_published_scores": sum(bool(run.scores) for run in runs),
        }

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What was written, and what to do next."""
        text = f"{self.path}: {len(self.board.runs):,} runs from {self.source}."
        if self.board.labels or not any(run.path for run in self.board.runs):
            return (f"{text} Look at it: runoff board {self.path}",)
        return (f"{text} Add the qrels, [labels.NAME] with their path, then: runoff board {self.path}",)

    def grid(self) -> Grid:
        """What was found, in one row."""
        facts = self._facts()
        return Grid(
            title="Imported",
            columns=[Column(name, name.replace("_", " ").capitalize(), "count") for name in facts],
            rows=[list(facts.values())],
        )


def import_board(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str] = "board.toml",
    *,
    measures: str | Measure | None = None,
    title: str | None = None,
    qrels: str | os.PathLike[str] | None = None,
) -> ImportedBoardResult:
    """Write a `board.toml` from the MS MARCO leaderboard's CSV table, or from a folder of submissions.

    source   the table, or a folder with a folder per submission that holds a run and its metadata.json
    target   the file to write; one that is there already is never replaced
    measures the board's measure, for a folder; by default what suits the labels. The table names its own
    qrels    labels to score a folder's runs with; they can also be added to the file later
    """
    path = Path(source)
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder; expected a leaderboard's CSV table or a folder of runs")
    if path.is_dir():
        named = measures or (SINGLE if qrels is None else default_measure(read_qrels(qrels))[0])
        board = read_run_folder(path, title=title or path.resolve().name, measure=str(named))
    else:
        board = read_msmarco_table(path) if title is None else read_msmarco_table(path, title=title)
    if qrels is not None:
        board = replace(board, labels={"qrels": Path(qrels)})
    write_board(board, target)
    return ImportedBoardResult(board=board, source=os.fspath(source), path=Path(target))
