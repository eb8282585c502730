"""Finding a measure by its name: duplicates, close names, parameters of another measure."""

import pytest

from runoff.errors import MeasureError
from runoff.measures import BY_NAME, MEASURES, RR, parse_measure
from runoff.measures.lookup import ALONE, CUT, build_measure, from_trec_eval
from runoff.measures.spelling import Spelling


def test_every_name_and_alias_is_found():
    for kind in MEASURES:
        assert all(BY_NAME[name] is kind for name in (kind.name, *kind.aliases))
    assert len(BY_NAME) == sum(1 + len(kind.aliases) for kind in MEASURES)


def test_measure_keeps_the_text_it_was_found_by():
    measure = build_measure(Spelling(name="MRR", cutoff=10, text="MRR@10"), BY_NAME)
    assert (measure, str(measure)) == (RR @ 10, "MRR@10")


def test_two_cutoffs_are_refused():
    with pytest.raises(MeasureError, match="RR\\(cutoff=5\\)@10 has two cutoffs; expected one; keep '@10' alone"):
        parse_measure("RR(cutoff=5)@10")


def test_parameter_of_another_measure_is_refused():
    with pytest.raises(MeasureError, match="nDCG has no parameter 'rel'; expected dcg, gains, cutoff"):
        parse_measure("nDCG(rel=2)@10")


@pytest.mark.parametrize(
    "text, close",
    [("ndcg@10", "nDCG"), ("rr@10", "RR"), ("NCDG@10", "NDCG"), ("Sucess@5", "Success"), ("iprec", "IPrec")],
)
def test_unknown_name_suggests_close_ones(text, close):
    with pytest.raises(MeasureError, match=f"did you mean .*{close}") as caught:
        parse_measure(text)
    assert all(kind.name in str(caught.value) for kind in MEASURES)
    assert "pip install" not in str(caught.value)


@pytest.mark.parametrize("name", [*ALONE, *(f"{stem}_7" for stem in CUT)])
def test_every_translation_is_a_measure(name):
    translated = from_trec_eval(name)
    assert translated is not None
    assert str(parse_measure(translated)) == translated


@pytest.mark.parametrize("name", ["", "P", "P_", "P_x", "ndcg_cut", "nDCG@10", "utility"])
def test_other_names_are_not_translated(name):
    assert from_trec_eval(name) is None


def test_a_name_of_trec_eval_is_explained():
    with pytest.raises(MeasureError, match="trec_eval's ndcg_cut_10 is nDCG@10 here"):
        parse_measure("ndcg_cut_10")
