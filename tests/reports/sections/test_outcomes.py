import numpy as np

from runoff.reports.sections.outcomes import OUTCOMES
from runoff.workflows.board import board
from runoff.workflows.contest import ContestResult
from tests.reports.sections.made import inputs_of


def duels():
    rng = np.random.default_rng(0)
    qrels = {f"q{place}": {"d": 1} for place in range(30)}
    runs = [{q: {"d": float(rng.integers(0, 4)), "x": 2.5, "y": 1.5} for q in qrels} for _ in range(3)]
    return board(runs, qrels, trials=20).duels


def test_counts_of_the_next_best_run_are_in_the_sentence():
    found = duels()
    content = OUTCOMES.content(inputs_of(3, duels=found, contest=ContestResult(duels=found)))
    first = found[0].outcomes
    for count in (first.both, first.champion_only, first.challenger_only, first.neither):
        assert f"{count:,} " in content.sentence
    assert [chart.name for chart in content.charts] == ["outcome_bars", "differences"]
    assert content.answer.startswith("2 challengers shown: ")
    assert content.paragraphs == (found[0].verdict.sentence,)


def test_without_a_second_run_the_reason_is_told():
    assert "no second run" in OUTCOMES.content(inputs_of(1)).sentence
    told = OUTCOMES.content(inputs_of(1, missing={"outcomes": "Lists are not known."}))
    assert told.sentence == "Lists are not known."
