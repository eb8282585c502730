"""Keys of a tally are promises."""

from typing import Any

import pytest

from runoff.verbs.tally import tally
from tests.verbs.tallied import ANSWERS, MADE, QRELS, RUNS

PROMISED = {"queries", "judgments", "win_ratios", "wins", "significant", "preference_qrels", "cycles", "impact"}


def test_promised_keys():
    result: Any = tally(ANSWERS, tasks=MADE.tasks, runs=RUNS, qrels=QRELS)
    content: Any = result.to_dict()
    assert set(content) >= PROMISED
    ratios = content["win_ratios"]
    assert ratios["run0"]["run1"] + ratios["run1"]["run0"] == pytest.approx(1.0)
    assert ratios["run0"]["perfect ranking"] == result.board.ratios.ratios[3, 0]
    assert content["wins"] == dict(zip(result.board.ratios.runs, result.board.ratios.run_wins.tolist(), strict=True))
    for cell in content["win_ratio_cells"]:
        assert cell["ratio"] == ratios[cell["column"]][cell["row"]]
        assert cell["queries"] == cell["wins"] + cell["losses"]
    assert len(content["win_ratio_cells"]) == 12
    assert set(content["pooled"].values()) == {True}
    assert [one["run"] for one in content["order"]] == [*(run.name for run in RUNS), "perfect ranking"]
    assert content["one_pair"] is None
    assert len(content["impact"]["runs"]) == 3
    assert content["preference_qrels"].keys() == set(result.tournament.query_ids)


def test_without_runs():
    content: Any = tally(ANSWERS).to_dict()
    assert (content["win_ratios"], content["impact"]) == (None, None)
    assert content["files"][0]["judgments"] == len(ANSWERS)
