import pytest

from runoff.errors import MeasureError
from runoff.measures import parse_measure
from runoff.measures.trec_eval_names import ALONE, CUT, from_trec_eval


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
