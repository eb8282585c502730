"""The workflow of a calibration: runs or scores in, and the promises that must hold on real data."""

import numpy as np
import pytest
from click import Choice

import runoff
from runoff.cli.calibrate import calibrate
from runoff.errors import UsageError
from runoff.simulation.calibration import QUANTITY_NAMES
from runoff.tables.scores import Scores
from runoff.verbs.calibrate import CalibrationOptions
from tests.simulation.calibration.sources import ap_like
from tests.verbs.test_reliability import QRELS, RUNS

SMALL = CalibrationOptions(sizes=[20], boards=4, trials=40)


def test_runs_have_all_quantities_and_scores_those_of_scores():
    found = runoff.calibrate(RUNS, QRELS, options=SMALL)
    content = found.to_dict()
    assert (content["measure"], content["source"]) == ("RR@10", {"queries": 21, "runs": 3})
    assert content["left_out"] == []
    seen = {line.quantity for line in found.calibration.lines}
    assert {"verdicts", "evidence", "tests", "rank_sets"} <= seen
    scores = runoff.evaluate(RUNS, QRELS, measures=["RR@10"]).scores[0]
    alone = runoff.calibrate(scores, options=SMALL)
    assert alone.to_dict()["left_out"] == ["verdicts", "evidence"]


def test_the_question_reaches_the_simulation():
    asked = CalibrationOptions(
        sizes=[12, 15], boards=3, only=["power", "tests"], alpha=0.2, trials=50, most_runs=3, seed=7
    )
    found = runoff.calibrate(ap_like().scores, options=asked).calibration
    assert [one.name for one in asked.quantities()] == ["tests", "power"]
    assert {line.quantity for line in found.lines} <= {"tests", "power"}
    assert (found.sizes, found.boards, found.seed) == ((12, 15), 3, 7)
    assert (found.settings.policy.alpha, found.settings.trials, found.settings.runs) == (0.2, 50, 3)
    assert {line.line.level for line in found.lines if line.quantity == "tests"} == {0.2}


def test_low_can_be_good():
    qrels = {f"q{place}": {"d": 1} for place in range(12)}
    runs = [
        {query: {"d": -float(1 + (place * step) % 5), **{f"x{at}": -at - 0.5 for at in range(1, 6)}}
         for place, query in enumerate(qrels)}
        for step in (1, 2)
    ]  # fmt: skip
    asked = CalibrationOptions(sizes=[10], boards=3, only=["margins"], trials=40)
    assert runoff.calibrate(runs, qrels, measures="ESL@10", options=asked).calibration.measure == "ESL@10"


def test_unknown_names_and_undefined_scores_are_refused():
    with pytest.raises(UsageError, match="no quantity is called 'luck'"):
        CalibrationOptions(only=["luck"]).quantities()
    with pytest.raises(UsageError, match="verdicts, evidence of scores alone; expected ranked lists"):
        runoff.calibrate(ap_like().scores, options=CalibrationOptions(only=["evidence", "verdicts"], boards=2))
    holes = Scores(measure="x", query_ids=("a", "b"), runs=("c", "d"), values=np.array([[1.0, np.nan], [0.5, 0.1]]))
    with pytest.raises(UsageError, match="undefined"):
        runoff.calibrate(holes)


def test_the_command_offers_every_quantity():
    (only,) = (option for option in calibrate.params if option.name == "only")
    assert isinstance(only.type, Choice)
    assert tuple(only.type.choices) == QUANTITY_NAMES
    assert tuple(quantity.name for quantity in CalibrationOptions().quantities()) == QUANTITY_NAMES


MUST_HOLD = ("tests", "records", "certificates", "rank_sets")


@pytest.mark.proof
@pytest.mark.parametrize("kind", ["ap", "rr"])
@pytest.mark.parametrize("size, boards", [(50, 1000), (500, 500), (5000, 200)])
def test_what_must_hold_on_real_topic_scores(shared_data, kind, size, boards):
    """Type I error of the tests, the record test, certificates and the set of the best, from TREC-8 ad hoc."""
    scores = runoff.read_scores(shared_data / "topic-scores" / f"adhoc8_{kind}.csv", measure=kind.upper())
    found = runoff.calibrate(scores, options=CalibrationOptions(sizes=[size], boards=boards, only=MUST_HOLD))
    assert found.not_refuted, found.opening(0)


@pytest.mark.proof
@pytest.mark.parametrize("size, boards", [(50, 1000), (500, 500), (5000, 200)])
def test_verdicts_and_evidence_hold_on_sparse_labels(tmp_path, size, boards):
    """The verdicts, the marks and each line of evidence, from the simulated year."""
    runoff.demo(tmp_path)
    runs = sorted((tmp_path / "runs").iterdir())
    asked = CalibrationOptions(sizes=[size], boards=boards, only=("verdicts", "evidence", *MUST_HOLD))
    found = runoff.calibrate(runs, tmp_path / "qrels-sparse.txt", measures="RR@10", options=asked)
    assert found.not_refuted, found.opening(0)
