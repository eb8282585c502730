"""Measures that ir_measures computes, and what happens without it."""

import subprocess
import sys

import pytest

from runoff.errors import MeasureError, MissingExtraError, UsageError
from runoff.measures import BY_NAME, RR, ExternalMeasure, external, parse_measure, score
from runoff.measures._example import serps_of

QRELS = [("q1", "a", 1), ("q1", "b", 0), ("q2", "c", 1), ("q3", "d", 1)]
RUN = [("q1", "x", 3.0), ("q1", "a", 2.0), ("q2", "c", 1.0), ("q9", "c", 1.0)]


@pytest.fixture
def without_ir_measures(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)


@pytest.fixture
def ir_measures():
    return pytest.importorskip("ir_measures")


def parse_external(text):
    measure = parse_measure(text)
    assert isinstance(measure, ExternalMeasure)
    return measure


def test_values_in_the_order_of_the_queries(ir_measures):
    measure = parse_external("SetP")
    assert measure.values_from(QRELS, RUN, ["q3", "q2", "q1", "q7"]).tolist() == [0.0, 1.0, 0.5, 0.0]


@pytest.mark.parametrize(
    "text", ["SetP", "IPrec@0.1", "SetF(beta=0.5)", "NumRel", "infAP", "RR(judged_only=True)", "SetR(rel=2)"]
)
def test_prints_as_typed_and_compares_by_meaning(ir_measures, text):
    measure = parse_external(text)
    assert str(measure) == text
    assert measure == parse_measure(text)
    assert hash(measure) == hash(parse_measure(text))
    assert str(ExternalMeasure(measure=measure.measure)) == repr(ir_measures.parse_measure(text))


def test_fractions_are_refused(ir_measures):
    with pytest.raises(
        UsageError, match=r"SetP is computed by ir_measures, which takes whole grades, .* hold 1\.8; round"
    ):
        parse_external("SetP").values_from([*QRELS, ("q3", "e", 1.8)], RUN, ["q3"])


def test_parameter_that_only_ir_measures_has(ir_measures):
    measure = parse_external("RR(judged_only=True)")
    assert measure != RR()
    assert measure.values_from(QRELS, RUN, ["q1", "q2"]).tolist() == [1.0, 1.0]


def test_needs_documents(ir_measures):
    with pytest.raises(UsageError, match="SetP is computed by ir_measures and needs the documents of run 'example'"):
        score([serps_of([1])], [parse_measure("SetP")])


def test_bad_parameters_are_explained(ir_measures):
    with pytest.raises(MeasureError, match="ir_measures refuses it: invalid param rel='x'"):
        parse_measure("SetP(rel='x')")
    with pytest.raises(MeasureError, match="IPrec has no recall; expected a value for it; write IPrec@recall"):
        parse_measure("IPrec")
    with pytest.raises(MeasureError, match="no measure is called 'NoSuch'"):
        parse_measure("NoSuch(rel='x')")


def test_measure_that_no_installed_provider_computes(ir_measures, monkeypatch):
    def refuse(*_):
        raise ValueError("Unsupported measures")

    measure = parse_external("IPrec@0.1")
    assert measure.values_from(QRELS, RUN, ["q2"]).tolist() == [1.0]
    monkeypatch.setattr(ir_measures, "iter_calc", refuse)
    with pytest.raises(UsageError, match=r"IPrec@0\.1: ir_measures cannot compute it: Unsupported measures"):
        measure.values_from(QRELS, RUN, ["q2"])


def test_names_are_what_ir_measures_has_and_runoff_lacks(ir_measures):
    assert set(external.EXTERNAL_NAMES) == set(ir_measures.measures.registry) - set(BY_NAME)


def test_missing_extra_is_told_from_wrong_name(without_ir_measures):
    with pytest.raises(MissingExtraError, match=r"the measure IPrec@0.1 needs .*pip install 'runoff\[ir-measures\]'"):
        parse_measure("IPrec@0.1")
    with pytest.raises(MissingExtraError, match="judged_only"):
        parse_measure("RR(judged_only=True)@10")
    with pytest.raises(MeasureError, match="no measure is called 'NoSuch'"):
        parse_measure("NoSuch@10")
    with pytest.raises(MeasureError, match="RR has no parameter 'depth'"):
        parse_measure("RR(depth=3)")
    assert parse_measure("RR@10") == RR @ 10


def test_importing_measures_imports_numpy_alone():
    heavy = "('ir_measures', 'pytrec_eval', 'scipy', 'polars', 'pandas', 'ranx')"
    program = (
        f"import sys, runoff.measures as m; m.parse_measure('RR@10'); print([n for n in {heavy} if n in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
        == "[]"
    )
