"""Every argument of every public function: a wrong one is an error of runoff's own, with what to do."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import runoff
from runoff import arguments
from tests.arguments import EARLY, FILES, GOOD, LATE, QRELS, RUNS, WRONG

SLOW = {"report", "calibrate", "demo"}
"""A value that is right for one of their arguments takes seconds."""
STEPS = {"progress", "sent", "pause"}
"""Functions that are called: what they raise themselves is theirs."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def functions() -> list[str]:
    return [name for name in runoff.__all__ if inspect.isfunction(getattr(runoff, name))]


def parameters(verb: str) -> list[str]:
    return [name for name in inspect.signature(getattr(runoff, verb)).parameters if name not in STEPS]


def call(verb: str, **changed: Any) -> Any:
    return getattr(runoff, verb)(**{**GOOD[verb], **changed})


def test_every_function_is_tried():
    assert set(GOOD) == set(functions())


@pytest.mark.parametrize("verb", [verb for verb in sorted(GOOD) if verb not in SLOW])
def test_a_wrong_argument_is_an_error_of_our_own(verb):
    """Every parameter gets every wrong value; what is right for it there may work."""
    refused = 0
    for parameter in parameters(verb):
        for name, value in WRONG.items():
            try:
                call(verb, **{parameter: value()})
            except runoff.RunoffError as error:
                refused += bool(str(error))
            except Exception as error:
                raise AssertionError(f"{verb}({parameter}={name}) raised {error!r}") from error
    assert refused > len(WRONG) / 2


@pytest.mark.parametrize("verb", sorted(SLOW))
def test_a_wrong_argument_of_a_slow_function(verb):
    """Values that are wrong for all their parameters."""
    for parameter in parameters(verb):
        for name in ("a fraction", "nan", "an object", "a class", "a table of numbers", "a date", "a list of None"):
            with pytest.raises(runoff.RunoffError):
                call(verb, **{parameter: WRONG[name]()})


@pytest.mark.parametrize("verb", sorted(GOOD))
def test_arguments_that_do_not_fit_the_signature(verb):
    function, first = getattr(runoff, verb), next(iter(GOOD[verb]))
    with pytest.raises(
        runoff.UsageError, match=f"{verb} has no argument 'nosuch_name'; expected some of .*leave it out"
    ):
        function(**GOOD[verb], nosuch_name=1)
    with pytest.raises(runoff.UsageError, match=f"{verb}: 3 has no name; .*; write it as (NAME|measures)=3"):
        function(*[3] * 12)
    with pytest.raises(runoff.UsageError, match=f"{verb}: {first} is given twice"):
        function(1, **{first: 1})


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "evaluate: no qrels; expected runs, qrels; add qrels"),
        ({"qrels": QRELS, "measure": "AP"}, "no argument 'measure'.*did you mean measures?"),
        ({"qrels": QRELS, "queries": 3}, "queries=3 cannot be used; expected a list of texts; leave it out"),
        ({"qrels": QRELS, "queries": [1]}, r"queries=\[1\] cannot be used; expected a list of texts"),
        ({"qrels": QRELS, "queries": []}, "no queries are chosen; expected one or more; leave queries out"),
        (
            {"qrels": QRELS, "queries": "topics.txt"},
            "1 of 1 chosen queries are not in qrels, the first is 'topics.txt'",
        ),
        ({"qrels": QRELS, "measures": 3}, "measures=3 cannot be used; expected a text such as 'nDCG@10', or a measure"),
        ({"qrels": QRELS, "reading": "file"}, "reading='file' cannot be used; expected a ReadOptions"),
        ({"qrels": 3}, "qrels=3 cannot be used; expected qrels: a file, a frame, .* or a Qrels; change it"),
        ({"qrels": QRELS, "per_query": 3}, "per_query=3 cannot be used; expected True or False or a text or a path"),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(runoff.UsageError, match=message):
        runoff.evaluate(RUNS, **arguments)


def test_runs_and_qrels_that_are_swapped():
    run, qrels = runoff.read_run("run.txt"), runoff.read_qrels("qrels.txt")
    with pytest.raises(runoff.UsageError, match=r"runs is a Qrels; .* runs and qrels may be swapped: exchange them"):
        runoff.evaluate(qrels, run)  # type: ignore[call-overload]
    with pytest.raises(runoff.UsageError, match=r"measures is a Qrels; .*; give it as qrels"):
        runoff.board(RUNS, measures=qrels)  # type: ignore[call-overload]


def test_a_file_where_queries_are_expected(tmp_path):
    files: tuple[Any, ...] = (tmp_path / "queries.txt", "queries.txt")
    for queries in files:
        with pytest.raises(runoff.UsageError, match=r"read the file with runoff\.read_query_list"):
            runoff.evaluate(RUNS, QRELS, queries=queries)


def test_options_check_their_fields():
    for make in (runoff.ReadOptions, runoff.CompareOptions, runoff.Policy):
        with pytest.raises(runoff.UsageError, match="has no argument 'tie'"):
            make(tie=1)  # type: ignore[call-arg]
    with pytest.raises(runoff.UsageError, match="tie_rule='x' cannot be used; expected one of trec_eval, float32"):
        runoff.ReadOptions(tie_rule="x")  # type: ignore[arg-type]
    with pytest.raises(runoff.UsageError, match="trials=0 cannot be used; expected 1 or more"):
        runoff.CompareOptions(trials=0)


def test_one_text_is_one_item_and_many_come_in_any_collection():
    expected = runoff.evaluate(RUNS, QRELS, queries=["q1"], measures=["AP"]).to_dict()
    assert runoff.evaluate(RUNS, QRELS, queries="q1", measures="AP").to_dict() == expected
    two = runoff.evaluate(RUNS, QRELS, queries=("q1", "q2"), measures=("AP", "RR@10")).to_dict()
    many: tuple[Any, ...] = (iter(["q1", "q2"]), {"q1", "q2"}, np.array(["q1", "q2"]), {"q1": 1, "q2": 2}.keys())
    for queries in many:
        found = runoff.evaluate(RUNS, QRELS, queries=queries, measures=np.array(["AP", "RR@10"]).tolist())
        assert found.to_dict() == two


def test_numbers_of_numpy_are_numbers():
    assert runoff.check(RUNS, QRELS, depth=np.int64(3)).depth == 3  # type: ignore[arg-type]
    assert runoff.Policy(alpha=np.float64(0.01)).alpha == 0.01


def test_every_type_is_known_at_run_time():
    """Nothing is left unchecked because its type is imported for type checkers alone."""
    for verb in functions():
        function = inspect.unwrap(getattr(runoff, verb))
        types = arguments._types(function, function)
        assert [name for name, allowed in types.items() if allowed is Any and name != "return"] == [], verb


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["champion", "challenger", "qrels", "measures", "queries", "depth"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.tuples(inner, inner, inner)
            | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=8,
    ),
)
def test_whatever_is_given_only_our_own_errors_are_raised(parameter, value):
    with contextlib.suppress(runoff.RunoffError):
        runoff.compare(**{"champion": LATE, "challenger": EARLY, "qrels": QRELS, parameter: value})
