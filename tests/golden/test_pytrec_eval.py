"""Equality with pytrec_eval at full precision, query by query.

pytrec_eval is trec_eval 9: it holds scores as float32 and so sees ties that trec_eval 10.0 and runoff's default rule do
not. The tie rule `float32` is its rule, and under it every value is equal. One more difference is known: in `bpref`
pytrec_eval counts a document of a negative grade as unjudged, runoff as judged non-relevant, like every grade below 1.
"""

import itertools

import numpy as np
import pytest

import runoff
from tests.golden.files import Table, read_table
from tests.golden.names import own_measure

pytrec_eval = pytest.importorskip("pytrec_eval")

SAME = 1e-9
CUTOFFS = (1, 5, 10, 20, 100, 1000)
NAMES = (
    *("map", "Rprec", "bpref", "recip_rank", "ndcg", "set_recall"),
    *(f"{name}_{k}" for name in ("P", "recall", "success", "map_cut", "ndcg_cut") for k in CUTOFFS),
)
ASKED = {"map", "Rprec", "bpref", "recip_rank", "ndcg", "set_recall"} | {
    f"{name}.{','.join(map(str, CUTOFFS))}" for name in ("P", "recall", "success", "map_cut", "ndcg_cut")
}
FLOAT32 = runoff.ReadOptions(tie_rule="float32")
ROBUST = (
    *("InexpC2", "MU03rob01", "NLPR03vb10", "SABIR03BASE", "THUIRr0301", "UAmsT03RDesc", "VTcdhgp1", "aplrob03a"),
    *("fub03IeOLKe3", "humR03dc", "pircRBa1", "uic0301"),
)


def by_name(run, qrels, *, level: int = 1, reading: runoff.ReadOptions = FLOAT32) -> dict[str, dict[str, float]]:
    """Values of runoff by trec_eval's name and query."""
    spelled = {name: with_level(own_measure(name) or "", level) for name in NAMES}
    result = runoff.evaluate(run, qrels, measures=list(dict.fromkeys(spelled.values())), reading=reading)
    columns = {
        scores.measure: dict(zip(scores.query_ids, scores.values[:, 0], strict=True)) for scores in result.scores
    }
    return {name: columns[measure] for name, measure in spelled.items()}


def with_level(measure: str, level: int) -> str:
    """The measure at a relevance level; nDCG has none."""
    name, at, cutoff = measure.partition("@")
    return measure if level == 1 or name == "nDCG" else f"{name}(rel={level}){at}{cutoff}"


def largest_difference(ours: dict[str, dict[str, float]], theirs: Table, names=NAMES) -> float:
    """Over all queries and measures; a query that pytrec_eval lacks scores 0, a measure that it lacks is an error."""
    nothing = dict.fromkeys(names, 0.0)
    pairs = itertools.product(names, ours["map"])
    return float(np.max([abs(ours[name][query] - theirs.get(query, nothing)[name]) for name, query in pairs]))


@pytest.fixture(scope="module")
def robust_qrels(shared_data) -> Table:
    return read_table(shared_data / "robust03" / "qrels.txt.gz", 3, int)


@pytest.mark.parametrize("name", ROBUST)
def test_runs_of_the_robust_track(shared_data, robust_qrels, name):
    file, qrels_file = shared_data / "robust03" / f"input.{name}.gz", shared_data / "robust03" / "qrels.txt.gz"
    run = read_table(file, 4, float)
    for level in (1, 2):
        theirs = pytrec_eval.RelevanceEvaluator(robust_qrels, ASKED, relevance_level=level).evaluate(run)
        assert len(theirs) == 100
        assert largest_difference(by_name(file, qrels_file, level=level), theirs) <= SAME


def test_the_comparison_is_able_to_fail():
    qrels, run = random_tables(0)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, ASKED).evaluate(run)
    ours = by_name(run, qrels)
    for wrong in (ours["ndcg"]["q0"] + 2 * SAME, float("nan")):
        assert not largest_difference({**ours, "ndcg": {**ours["ndcg"], "q0": wrong}}, theirs) <= SAME
    assert sum(value != 0.0 for row in theirs.values() for value in row.values()) > 500


def test_every_run_of_the_robust_track_is_compared(shared_data):
    assert sorted(file.name[6:-3] for file in (shared_data / "robust03").glob("input.*.gz")) == sorted(ROBUST)


@pytest.mark.parametrize("qrels_name", ["qrels.test", "qrels.rel_level"])
def test_trec_evals_own_files(shared_data, qrels_name):
    """qrels.rel_level has grades from -1 to 4; its negative ones change no `bpref`, there are enough other ones."""
    file, qrels_file = shared_data / "trec_eval" / "results.test", shared_data / "trec_eval" / qrels_name
    qrels, run = read_table(qrels_file, 3, int), read_table(file, 4, float)
    for level in (1, 2, 3):
        theirs = pytrec_eval.RelevanceEvaluator(qrels, ASKED, relevance_level=level).evaluate(run)
        assert largest_difference(by_name(file, qrels_file, level=level), theirs) <= SAME


def random_tables(seed: int, *, lowest_grade: int = 0) -> tuple[Table, Table]:
    """Graded judgments, and a run with few distinct scores, so that most documents are tied."""
    random = np.random.default_rng(seed)
    qrels: Table = {}
    run: Table = {}
    for number in range(25):
        documents = [f"d{document}" for document in random.permutation(int(random.integers(5, 80)))]
        judged = [document for document in documents if random.random() < 0.6] or documents[:1]
        found = [document for document in documents if random.random() < 0.7] or documents[:1]
        qrels[f"q{number}"] = {document: int(random.integers(lowest_grade, 5)) for document in judged}
        run[f"q{number}"] = {document: float(random.integers(0, 6)) / 3 for document in found}
    del run["q3"]  # a query that the run lacks
    run["q99"] = {"d1": 1.0}  # and one that only the run has
    return qrels, run


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_graded_judgments_and_many_ties(seed, level):
    qrels, run = random_tables(seed)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, ASKED, relevance_level=level).evaluate(run)
    assert largest_difference(by_name(run, qrels, level=level), theirs) <= SAME


def test_negative_grades_differ_in_bpref_alone():
    qrels, run = random_tables(7, lowest_grade=-2)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, ASKED).evaluate(run)
    ours = by_name(run, qrels)
    assert largest_difference(ours, theirs, [name for name in NAMES if name != "bpref"]) <= SAME
    assert largest_difference(ours, theirs, ["bpref"]) > 0.01


def test_scores_that_only_float64_tells_apart():
    """Both scores are the same float32 number, so pytrec_eval goes by the document ids, and trec_eval 10.0 does not."""
    qrels = {"q": {"a": 1, "b": 0}}
    run = {"q": {"a": 31.0501639782451, "b": 31.0501639782450}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert theirs["q"]["recip_rank"] == by_name(run, qrels)["recip_rank"]["q"] == 0.5
    assert by_name(run, qrels, reading=runoff.ReadOptions())["recip_rank"]["q"] == 1.0
