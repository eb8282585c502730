"""The text of a measure: what is read, how it prints, what is refused, and agreement with ir_measures."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import MeasureError, RunoffError
from runoff.measures import AP, BY_NAME, MEASURES, RBP, RR, P, nDCG, parse_measure
from tests.measures.cases import VARIANTS

TYPED = (
    "RR@10",
    "MRR@10",
    "RR",
    "RR(rel=1)@10",
    "AP(rel=2)@100",
    "MAP",
    "nDCG@10",
    "NDCG@20",
    "nDCG(dcg='log2')@10",
    "nDCG(dcg='exp-log2')@10",
    "nDCG(gains={0:0,1:1,2:3})@10",
    "P@10",
    "Precision(rel=3)@5",
    "R@1000",
    "Recall@100",
    "Success@1",
    "RBP@10",
    "RBP(p=0.8)@10",
    "RBP(p=0.80)",
    "RBP(rel=2,p=0.95)",
    "RBP(p=0.5,gains={1:0.25,2:1})@10",
    "ERR@20",
    "ERR(max_grade=3)@20",
    "Rprec",
    "RPrec(rel=2)",
    "bpref",
    "Bpref",
    "Judged@10",
    "ESL@100",
)


ALIASES = {alias: kind.name for kind in MEASURES for alias in kind.aliases}


@pytest.mark.parametrize("text", TYPED)
def test_prints_as_typed_with_the_name_instead_of_an_alias(text):
    name = re.split(r"[(@]", text)[0]
    printed = text.replace(name, ALIASES.get(name, name), 1)
    assert str(parse_measure(text)) == repr(parse_measure(text)) == printed
    assert parse_measure(text) == parse_measure(printed)


@pytest.mark.parametrize("measure", VARIANTS, ids=str)
def test_measure_made_in_python_prints_text_that_reads_back(measure):
    assert parse_measure(str(measure)) == measure
    assert str(parse_measure(str(measure))) == str(measure)


def test_spaces_and_quotes_are_made_uniform():
    assert str(parse_measure(' nDCG ( dcg = "exp-log2" ) @ 10 ')) == "nDCG(dcg='exp-log2')@10"


def test_spelling_plays_no_part_in_equality():
    assert parse_measure("RBP@10") == parse_measure("RBP(p=0.8)@10") == RBP @ 10
    assert parse_measure("MRR@10") == RR @ 10
    assert len({parse_measure("RBP@10"), parse_measure("RBP(p=0.8)@10"), RBP(p=0.8, cutoff=10)}) == 1
    assert parse_measure("RR@10") != parse_measure("RR@100")
    assert parse_measure("AP(cutoff=10)") == AP @ 10
    assert parse_measure("nDCG(gains={2:3,1:1})") == nDCG(gains={1: 1, 2: 3})


def test_python_spelling():
    assert [str(measure) for measure in (nDCG @ 10, RBP(p=0.8) @ 10, RBP(p=0.9) @ 10, P(rel=2) @ 5, nDCG())] == [
        "nDCG@10",
        "RBP@10",
        "RBP(p=0.9)@10",
        "P(rel=2)@5",
        "nDCG",
    ]
    assert str(nDCG(gains={2: 3, 1: 1}) @ 10) == "nDCG(gains={1:1,2:3})@10"
    assert str(parse_measure("MRR@10") @ 20) == "RR@20"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "found the end; expected the name of a measure"),
        ("RR@", "found the end; expected a number after '@'"),
        ("RR@ten", "found 'ten'; expected a number after '@'"),
        ("RR@10 RR@20", "found 'RR'; expected the end"),
        ("RR@1 0", "found '0'; expected the end"),
        ("RR 10", "expected '\\(', '@' or the end"),
        ("RR(10)@10", "found '10'; expected the name of a parameter"),
        ("RR(rel)@10", "found '\\)'; expected '='"),
        ("RR(rel=", "found the end; expected a number"),
        ("RR(rel=2", "found the end; expected ',' or '\\)'"),
        ("RR(rel=2,)", "found '\\)'; expected the name of a parameter"),
        ("RR(rel=2,rel=3)", "found rel twice"),
        ("RR(rel=__import__('os'))", "found '__import__'; expected a number"),
        ("nDCG(gains={1:1,1:2})", "found grade 1; expected whole grades, each once"),
        ("nDCG(gains={1.5:1})", "found grade 1.5"),
        ("nDCG(gains={1=1})", "found '='; expected ':'"),
        ("RR@10;RR@20", "found ';'"),
        ("RR@10.0", r"cutoff=10.0 cannot be used; expected a whole number of 1 or more"),
        ("RR@0", "cutoff=0 cannot be used"),
        ("RR@-5", "cutoff=-5 cannot be used"),
        ("RR(rel=0)", "rel=0 cannot be used; expected a whole number from 1 to 127"),
        ("RR(rel='2')", "rel='2' cannot be used"),
        ("RR(rel=True)", "rel=True cannot be used"),
        ("RBP(p=1e999)", "p=inf cannot be used"),
        ("RR" * 300, "expected at most 500"),
    ],
)
def test_bad_text_is_explained(text, message):
    with pytest.raises(MeasureError, match=message):
        parse_measure(text)


@given(st.text(max_size=40) | st.from_regex(r"(RR|nDCG|RBP)[(a-z={}:,0-9.'\")]{0,12}@?[0-9]{0,3}", fullmatch=True))
def test_any_text_is_read_or_explained(text):
    try:
        measure = parse_measure(text)
    except RunoffError:
        return
    assert parse_measure(str(measure)) == measure


def test_names_and_aliases_are_those_of_ir_measures():
    ir_measures = pytest.importorskip("ir_measures")
    theirs: dict[str, set[str]] = {}
    for name, measure in ir_measures.measures.registry.items():
        theirs.setdefault(measure.NAME, set()).add(name)
    shared = [kind for kind in MEASURES if kind.name in theirs]
    assert len(shared) >= 11
    for kind in shared:
        assert {kind.name, *kind.aliases} - {"bpref"} == theirs[kind.name]
    for name, kind in BY_NAME.items():  # a measure of ours has no name of theirs
        assert kind.name in theirs or name not in ir_measures.measures.registry


@pytest.mark.parametrize(
    "text", [text for text in TYPED if not text.startswith(("ESL", "bpref", "ERR(", "RBP(p=0.5,gains"))]
)
def test_ir_measures_reads_the_same(text):
    ir_measures = pytest.importorskip("ir_measures")
    theirs, ours = ir_measures.parse_measure(text), parse_measure(text)
    theirs.validate_params()
    if "gains" not in text and "," not in text:
        assert repr(theirs) == ours._canonical()
    assert repr(ir_measures.parse_measure(ours._canonical())) == repr(ir_measures.parse_measure(repr(theirs)))
