"""Boards made of the ranks of their runs' answers, with teams and dates."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import runoff
from runoff.reading.boards import read_board_data
from runoff.reading.sources import as_qrels
from runoff.results import BoardResult
from runoff.results.board_data import BoardData
from runoff.tables.board import BoardRun
from tests.verbs.comparisons import qrels_of, run_of

WEAK = [3] * 10 + [0] * 20
GOOD = [2] * 20 + [0] * 10
BEST = [1] * 29 + [0]
HISTORY = {"weak": WEAK, "good": GOOD, "best": BEST}


def data_of(ranks: Mapping[str, Sequence[int]], *, dated: bool = False, **options: Any) -> BoardData:
    """A board whose runs have the relevant document at these ranks, 0: not at all; dated, one run a day."""
    sources = [run_of(name, one) for name, one in ranks.items()]
    runs = [
        BoardRun(name=name, team="T", date=date(2021, 1, day) if dated else None)
        for day, name in enumerate(ranks, start=1)
    ]
    queries = len(next(iter(ranks.values())))
    return read_board_data(sources, as_qrels(qrels_of(queries)), runs=runs, **options)


def board_of_file(path: str | os.PathLike[str], **options: Any) -> BoardResult:
    """The board of a `board.toml` that has run files."""
    result = runoff.board(path, **options)
    assert isinstance(result, BoardResult)
    return result
