"""Finding a measure by its name: duplicates, close names, parameters of another measure."""

import pytest

from runoff.errors import MeasureError
from runoff.measures import BY_NAME, MEASURES, RR, parse_measure
from runoff.measures._trec_eval_names import ALONE, CUT, HANDED_ON
from runoff.measures.lookup import find_measure, from_trec_eval


def test_every_name_and_alias_is_found():
    for kind in MEASURES:
        assert all(BY_NAME[name] is kind for name in (kind.name, *kind.aliases))
    assert len(BY_NAME) == sum(1 + len(kind.aliases) for kind in MEASURES)


@pytest.mark.parametrize(
    "text, printed",
    [
        ("MRR@10", "RR@10"), ("mrr@10", "RR@10"), ("rr", "RR"), ("MAP", "AP"), ("map", "AP"),
        ("Map(rel=2)", "AP(rel=2)"),
        ("NDCG@10", "nDCG@10"), ("ndcg@10", "nDCG@10"), ("ndcg", "nDCG"), ("NDCG_CUT_10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"), ("ndcg_cut.10", "nDCG@10"), ("ndcg_cut@10", "nDCG@10"), ("recip_rank", "RR"),
        ("recip_rank@10", "RR@10"), ("P_10", "P@10"), ("p_10", "P@10"), ("P.10", "P@10"), ("precision@5", "P@5"),
        ("recall_1000", "R@1000"), ("recall@1000", "R@1000"), ("Recall@5", "R@5"), ("success_10", "Success@10"),
        ("bpref", "Bpref"), ("BPref", "Bpref"), ("Rprec", "Rprec"), ("rprec", "Rprec"), ("RPREC", "Rprec"),
        ("map_cut_100", "AP@100"), ("set_recall", "R"), ("rbp(p=0.8)@10", "RBP(p=0.8)@10"), ("err@20", "ERR@20"),
        (" nDCG @ 10 ", "nDCG@10"), ("esl@10", "ESL@10"), ("AP(rel=1)@5", "AP(rel=1)@5"),
    ],
)  # fmt: skip
def test_what_is_understood_prints_as_ir_measures_spells_it(text, printed):
    measure = parse_measure(text)
    assert str(measure) == printed
    assert measure == parse_measure(printed)


@pytest.mark.parametrize("name", HANDED_ON)
def test_trec_eval_names_that_are_handed_on(name):
    pytest.importorskip("ir_measures")
    assert str(parse_measure(name)) == HANDED_ON[name]
    assert str(parse_measure(name.upper())) == HANDED_ON[name]
    assert parse_measure(name).trec_eval_name == name
    assert parse_measure("Accuracy").trec_eval_name == "Accuracy"


def test_external_names_in_any_case():
    pytest.importorskip("ir_measures")
    assert str(parse_measure("setp")) == "SetP"
    assert str(parse_measure("compat(p=0.8)")) == "Compat(p=0.8)"
    with pytest.raises(MeasureError, match="Compat@10: Compat of ir_measures has no parameter 'cutoff'; expected p, "):
        parse_measure("compat@10")


@pytest.mark.parametrize("text", ["nDCG@10", "AP(rel=2)", "RR", "P(rel=2)@5", "nDCG(dcg='exp-log2')@20", "SetP"])
def test_objects_of_ir_measures(text):
    ir_measures = pytest.importorskip("ir_measures")
    assert parse_measure(ir_measures.parse_measure(text)) == parse_measure(text)


def test_what_is_no_measure():
    with pytest.raises(MeasureError, match="text=7 cannot be used; expected a text such as 'nDCG@10', or a measure"):
        parse_measure(7)  # type: ignore[arg-type]


def test_a_name_in_two_measures_is_ambiguous():
    class Odd(RR):
        name = "rR"

    with pytest.raises(MeasureError, match="'Rr' may be RR or rR; expected one of these; write it in that case"):
        find_measure("Rr@10", {**BY_NAME, "rR": Odd})


@pytest.mark.parametrize(
    "text, hint",
    [
        ("ndcg_cut", "write ndcg_cut_10 or nDCG@10"),
        ("recall", "write recall_10 or R@10 or set_recall for whole lists"),
        ("success", "write success_10 or Success@10"),
    ],
)
def test_trec_eval_names_of_several_cutoffs(text, hint):
    with pytest.raises(MeasureError, match=hint):
        parse_measure(text)


@pytest.mark.parametrize(
    "text, hint",
    [
        ("all_trec", "all_trec is trec_eval's name for a group of measures; expected one; name each"),
        ("Official", "Official is trec_eval's name for a group of measures"),
        ("iprec_at_recall_0.10", "a measure of trec_eval that runoff lacks; expected another; write IPrec@0.1"),
        ("P.5,10", "found '.5'"),
    ],
)
def test_other_names_of_trec_eval(text, hint):
    with pytest.raises(MeasureError, match=hint):
        parse_measure(text)


@pytest.mark.parametrize("name", [*ALONE, *(f"{stem}_7" for stem in CUT)])
def test_there_and_back(name):
    assert parse_measure(name).trec_eval_name == name


def test_two_cutoffs_are_refused():
    with pytest.raises(MeasureError, match="RR\\(cutoff=5\\)@10 has two cutoffs; expected one; keep '@10' alone"):
        parse_measure("RR(cutoff=5)@10")


def test_parameter_of_another_measure_is_refused():
    with pytest.raises(MeasureError, match="nDCG has no parameter 'rel'; expected dcg, gains, cutoff"):
        parse_measure("nDCG(rel=2)@10")


@pytest.mark.parametrize(
    "text, close",
    [
        ("NCDG@10", "nDCG"), ("Sucess@5", "Success"), ("ndcg10", "nDCG@10"), ("mrr_10", "RR@10"),
        ("ndcg_10", "nDCG@10"), ("map_cutt_5", "AP@5"), ("R-prec", "Rprec"), ("recip_rank.10", "RR@10"),
        ("NCDG@10", "nDCG@10"), ("P10", "P@10\\?"),
    ],
)  # fmt: skip
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
