"""Equality with ir_measures, and with the slow formulas where it has no reference: RBP, ERR, and what they need."""

import math

import numpy as np
import pytest

import runoff
from tests.golden.files import Table, read_table
from tests.golden.test_pytrec_eval import FLOAT32, SAME, random_tables
from tests.programs import required

ir_measures = pytest.importorskip("ir_measures")

SHARED = (
    *("RR", "RR(rel=2)", "AP", "AP@100", "AP(rel=2)", "nDCG", "nDCG@10", "nDCG(gains={1:3,2:5})@20"),
    *("P@5", "P(rel=2)@10", "R@100", "R(rel=2)@1000", "Success@1", "Success(rel=2)@10", "Rprec", "Rprec(rel=2)"),
    *("Bpref", "Bpref(rel=2)"),
)
OTHER_TIES = ("RR@10", "RR(rel=2)@10", "Judged@10", "Judged@100")
"""For these ir_measures has code of its own: ties by document id *ascending*, scores as float64."""
ASCENDING = runoff.ReadOptions(tie_rule="doc_ascending")


TIED = (
    ("robust03/input.MU03rob01.gz", "robust03/qrels.txt.gz"),
    *((f"dl21/runs/{name}.gz", "dl21/qrels.nist.txt.gz") for name in ("mono_d3", "ielab-robertav2", "NLE_P_V1andV2")),
)
"""Real runs, and their qrels, for which the tie rule decides RR@10 or Judged@10 of some query."""


def tuples(table: Table, kind) -> list[tuple[str, str, float]]:
    return [kind(query, document, value) for query, row in table.items() for document, value in row.items()]


def values_of(run, qrels, *measures: str, reading: runoff.ReadOptions = FLOAT32) -> dict[str, dict[str, float]]:
    result = runoff.evaluate(run, qrels, measures=list(measures), reading=reading)
    return {scores.measure: dict(zip(scores.query_ids, scores.values[:, 0], strict=True)) for scores in result.scores}


def theirs_of(provider, run: Table, qrels: Table, *measures: str) -> dict[tuple[str, str], float]:
    """Measures with gains are asked for apart: beside them ir_measures 0.4.3 applies the gains to plain nDCG too."""
    judgments, documents = tuples(qrels, ir_measures.Qrel), tuples(run, ir_measures.ScoredDoc)
    found = {}
    for with_gains in (False, True):
        asked = {ir_measures.parse_measure(one): one for one in measures if ("gains" in one) is with_gains}
        for metric in provider.iter_calc(list(asked), judgments, documents) if asked else ():
            found[asked[metric.measure], metric.query_id] = metric.value
    return found


def assert_same(ours, theirs, *, within: float = SAME) -> None:
    assert theirs
    for (measure, query), value in theirs.items():
        assert ours[measure][query] == pytest.approx(value, abs=within, rel=0), f"{measure} of {query}"


@pytest.mark.parametrize("name", ["NLPR03vb10", "humR03dc"])
def test_real_runs(shared_data, name):
    file, qrels_file = shared_data / "robust03" / f"input.{name}.gz", shared_data / "robust03" / "qrels.txt.gz"
    theirs = theirs_of(ir_measures, read_table(file, 4, float), read_table(qrels_file, 3, int), *SHARED, *OTHER_TIES)
    assert_same(values_of(file, qrels_file, *SHARED, *OTHER_TIES), theirs)


@pytest.mark.parametrize("seed", range(5))
def test_graded_judgments_and_many_ties(seed):
    qrels, run = random_tables(seed)
    assert_same(values_of(run, qrels, *SHARED), theirs_of(ir_measures, run, qrels, *SHARED))


@pytest.mark.parametrize("seed", range(5))
def test_ties_by_document_id_ascending(seed):
    """The tie rule `doc_ascending` is that of RR@k and Judged@k; under no other rule are they equal on these runs."""
    qrels, run = random_tables(seed)
    theirs = theirs_of(ir_measures, run, qrels, *OTHER_TIES)
    assert_same(values_of(run, qrels, *OTHER_TIES, reading=ASCENDING), theirs)
    for rule in ("trec_eval", "float32", "file"):
        ours = values_of(run, qrels, *OTHER_TIES, reading=runoff.ReadOptions(tie_rule=rule))
        for measure in ("RR@10", "Judged@10"):
            assert any(
                abs(ours[measure][query] - value) > 0.01 for (name, query), value in theirs.items() if name == measure
            )


@pytest.mark.parametrize("run_name, qrels_name", TIED)
def test_ties_of_real_runs(shared_data, run_name, qrels_name):
    file, qrels_file = shared_data / run_name, shared_data / qrels_name
    theirs = theirs_of(ir_measures, read_table(file, 4, float), read_table(qrels_file, 3, int), *OTHER_TIES)
    assert_same(values_of(file, qrels_file, *OTHER_TIES, reading=ASCENDING), theirs)
    ours = values_of(file, qrels_file, *OTHER_TIES, reading=runoff.ReadOptions())
    assert any(abs(ours[measure][query] - value) > 0.01 for (measure, query), value in theirs.items())


@pytest.mark.program
@pytest.mark.parametrize("name, cutoff", [("NLPR03vb10", 5), ("humR03dc", 20)])
def test_gdeval_on_real_runs(shared_data, name, cutoff):
    """Its output has five digits. It orders by score and document id like trec_eval, in double precision."""
    required("perl")
    file, qrels_file = shared_data / "robust03" / f"input.{name}.gz", shared_data / "robust03" / "qrels.txt.gz"
    asked = (f"ERR@{cutoff}", f"nDCG(dcg='exp-log2')@{cutoff}")
    run, qrels = read_table(file, 4, float), read_table(qrels_file, 3, int)
    theirs = theirs_of(ir_measures.gdeval, run, qrels, *asked)
    result = runoff.evaluate(file, qrels_file, measures=asked)
    ours = {scores.measure: dict(zip(scores.query_ids, scores.values[:, 0], strict=True)) for scores in result.scores}
    assert len(theirs) == 200
    assert_same(ours, theirs, within=1e-5)


def slow_rbp(grades: list[int], p: float, rel: int) -> float:
    """(1 - p) sum p^(i-1) over the relevant ranks i."""
    return (1 - p) * math.fsum(p ** (rank - 1) for rank, grade in enumerate(grades, start=1) if grade >= rel)


@pytest.mark.parametrize("p, rel, cutoff", [(0.8, 1, None), (0.5, 1, 10), (0.95, 2, 100), (0.8, 3, 20)])
def test_rbp_against_its_formula(p, rel, cutoff):
    """trec_eval 10.0 is no reference for RBP, and ir_measures hands it to packages that are seldom there."""
    qrels, run = random_tables(11)
    measure = f"RBP(p={p},rel={rel})" + ("" if cutoff is None else f"@{cutoff}")
    ours = values_of(run, qrels, measure)[measure]
    for query, judged in qrels.items():
        found = run.get(query, {})
        ranked = sorted(found, key=lambda document: (found[document], document), reverse=True)
        grades = [judged.get(document, 0) for document in ranked][:cutoff]
        assert ours[query] == pytest.approx(slow_rbp(grades, p, rel), abs=SAME)


def test_means_are_those_of_ir_measures_over_all_queries():
    """ir_measures too averages over the queries of the qrels, a missing one as 0."""
    qrels, run = random_tables(2)
    spellings = [measure for measure in SHARED if "gains" not in measure]
    asked = [ir_measures.parse_measure(measure) for measure in spellings]
    theirs = ir_measures.calc_aggregate(asked, tuples(qrels, ir_measures.Qrel), tuples(run, ir_measures.ScoredDoc))
    result = runoff.evaluate(run, qrels, measures=spellings, reading=FLOAT32)
    for measure, spelled in zip(asked, spellings, strict=True):
        assert np.isclose(result.mean("run 1", spelled), theirs[measure], rtol=0, atol=SAME), spelled
