"""Documents that a run lists twice: what each rule keeps, by its definition, in whatever form the run comes."""

import json
from functools import partial

import numpy as np
import polars as pl
import pytest

from runoff.choices import TIE_RULES
from runoff.errors import InputError, UsageError
from runoff.files.parquet import cut_qrels as cutting
from runoff.measures import parse_measure
from runoff.reading import sources as inputs
from runoff.reading.means import read_means
from runoff.reading.sources import ReadOptions, as_run
from runoff.reading.units import HereEngine, ResumedEngine
from runoff.verbs.evaluate import evaluate
from tests.files.samples import compared
from tests.files.sharded import write_shards

WHOLE = ("AP", "nDCG", "RR", "P@5", "R@10", "Success@1", "Rprec", "Bpref", "Judged@10", "ERR@10", "RBP(p=0.8)", "ESL@9")
SHORT = ("RR@3", "nDCG@3")
ROWS = ["query_id", "doc_id", "score"]


def random_rows(seed=0):
    """Rows with the queries in order, half of them repeats, and many equal scores, some under float32 alone."""
    random = np.random.default_rng(seed)
    scores = [round(float(score), 1) for score in random.normal(2, 1, 8)] + [31.0501639782451, 31.0501639782450]
    return [
        (f"{query}", f"d{random.integers(0, 15)}", float(random.choice(scores)))
        for query in range(10, 30)
        for _ in range(int(random.integers(1, 25)))
    ]


def random_labels(seed=1):
    random = np.random.default_rng(seed)
    return [
        (f"{query}", f"d{doc}", int(random.integers(0, 4)))
        for query in range(12, 32)
        for doc in random.permutation(15)[:6]
    ]


def kept_by(rule, rows, tie_rule):
    """A slow reader: of the rows of a document for a query the first, or the first with the highest score."""
    kept: dict[tuple[str, str], tuple[int, float]] = {}
    for place, (query, doc, score) in enumerate(rows):
        before = kept.get((query, doc))
        if before is None or (rule == "best" and compared(score, tie_rule) > compared(before[1], tie_rule)):
            kept[query, doc] = place, score
    return [rows[place] for place, _ in sorted(kept.values())]


def text_of(rows):
    return "".join(f"{query} Q0 {doc} 1 {score!r} t\n" for query, doc, score in rows).encode()


def frame_of(rows):
    return pl.DataFrame(rows, schema=ROWS, orient="row")


def numbers_of(result):
    """Every score, and what is known of the run but for what was dropped; as text, in which NaN equals itself."""
    facts = dict(result.to_dict()["runs"][0], run="", dropped_duplicates=0)
    return json.dumps([[scores.values.tolist() for scores in result.scores], facts])


def dropped_of(result):
    return result.to_dict()["runs"][0]["dropped_duplicates"]


@pytest.mark.parametrize("tie_rule", TIE_RULES)
@pytest.mark.parametrize("rule", ["first", "best"])
def test_every_form_by_the_definition(tmp_path, rule, tie_rule):
    rows, labels = random_rows(), random_labels()
    shuffled = [rows[place] for place in np.random.default_rng(2).permutation(len(rows))]
    whole = ReadOptions(tie_rule=tie_rule, duplicates=rule)
    parts = ReadOptions(tie_rule=tie_rule, duplicates=rule, part_rows=25)
    resumed = ReadOptions(
        tie_rule=tie_rule, duplicates=rule, part_rows=25, engine=ResumedEngine(HereEngine(), tmp_path / "state")
    )
    for name, some in (("in order", rows), ("shuffled", shuffled)):
        (tmp_path / f"{name}.run").write_bytes(text_of(some))
        folder = write_shards(frame_of(some), tmp_path / name, [40, 41, 150])
        stripped = kept_by(rule, some, tie_rule)
        forms = [
            (tmp_path / f"{name}.run", whole), (tmp_path / f"{name}.run", resumed), (text_of(some), whole),
            (folder, whole), (folder, parts), (folder, resumed), (folder, resumed), (frame_of(some), whole),
            (frame_of(some).to_pandas(), whole), (some, whole), (as_run(some, reading=whole), None),
        ]  # fmt: skip
        for measures in (WHOLE, SHORT):
            expected = evaluate(text_of(stripped), labels, measures=measures, reading=ReadOptions(tie_rule=tie_rule))
            assert dropped_of(expected) == 0
            for form, reading in forms:
                found = evaluate(form, labels, measures=measures, reading=reading)
                assert numbers_of(found) == numbers_of(expected)
                assert dropped_of(found) == len(some) - len(stripped) > 90


@pytest.mark.parametrize("rule", ["first", "best"])
@pytest.mark.parametrize("measures", [WHOLE, SHORT])
def test_labels_that_are_cut_like_the_run(tmp_path, monkeypatch, rule, measures):
    """A part of the run is read again for each part of the labels, and its dropped rows count once."""
    monkeypatch.setattr(inputs, "cut_qrels", partial(cutting.cut_qrels, step=2))
    rows, chosen = random_rows(), [parse_measure(measure) for measure in measures]
    stripped = kept_by(rule, rows, "trec_eval")
    labels = pl.DataFrame(random_labels(), schema=["query_id", "doc_id", "relevance"], orient="row")
    qrels = str(write_shards(labels, tmp_path / "qrels", [50]))
    run = str(write_shards(frame_of(rows), tmp_path / "run", [40, 41, 150]))
    expected = evaluate(stripped, random_labels(), measures=measures)
    for part_rows in (15, 60, 119):
        for engine in (None, *2 * [ResumedEngine(HereEngine(), tmp_path / "state")]):
            reading = ReadOptions(duplicates=rule, part_rows=part_rows, engine=engine)
            streamed = read_means([run], qrels, chosen, reading=reading)
            assert streamed is not None
            assembled = evaluate(run, qrels, measures=measures, reading=reading)
            assert numbers_of(assembled) == numbers_of(expected)
            assert json.dumps(streamed.to_dict()) == json.dumps(assembled.to_dict())
            assert streamed.to_text(100) == assembled.to_text(100)
            assert dropped_of(assembled) == len(rows) - len(stripped)


def test_an_error_unless_a_rule_is_chosen(tmp_path):
    rows = [("q", "a", 1.0), ("q", "b", 3.0), ("q", "a", 2.0)]
    write_shards(frame_of(rows), tmp_path / "shards")
    for form in (text_of(rows), frame_of(rows), rows, tmp_path / "shards"):
        for reading in (None, ReadOptions(duplicates="error")):
            with pytest.raises(InputError, match=r"document 'a' .* twice for query 'q', first in line 1"):
                evaluate(form, {"q": {"a": 1}}, reading=reading)


def test_what_is_said():
    once = as_run([("q", "a", 1.0), ("q", "b", 3.0)], name="once")
    rows = [("q", "a", 1.0), ("q", "b", 3.0), ("q", "a", 2.0), ("q", "a", 4.0)]
    first, best = (as_run(rows, name=rule, reading=ReadOptions(duplicates=rule)) for rule in ("first", "best"))
    found = evaluate([once, first, best], {"q": {"a": 1}}, measures=["RR@10"])
    assert {facts.run: facts.dropped for facts in found.facts} == {"once": 0, "first": 2, "best": 2}
    assert [found.mean(run, "RR@10") for run in ("once", "first", "best")] == [0.5, 0.5, 1.0]
    told = "Rows dropped, whose documents are listed more than once for a query:"
    assert list(found.grid().notes[-2:]) == [
        f"{told} first 2; the first row of each was kept.",
        f"{told} best 2; the best-scored row of each was kept.",
    ]
    assert not any("dropped" in note for note in evaluate(once, {"q": {"a": 1}}).grid().notes)


def test_dropped_rows_of_other_queries_count_too():
    rows = [("q", "a", 1.0), ("other", "a", 1.0), ("other", "a", 1.0)]
    assert dropped_of(evaluate(rows, {"q": {"a": 1}}, reading=ReadOptions(duplicates="first"))) == 1


def test_a_run_that_was_read_with_another_rule():
    rows = [("q", "a", 1.0), ("q", "a", 2.0)]
    first = as_run(rows, name="r", reading=ReadOptions(duplicates="first"))
    with pytest.raises(UsageError) as caught:
        evaluate(first, {"q": {"a": 1}}, reading=ReadOptions(duplicates="best"))
    assert str(caught.value) == (
        "run 'r' was read with duplicates='first', by which rows were dropped; expected 'best'; read it again with "
        "that rule"
    )
    assert dropped_of(evaluate(first, {"q": {"a": 1}}, reading=ReadOptions(duplicates="first"))) == 1
    assert dropped_of(evaluate(first, {"q": {"a": 1}}, reading=ReadOptions())) == 1
    nothing = as_run(rows[:1], reading=ReadOptions(duplicates="first"))
    assert dropped_of(evaluate(nothing, {"q": {"a": 1}}, reading=ReadOptions(duplicates="best"))) == 0


def test_an_unknown_rule(tmp_path):
    rows = [("q", "a", 1.0)]
    write_shards(frame_of(rows), tmp_path / "shards")
    for form in (text_of(rows), rows, tmp_path / "shards"):
        with pytest.raises(UsageError, match="duplicates='last' cannot be used; expected one of error, first"):
            evaluate(form, {"q": {"a": 1}}, reading=ReadOptions(duplicates="last"))  # type: ignore[arg-type]
