"""Differences name what changed, in few lines."""

import json

import pytest

from tests.golden.differences import MOST_CHANGES, MOST_LINES, difference

FIRST, SECOND = {"run": "a", "mean": 0.41}, {"run": "b", "mean": 0.3}
BOARD = {"measure": "RR@10", "runs": [FIRST, SECOND]}


def with_runs(*runs: dict[str, object]) -> dict[str, object]:
    return {"measure": "RR@10", "runs": list(runs)}


@pytest.mark.parametrize(
    "changed, shown",
    [
        (with_runs({"run": "a", "mean": 0.410000000001}, SECOND), "runs[0].mean: 0.41 -> 0.410000000001"),
        (with_runs(FIRST, {"mean": 0.3, "run": "b"}), "runs[1]: keys in another order: run -> mean, mean -> run"),
        (with_runs(FIRST), "runs: length 2 -> 1"),
        (with_runs(FIRST, {"run": "b"}), "runs[1].mean: 0.3 -> is gone"),
        ({**BOARD, "seed": 0}, "seed: is new -> 0"),
        ({**BOARD, "runs": None}, 'runs: [{"run": "a", "mean": 0.41}, {"run": "b", "mean": 0.3}] -> null'),
        (with_runs({"run": "a", "mean": "0.41"}, SECOND), 'runs[0].mean: 0.41 -> "0.41"'),
    ],
)
def test_json_is_compared_by_key_paths(changed, shown):
    assert difference("board.json", json.dumps(BOARD).encode(), json.dumps(changed).encode()) == shown


@pytest.mark.parametrize("one, other", [(b"1", b"1.0"), (b"0.0", b"-0.0"), (b"0", b"false")])
def test_equal_numbers_that_are_written_differently_are_a_change(one, other):
    assert difference("a.json", one, other) == f"all: {one.decode()} -> {other.decode()}"


def test_json_with_the_same_values_is_compared_by_lines():
    shown = difference("a.json", b'{"a": 1}', b'{"a":1}')
    assert shown.splitlines()[-2:] == ['-{"a": 1}', '+{"a":1}']
    assert difference("a.json", b"1\n", b"1\r\n") == "the same lines with other line ends"


def test_only_the_first_changes_are_shown():
    shown = difference("a.json", json.dumps([0] * 50).encode(), json.dumps([1] * 50).encode()).splitlines()
    assert (shown[0], shown[-1]) == ("[0]: 0 -> 1", f"... and {50 - MOST_CHANGES} more changes")
    lines = difference("a.txt", b"a\n" * 100, b"b\n" * 100).splitlines()
    assert len(lines) == MOST_LINES + 1
    assert lines[-1].endswith("more lines")


def test_text_is_compared_by_lines_and_long_ones_are_cut():
    shown = difference("a.txt", b"one\ntwo\nthree\n", b"one\ntwo\nfour" + b"r" * 1000)
    assert shown.splitlines()[2:5] == ["@@ -2,2 +2,2 @@", " two", "-three"]
    assert len(shown) < 400


def test_nothing_changed():
    assert difference("a.json", b"{", b"{") == ""
