"""What people preferred of the top documents of runs that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runoff.preferences import TopDocs, WinRatiosResult, quality, win_ratios
from runoff.reading.judgment_files import read_judgment_files
from runoff.reading.sources import ReadOptions
from runoff.reading.top_runs import read_top_runs
from runoff.verdicts import Votes


def ratios_of(
    judgments: Any,
    runs: Sequence[Any],
    names: Sequence[str],
    query_ids: Sequence[str],
    *,
    reading: ReadOptions | None = None,
) -> WinRatiosResult:
    """How often each run's top document was preferred to another's.

    judgments  files of judged pairs, or Preferences; those of tasks with a failed test pair do not count
    names      what the runs are called, in their order
    """
    table, _ = read_judgment_files(judgments, reading=reading)
    read = read_top_runs(runs, 1, reading=reading)
    tops = [replace(run, name=name) for run, name in zip(read, names, strict=True)]
    return win_ratios(quality(table).kept, TopDocs.of_runs(tops, query_ids))


def votes_of(ratios: WinRatiosResult, champion: str, challenger: str) -> Votes:
    """What people preferred of two runs."""
    row, column = ratios.runs.index(champion), ratios.runs.index(challenger)
    wins, losses, even = (int(part[row, column]) for part in (ratios.wins, ratios.losses, ratios.even))
    asked = wins + losses + even + int(ratios.unjudged[row, column])
    return Votes(challenger=wins, champion=losses, even=even, asked=asked, p=float(ratios.raw_p[row, column]))
