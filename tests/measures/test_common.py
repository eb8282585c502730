"""Laws that hold for every listed measure."""

import pickle
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runoff.measures
from runoff.errors import UsageError
from runoff.measures import MEASURES, RBP, Measure, _base
from runoff.measures._example import serps_of
from runoff.tables.serps import NOTHING
from tests.measures.cases import VARIANTS, queries, serps_from
from tests.measures.reference import REFERENCES, rank_biased_residual, reference_value

FOLDER = Path(runoff.measures.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "method" / "measures.md"
NOT_MEASURES = {"default", "external", "lookup", "scoring", "spelling"}
some_queries = st.lists(queries(), min_size=1, max_size=6)
each_variant = pytest.mark.parametrize("measure", VARIANTS, ids=str)
each_listed = pytest.mark.parametrize("kind", MEASURES, ids=lambda kind: kind.name)


def default(kind):
    return kind() if kind.cutoff_use == "none" else kind @ 10


@given(cases=some_queries)
def test_equals_the_slow_version(cases):
    serps = serps_from(cases)
    for measure in VARIANTS:
        expected = [reference_value(measure, case.grades, case.judged) for case in cases]
        np.testing.assert_allclose(measure.values(serps), expected, rtol=1e-12, atol=1e-14, err_msg=str(measure))


@given(cases=some_queries)
def test_values_lie_in_the_stated_range(cases):
    serps = serps_from(cases)
    for measure in VARIANTS:
        values = measure.values(serps)
        low, high = measure.value_range
        assert values.dtype == np.float64, measure
        assert values.shape == (len(cases),), measure
        defined = values[~np.isnan(values)]
        assert ((low <= defined) & (defined <= high)).all(), measure
        assert measure.name == "ESL" or len(defined) == len(values), measure


@given(cases=some_queries, seed=st.integers(0, 2**32 - 1))
def test_order_of_queries_does_not_matter(cases, seed):
    order = np.random.default_rng(seed).permutation(len(cases))
    serps, shuffled = serps_from(cases), serps_from([cases[place] for place in order])
    for measure in VARIANTS:
        np.testing.assert_array_equal(measure.values(shuffled), measure.values(serps)[order], err_msg=str(measure))


@given(cases=some_queries, extra=st.integers(1, 5))
def test_empty_ranks_at_the_end_change_nothing(cases, extra):
    serps = serps_from(cases)
    empty = np.full((len(cases), extra), NOTHING, dtype=np.int8)
    padded = replace(serps, grades=np.hstack([serps.grades, empty]))
    for measure in VARIANTS:
        np.testing.assert_array_equal(measure.values(padded), measure.values(serps), err_msg=str(measure))


@given(cases=some_queries)
def test_ranks_beyond_the_cutoff_are_not_needed(cases):
    serps = serps_from(cases)
    for measure in VARIANTS:
        if measure.cutoff is not None:
            cut = replace(serps, grades=serps.grades[:, : measure.cutoff])
            np.testing.assert_array_equal(measure.values(cut), measure.values(serps), err_msg=str(measure))


@given(cases=some_queries, cells=st.integers(1, 40))
def test_slabs_of_queries_change_no_bit(cases, cells):
    serps = serps_from(cases)
    for measure in VARIANTS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_base, "SLAB_CELLS", cells)
            found = measure.values(serps)
        np.testing.assert_array_equal(found, measure.values(serps), err_msg=str(measure))


@given(cases=some_queries)
def test_memory_order_does_not_matter_and_nothing_is_altered(cases):
    serps = serps_from(cases)
    before = serps.grades.copy()
    by_column = replace(serps, grades=np.asfortranarray(serps.grades))
    for measure in VARIANTS:
        np.testing.assert_array_equal(measure.values(by_column), measure.values(serps), err_msg=str(measure))
    np.testing.assert_array_equal(serps.grades, before)


@each_variant
def test_query_without_relevant_documents_scores_zero(measure):
    if measure.name == "Judged" or 0 in (getattr(measure, "gains", None) or {}):
        pytest.skip("counts judged documents also where none is relevant")
    (value,) = measure.values(serps_of([0, -1, 0], judged=[[5, 0, 0, 0]]))
    assert np.isnan(value) if measure.name == "ESL" else value == 0.0


@each_variant
def test_query_with_nothing_retrieved_scores_zero(measure):
    value, _ = measure.values(serps_of([], [1, 0], judged=[[1, 1, 1, 1], [1, 1, 1, 1]]))
    assert np.isnan(value) if measure.name == "ESL" else value == 0.0


@each_variant
def test_run_that_retrieved_nothing_at_all(measure):
    values = measure.values(serps_of([], [], judged=[[1, 1, 1, 1], [1, 0, 0, 0]]))
    assert np.isnan(values).all() if measure.name == "ESL" else (values == 0.0).all()


@each_variant
def test_no_queries_give_no_values(measure):
    assert measure.values(serps_of()).shape == (0,)


@each_listed
def test_unjudged_documents_earn_what_non_relevant_ones_do(kind):
    if kind.name in ("Judged", "Bpref"):
        pytest.skip("is about judgments")
    counts = [[9, 2, 1, 0]]
    unjudged, judged = serps_of([-1, 1, -1, 2], judged=counts), serps_of([0, 1, 0, 2], judged=counts)
    np.testing.assert_array_equal(default(kind).values(unjudged), default(kind).values(judged))


@each_listed
def test_values_need_the_ranks_of_the_cutoff(kind):
    long_list = serps_of([0] * 12, judged=[[12, 1]])
    cut = replace(long_list, grades=long_list.grades[:, :5])
    with pytest.raises(UsageError, match="'example' keep 5 and 1 of its lists are longer"):
        default(kind).values(cut)
    if kind.cutoff_use != "none":
        assert (kind @ 5).values(cut).shape == (1,)


@each_listed
def test_is_a_value(kind):
    measure = default(kind)
    assert measure == default(kind)
    assert hash(measure) == hash(default(kind))
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    assert measure != next(other for other in VARIANTS if other.name != kind.name)
    with pytest.raises(FrozenInstanceError):
        measure.cutoff = 3


@each_listed
def test_states_its_facts(kind):
    assert kind.description.endswith(".")
    assert "https://doi.org/" in kind.source
    assert kind.source.rsplit(" ", 1)[-1] in (kind.__doc__ or "")
    assert ">>>" in (kind.__doc__ or "")
    assert default(kind).scale in ("ordinal", "interval", "ratio")
    assert kind.scale_reason.endswith(".")
    assert kind.value_range[0] < kind.value_range[1]
    assert isinstance(default(kind), Measure)


@each_listed
def test_is_documented(kind):
    assert f"\n### {kind.name}\n" in DOCS.read_text(encoding="utf-8")
    entry = DOCS.read_text(encoding="utf-8").split(f"\n### {kind.name}\n")[1].split("\n### ")[0]
    assert default(kind).scale in entry
    assert kind.source.rsplit(" ", 1)[-1] in entry
    assert ">>>" in entry
    for name in (*kind.aliases, *kind.parameters()):
        assert f"`{name}`" in entry


@each_listed
def test_has_a_reference_and_a_test_file(kind):
    assert kind.name in REFERENCES
    assert (Path(__file__).parent / f"test_{kind.name.lower()}.py").exists()


def test_every_file_is_listed():
    files = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_")} - NOT_MEASURES
    assert files == {kind.name.lower() for kind in MEASURES}
    assert all(kind.__module__ == f"runoff.measures.{kind.name.lower()}" for kind in MEASURES)


def test_exported_names_are_sorted_and_exist():
    assert runoff.measures.__all__ == sorted(runoff.measures.__all__)
    assert all(hasattr(runoff.measures, name) for name in runoff.measures.__all__)


@given(cases=some_queries, p=st.floats(0.05, 0.95), cutoff=st.one_of(st.none(), st.integers(1, 15)))
def test_rbp_residual_equals_the_slow_version(cases, p, cutoff):
    measure = RBP(p=p, cutoff=cutoff)
    expected = [rank_biased_residual(case.grades, k=cutoff, p=p) for case in cases]
    serps = serps_from(cases)
    np.testing.assert_allclose(measure.residual(serps), expected, rtol=1e-9, atol=1e-14)
    assert (measure.values(serps) + measure.residual(serps) <= 1 + 1e-12).all()
