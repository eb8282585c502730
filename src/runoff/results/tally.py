"""The result of a tally."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from runoff.display import Grid, Shown
from runoff.files.judging.task_table import csv_lines
from runoff.files.qrels import render_qrels
from runoff.results import tally_keys as keys
from runoff.results import tally_sentences as sentences
from runoff.results import tally_tables as tables
from runoff.results.tally_parts import DEPTH, TallyParts
from runoff.tables.qrels import Qrels

if TYPE_CHECKING:
    from runoff.display.charts import Chart


@dataclass(frozen=True, kw_only=True, eq=False)
class TallyResult(TallyParts, Shown):
    """A tally of judgments, to be shown; its fields are those of `TallyParts`."""

    @cached_property
    def qrels(self) -> Qrels:
        """The preference qrels."""
        return self.tournament.qrels()

    def qrels_lines(self) -> Iterator[str]:
        """The lines of a file with the preference qrels."""
        return render_qrels(self.qrels)

    def reissue_lines(self) -> Iterator[str]:
        """The lines of a CSV file with the tasks to issue again: task, missing assessors, who must not get it."""
        rows: list[tuple[str, ...] | list[object]] = [("task", "missing", "done_by")]
        rows += [[one.task, one.missing, ";".join(one.done_by)] for one in self.quality.reissue]
        return csv_lines(rows)

    def opening(self, width: int) -> tuple[str, ...]:  # noqa: ARG002
        """What was found, in a few sentences."""
        return tuple(sentences.findings(self))

    def grid(self) -> Grid:
        """The win ratios, or one pair per query; without runs, the assessors."""
        return self.grids()[0]

    def grids(self) -> tuple[Grid, ...]:
        """Every table that has something to say."""
        grids: list[Grid] = []
        board = self.board
        if board:
            if board.one_pair:
                grids += tables.one_pair_grids(board.one_pair)
            grids.append(tables.ratio_grid(board.ratios, board.marks))
            error = board.one_pair.judge_error if board.one_pair else None
            error = error if error and error.is_below_half else None
            if board.corrected and error:
                grids.append(tables.corrected_grid(board.ratios, board.corrected, error))
            if board.better_than_perfect:
                grids.append(tables.better_grid(board.better_than_perfect, board.ratios, board.shares, error))
            grids.append(tables.order_grid(board.order, DEPTH))
            if board.impact:
                grids.append(tables.impact_grid(board.impact, board.ratios))
        grids.append(tables.assessor_grid(self))
        grids.append(tables.file_grid(self.files))
        return tuple(grids)

    def charts(self) -> tuple[Chart, ...]:
        """Arabzadeh et al.'s Table 4 and Figure 6, where there are runs and labels; how many documents were judged."""
        from runoff.display.charts import LabelImpact, PoolSizes, WinRatioMatrix

        sizes = PoolSizes(self.tournament.pool_sizes.tolist())
        if self.board is None:
            return (sizes,)
        ratios = self.board.ratios
        most = max(tables.MOST_COLUMNS, int(ratios.is_pooled.sum()) + 1)
        matrix = WinRatioMatrix(ratios, level=self.question.policy.alpha, most=most)
        found = self.board.impact
        if found is None:
            return matrix, sizes
        changes = LabelImpact.of(found)
        return matrix, changes, sizes

    def to_dict(self) -> dict[str, object]:
        """The keys of `runoff tally --format json`."""
        return keys.tally_keys(self, self.opening(0))
