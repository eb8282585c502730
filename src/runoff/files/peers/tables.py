"""Rows of files that other tools wrote, checked, as ranked lists or qrels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import SHOWN_PROBLEMS, InputError
from runoff.files.peers._base import Block, PeerFormat, shown
from runoff.files.problems import Problems, note_repeated, quoted
from runoff.files.streams import Source, source_name
from runoff.files.tabular import batch_of, note_odd_numbers, qrels_of_batches
from runoff.rows import Batch, parse_decimals
from runoff.tables.ids import Ids, Rows, numbers_of
from runoff.tables.qrels import Qrels
from runoff.tables.ranked_lists import ListRequest, RankedLists, rank_batches

_NOT_IN_IDS: Final = re.compile("[\x00-\x1f\ud800-\udfff]")


def read_peer_lists(
    form: PeerFormat, source: Source, request: ListRequest, *, max_bytes: int, most: int = SHOWN_PROBLEMS
) -> RankedLists:
    """The ranked lists of a run in one of the formats; all its faults are raised in one InputError.

    most  how many of them are kept with their sentences
    """
    rows = _CheckedRows(Problems(source_name(source), most=most))
    rows.take(form.blocks(source, "run", max_bytes, rows.problems), "ranked documents")
    lists = rank_batches(rows.batches, request)
    repeated = Problems(most=most)
    note_repeated(repeated, lists.repeated, lists.repeated_total, rows.before, first_of=rows.place, most=most)
    rows.absorb(repeated)
    rows.problems.raise_if_any()
    return lists


def read_peer_qrels(
    form: PeerFormat, source: Source, *, name: str, max_bytes: int, most: int = SHOWN_PROBLEMS
) -> Qrels:
    """The qrels in one of the formats; see `read_peer_lists`."""
    rows = _CheckedRows(Problems(source_name(source), most=most))
    rows.take(form.blocks(source, "qrels", max_bytes, rows.problems), "judged documents")
    repeated = Problems()
    qrels = qrels_of_batches(name, rows.batches, repeated, rows.before, first_of=rows.place)
    rows.absorb(repeated)
    rows.problems.raise_if_any()
    return qrels


class _CheckedRows:
    """The rows of some blocks, packed; faults are noted with their lines."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.batches: list[Batch] = []
        self.before = [0]
        self._blocks: list[tuple[Block, Rows]] = []

    def take(self, blocks: Iterable[Block], noun: str) -> None:
        """Check and pack all rows."""
        numbers = []
        for block in blocks:
            row_problems = Problems(most=self.problems.most)
            values, is_good = _numbers(block.numbers, block.column.holds, row_problems)
            queries, docs = (
                _ids(column, name, row_problems, is_good)
                for column, name in ((block.queries, "query"), (block.docs, "document"))
            )
            if block.column.is_either:
                numbers.append(values[is_good])
            else:
                note_odd_numbers(np.where(is_good, values, 1.0), block.column, row_problems)
            rows = np.flatnonzero(is_good)
            values = -values[rows] if block.column.holds == "rank" else values[rows]
            self.batches.append(batch_of(queries.take(rows), docs.take(rows), values))
            self._blocks.append((block, rows))
            for problem in row_problems.kept:
                self.problems.add(block.line_of(problem.line - 1), problem.text)
            self.problems.total += row_problems.total - len(row_problems.kept)
            self.before.append(self.before[-1] + len(rows))
        if self.problems.total:
            if not self.before[-1]:
                self.problems.raise_if_any()
            return
        if not self.before[-1]:
            raise InputError(
                [f"{self.problems.source}: the file has no rows; expected {noun}; check that it was written to the end"]
            )
        if numbers:
            note_odd_numbers(np.concatenate(numbers), self._blocks[0][0].column, self.problems)

    def place(self, row: int) -> str:
        """How a message calls the line of a row, counted from 1 over all blocks."""
        return f"line {self._line(row)}"

    def _line(self, row: int) -> int:
        number = int(np.searchsorted(self.before, row, side="left")) - 1
        block, rows = self._blocks[number]
        return block.line_of(int(rows[row - self.before[number] - 1]))

    def absorb(self, row_problems: Problems) -> None:
        """Take over faults that are counted by the row over all blocks."""
        for problem in row_problems.kept:
            self.problems.add(self._line(problem.line) if problem.line else 0, problem.text)
        self.problems.total += row_problems.total - len(row_problems.kept)


def _ids(values: Sequence[Any], noun: str, problems: Problems, is_good: NDArray[np.bool_]) -> Ids:
    """The ids in a column; rows with what cannot be one are noted, and no longer good."""
    texts = values if all(type(value) is str for value in values) else [_text(value) for value in values]
    if "" in texts or _NOT_IN_IDS.search("".join(texts)):
        for row, text in enumerate(texts):
            if not text or _NOT_IN_IDS.search(text):
                is_good[row] = False
                problems.add(
                    row + 1,
                    f"{noun} {quoted(shown(values[row]))} cannot be an id; expected text or a whole number; fix it",
                )
        texts = [_NOT_IN_IDS.sub("?", text) for text in texts]
    return Ids.of(texts)


def _text(value: Any) -> str:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def _numbers(values: Sequence[Any], noun: str, problems: Problems) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers that some texts spell, or that JSON holds, and which are good; what is none is noted."""
    if all(type(value) is str for value in values):
        texts = Ids.of([_NOT_IN_IDS.sub("?", value) for value in values])
        columns = (numbers_of(column) for column in (texts.starts, texts.lengths))
        numbers = np.frombuffer(parse_decimals(texts.text.padded_bytes, *columns), dtype=np.float64).copy()
    else:
        numbers = np.array([_number(value) for value in values], dtype=np.float64)
    is_good = np.isfinite(numbers)
    bad = np.flatnonzero(~is_good)
    example = "12.5 or 1e-7" if noun == "score" else "1 or 2" if noun == "rank" else "0, 1 or 1.8"
    problems.add_all(
        (bad + 1).tolist(),
        lambda place: (
            f"{noun} {quoted(shown(values[bad[place]]))} is not a finite number; expected one such as {example}; "
            "fix or remove this row"
        ),
    )
    return numbers, is_good


def _number(value: Any) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:  # a whole number beyond float64
            return float("nan")
    return float("nan")
