"""An evaluation as other programs write theirs: a row for each score, as text."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.measures import Measure
from runoff.tables.scores import Scores

ALL: Final = "all"
Row = tuple[str, Measure, float]
"""Query, measure and value."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluationRows:
    """What is written: the means of some runs by some measures, and before them the scores of queries, if any.

    queries  how many queries the means are over
    means    per measure, the means of the runs
    scores   per measure; empty for means alone
    """

    runs: Sequence[str]
    queries: int
    measures: Sequence[Measure]
    means: Sequence[NDArray[np.float64]]
    scores: Sequence[Scores] = ()

    def formats(self) -> Mapping[str, Callable[[], str]]:
        """The formats by name, those of `choices.SCORE_ROWS`."""
        return {"trec_eval": self.trec_eval, "ir_measures": self.ir_measures, "jsonl": self.json_lines}

    def trec_eval(self) -> str:
        """As trec_eval prints them: by query id, four decimals, and the run's name before its means."""
        lines = []
        for run in self.runs:
            lines += [_trec_eval_line(*row) for row in self._query_rows(run)]
            lines += [f"{'runid':<22}\t{ALL}\t{run}\n", f"{'num_q':<22}\t{ALL}\t{self.queries}\n"]
            lines += [_trec_eval_line(*row) for row in self._mean_rows(run)]
        return "".join(lines)

    def ir_measures(self) -> str:
        """As ir_measures prints them: four decimals, and without queries no column for them."""
        if len(self.runs) > 1:
            raise UsageError(
                f"ir_measures' format is for one run; expected one of the {len(self.runs)} that were scored; score "
                "them one by one, or write trec_eval or jsonl"
            )
        (run,) = self.runs
        if not self.scores:
            return "".join(f"{measure}\t{value:.4f}\n" for _, measure, value in self._mean_rows(run))
        rows = (*self._query_rows(run), *self._mean_rows(run))
        return "".join(f"{query}\t{measure}\t{value:.4f}\n" for query, measure, value in rows)

    def json_lines(self) -> str:
        """At full precision; what is undefined is null."""
        lines = []
        for run in self.runs:
            for query, measure, value in (*self._query_rows(run), *self._mean_rows(run)):
                number = None if math.isnan(value) else value
                lines.append(json.dumps({"run": run, "query": query, "measure": str(measure), "value": number}) + "\n")
        return "".join(lines)

    def _query_rows(self, run: str) -> Iterator[Row]:
        """Query by query, in the order of trec_eval: by the bytes of their ids."""
        if not self.scores:
            return
        columns = [scores.of(run).tolist() for scores in self.scores]
        queries = list(self.scores[0].query_ids)
        for place in sorted(range(len(queries)), key=lambda place: queries[place].encode()):
            for measure, column in zip(self.measures, columns, strict=True):
                yield queries[place], measure, column[place]

    def _mean_rows(self, run: str) -> Iterator[Row]:
        place = list(self.runs).index(run)
        return ((ALL, measure, float(values[place])) for measure, values in zip(self.measures, self.means, strict=True))


def _trec_eval_line(query: str, measure: Measure, value: float) -> str:
    return f"{measure.trec_eval_name:<22}\t{query}\t{value:6.4f}\n"
