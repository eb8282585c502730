"""The chart of who could be best: intervals by a plain loop."""

import numpy as np
import pytest

from runoff.boards import best_set
from runoff.errors import UsageError
from runoff.reports.charts import BestRuns
from tests.boards.test_best_set import board
from tests.reports.charts.values import table_with


def found():
    values = np.random.default_rng(0).random((60, 4)) + np.array([0.5, 0.5, 0.3, 0.0])
    return best_set(board(values), trials=100)


def test_intervals_by_a_plain_loop():
    result = found()
    rows = {row["name"]: row for row in table_with(BestRuns(result).spec(), "lead")}
    for place, name in enumerate(result.runs):
        others = [at for at in range(4) if at != place]
        ends = [result.critical * result.errors[place, at] for at in others]
        leads = [result.differences[place, at] for at in others]
        assert rows[name]["lead"] == pytest.approx(min(leads))
        assert rows[name]["low"] == pytest.approx(min(lead - end for lead, end in zip(leads, ends, strict=True)))
        assert rows[name]["high"] == pytest.approx(min(lead + end for lead, end in zip(leads, ends, strict=True)))
        # a run could be best just where its interval reaches 0
        assert (rows[name]["kind"] == "could be best") == (rows[name]["high"] >= 0) == result.could_be_best[place]


def test_words_and_stars():
    result = found()
    chart = BestRuns(result)
    assert f"{len(result.best)} could be the best with 95% confidence" in chart.text_alternative()
    starred = [line.split()[1] for line in chart.text_lines(80) if line.startswith("* ")]
    assert set(starred) == set(result.best)
    with pytest.raises(UsageError, match="most=0"):
        BestRuns(result, most=0)
