"""Every format of a tally."""

import pytest

from runoff.display import FORMAT_NAMES, render
from runoff.verbs.tally import tally
from tests.verbs.tallied import ANSWERS, MADE, QRELS, RUNS


@pytest.mark.parametrize("runs", [(), RUNS])
@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_every_format_can_be_written(runs, name):
    result = tally(ANSWERS, tasks=MADE.tasks, runs=runs, qrels=QRELS)
    assert render(result, name, width=80, colour=False)
    assert result.grid() == result.grids()[0]


def test_qrels_lines():
    result = tally(ANSWERS, tasks=MADE.tasks)
    assert len(list(result.qrels_lines())) == len(result.qrels)
