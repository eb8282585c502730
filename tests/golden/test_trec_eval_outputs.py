"""Equality with the outputs that trec_eval 10.0 ships for its own tests: every line that runoff can say.

Without `-c` trec_eval averages over the queries that the run has, with `-c` over those of the qrels. runoff does the
latter; the former is the subset of queries that the run has.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest

import runoff
from runoff.measures import RBP
from tests.golden.files import HALF_DIGIT, Golden, read_golden
from tests.golden.names import check_known, handed_on, own_measure

INPUTS = {
    "out.test": ("results.test", "qrels.test"),
    "out.test.a": ("results.test", "qrels.test"),
    "out.test.aq": ("results.test", "qrels.test"),
    "out.test.aqc": ("results.trunc", "qrels.test"),
    "out.test.meas_params": ("results.test", "qrels.test"),
    "out.comment.test": ("results.comment.test.gz", "qrels.comment.test"),
}
"""The golden outputs, and what trec_eval read for them."""
COUNTS = {  # measures that runoff has and each output prints, so that a line which is not compared is noticed
    "out.test": (13, 0),
    "out.test.a": (47, 0),
    "out.test.aq": (47, 141),
    "out.test.aqc": (47, 141),
    "out.test.meas_params": (12, 36),
    "out.comment.test": (13, 0),
}
SMALLEST_IN_GEOMETRIC_MEAN = 1e-5


@dataclass(frozen=True)
class Case:
    """A golden output, and the run and qrels that it is about."""

    golden: Golden
    run: runoff.Run
    qrels: runoff.Qrels

    @property
    def query_ids(self) -> list[str]:
        """The queries of the run that have judgments: what trec_eval averages over without `-c`."""
        return [query_id for query_id in self.qrels.query_ids if query_id in set(self.run.query_ids)]

    def scores(self, spelling: Mapping[str, str], *, complete: bool = False) -> dict[str, runoff.Scores]:
        """By trec_eval's name, the scores of the measures that its output names."""
        measures = list(dict.fromkeys(spelling.values()))
        chosen = None if complete else self.query_ids
        result = runoff.evaluate(self.run, self.qrels, measures=measures, queries=chosen)
        by_measure = {scores.measure: scores for scores in result.scores}
        return {name: by_measure[measure] for name, measure in spelling.items()}

    def spelling(self, find) -> dict[str, str]:
        """By trec_eval's name, the measure that `find` gives for it."""
        return {name: measure for name, _ in self.golden if (measure := find(name)) is not None}


@pytest.fixture(scope="module", params=INPUTS)
def name(request) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def case(shared_data, name) -> Case:
    folder = shared_data / "trec_eval"
    run, qrels = INPUTS[name]
    return Case(read_golden(folder / name), runoff.read_run(folder / run), runoff.read_qrels(folder / qrels))


def assert_printed(case: Case, name: str, query: str, value: float) -> None:
    printed = case.golden[name, query]
    assert abs(value - float(printed)) <= HALF_DIGIT, f"{name} of {query}: {value}, trec_eval prints {printed}"


def assert_all_printed(case: Case, scores: Mapping[str, runoff.Scores]) -> tuple[int, int]:
    """Compare every mean and value; how many of each there were."""
    means, values = 0, 0
    for name, found in scores.items():
        assert_printed(case, name, "all", float(found.means[0]))
        means += 1
        for query_id, value in zip(found.query_ids, found.values[:, 0], strict=True):
            if (name, query_id) in case.golden:
                assert_printed(case, name, query_id, value)
                values += 1
    return means, values


def test_every_name_is_known(case):
    for name, _ in case.golden:
        check_known(name)


def test_every_measure_is_what_trec_eval_prints(case, name):
    scores = case.scores(case.spelling(own_measure), complete=name.endswith("c"))
    assert assert_all_printed(case, scores) == COUNTS[name]


def test_measures_handed_to_ir_measures_are_what_trec_eval_prints(case, name):
    pytest.importorskip("ir_measures")
    spelling = case.spelling(handed_on)
    if not spelling:
        pytest.skip("this output has none")
    assert assert_all_printed(case, case.scores(spelling, complete=name.endswith("c")))[0] == len(spelling)


def test_geometric_mean(case, name):
    if ("gm_map", "all") not in case.golden:
        pytest.skip("this output has none")
    values = case.scores({"map": "AP"}, complete=name.endswith("c"))["map"].values[:, 0]
    logarithms = np.log(np.maximum(values, SMALLEST_IN_GEOMETRIC_MEAN))
    assert_printed(case, "gm_map", "all", math.exp(logarithms.mean()))


def test_counts_and_grades(case):
    """What trec_eval prints about lists, from SERPs: lengths, grades at the top, what is unjudged, RBP's residual."""
    serps = case.run.serps(case.qrels)
    facts = {
        "num_ret": serps.retrieved,
        "num_rel": serps.relevant(),
        "num_rel_ret": (serps.grades >= 1).sum(axis=1),
        "num_nonrel_judged_ret": (serps.grades == 0).sum(axis=1),
        **{f"unj_{depth}": (serps.grades[:, :depth] == -1).sum(axis=1) / depth for depth in (5, 10, 20)},
        # Where nothing was retrieved trec_eval prints 0; for runoff the residual is 1: everything is unknown.
        "rbp_resid": np.where(serps.retrieved == 0, 0.0, RBP(p=0.9).residual(serps)),
    }
    for (name, query), printed in case.golden.items():
        if name in facts and query != "all":
            assert_printed(case, name, query, float(facts[name][case.qrels.query_ids.index(query)]))
        if name == "relstring" and query != "all":
            top = serps.grades[:, :10][case.qrels.query_ids.index(query)]
            assert "".join("-" if grade == -1 else str(grade) for grade in top if grade > -2) == printed.strip("'")
