"""Results are complete: whatever shows one calls no function of a numeric layer."""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

import runoff
from runoff import CompareOptions
from runoff.display import FORMAT_NAMES, render
from runoff.significance import PairedT
from runoff.verbs._board_evidence import board_evidence
from runoff.verbs.board import BoardOptions, board_of
from runoff.verbs.calibrate import CalibrationOptions
from runoff.verbs.pool import PoolOptions, one_pair
from runoff.verbs.reliability import reliability
from tests.verbs.audited import write_audited
from tests.verbs.boards import HISTORY, data_of
from tests.verbs.comparisons import (
    clear_comparison,
    compare,
    compare_ipso,
    compare_scores,
    comparison_of,
    qrels_of,
    run_of,
    trade_off,
)
from tests.verbs.tallied import ANSWERS, CARELESS, MADE, QRELS, RUNS

ROOT = Path(runoff.__file__).parent
NUMERIC = ("measures", "significance", "comparisons", "boards", "preferences")
FACES = ("to_dict", "to_json", "to_text", "to_csv", "to_latex", "to_markdown", "to_html", "to_frame", "_repr_html_")
QUESTION = CompareOptions(measures=["RR@10", "AP"])
SMALL = CalibrationOptions(sizes=[20], boards=10, only=["tests"], trials=50)
FIRST, SECOND = [1, 2, 3, 0, 1] * 6, [2, 1, 3, 4, 1] * 6


def several() -> Any:
    runs = [run_of(name, ranks) for name, ranks in (("a", SECOND), ("b", [1] * 30))]
    return compare(run_of("old", FIRST), runs, qrels_of(30), options=QUESTION)


def alone() -> Any:
    return comparison_of(FIRST, SECOND, options=QUESTION)


@cache
def board() -> Any:
    question = CompareOptions(measures=["RR@10", "AP"])
    options = BoardOptions(order="verdict", interval_scaled=True)
    return board_of(data_of(HISTORY, dated=True, options=question), trials=50, options=options)


def audited() -> Any:
    with TemporaryDirectory() as folder:
        return runoff.audit(write_audited(Path(folder)))


def three_runs() -> list[Any]:
    return [run_of(name, ranks) for name, ranks in (("a", FIRST), ("b", SECOND), ("c", [1] * 30))]


RESULTS: dict[str, Callable[[], Any]] = {
    "compare": alone,
    "compare, clear": clear_comparison,
    "compare, a trade-off": lambda: trade_off(measures="nDCG@10"),
    "compare, evidence": lambda: alone().evidence_table(),
    "compare, resolution": lambda: alone().resolution_table(),
    "compare several": several,
    "compare several, evidence": lambda: several().evidence_table(),
    "board": board,
    "board, rank table": lambda: board().rank_table(),
    "board, interval-scaled": lambda: board().interval_scaled,
    "board, resolution": lambda: board().resolution,
    "board, records": lambda: board().records,
    "board, evidence": lambda: board_evidence(board()),
    "audit": audited,
    "evaluate": lambda: runoff.evaluate(three_runs(), qrels_of(30), measures=["RR@10", "AP"]),
    "ipso": lambda: compare_ipso(three_runs()[0], three_runs()[1], qrels_of(30), depth=5),
    "ipso of a board": lambda: runoff.ipso(three_runs(), qrels_of(30)),
    "reliability": lambda: reliability(three_runs(), qrels_of(30), measures="RR@10"),
    "scale": lambda: runoff.scale("RR@4"),
    "tally": lambda: runoff.tally(CARELESS, tasks=MADE.tasks, runs=RUNS, qrels=QRELS, one_pair=RUNS[0]),
    "tally without runs": lambda: runoff.tally(ANSWERS),
    "calibrate": lambda: runoff.calibrate(three_runs(), qrels_of(30), options=SMALL),
    "pool": lambda: runoff.pool(RUNS, QRELS, options=PoolOptions(sample=3)),
    "pool, one pair": lambda: one_pair(RUNS[0], QRELS),
    "tasks": lambda: MADE,
    "maintain": lambda: runoff.maintain(RUNS, QRELS, judgments=ANSWERS),
    "compare scores": lambda: compare_scores(alone().scores, "champion", ["challenger"]),
}
"""A result of every verb that is done, by what was asked for: add yours."""


WORDS = {"Family.__str__", "Measure.__str__", "spoken_correction"}
"""Functions that compute nothing: they write a value in words."""


@contextmanager
def no_numbers() -> Iterator[None]:
    """Any call of a function of a numeric layer is an error; to read an attribute of a number is none."""
    called: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and _is_numeric(code) and code not in attributes and code.co_qualname not in WORDS:
            called.append(f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}")

    attributes = _attributes()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
    assert not called, f"computed while it was shown: {', '.join(dict.fromkeys(called))}"


def _is_numeric(code: CodeType) -> bool:
    path = Path(code.co_filename)
    # Bodies of classes and modules are no functions: they run when a module is imported for the first time.
    is_function = bool(code.co_flags & 1) and not code.co_name.startswith("<")
    return is_function and path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in NUMERIC


def _attributes() -> set[CodeType]:
    """The code of all properties of the numeric layers."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("runoff.")]
    classes = [kind for module in modules for kind in _classes(module)]
    members = [member for kind in classes for member in vars(kind).values()]
    getters = [one.fget for one in members if isinstance(one, property)]
    getters += [one.func for one in members if isinstance(one, cached_property)]
    return {inspect.unwrap(getter).__code__ for getter in getters if getter is not None}


def _classes(module: ModuleType) -> list[type]:
    return [value for value in vars(module).values() if isinstance(value, type)]


@pytest.mark.parametrize("name", RESULTS)
def test_showing_computes_nothing(name):
    result = RESULTS[name]()
    with no_numbers():
        for face in FACES:
            getattr(result, face)()
        for form in FORMAT_NAMES:
            render(result, form)
        for chart in result.charts():
            assert chart.to_json()
            assert chart.to_text()


def test_computing_while_showing_is_noticed():
    class Lazy(type(alone())):  # type: ignore[misc]
        def to_dict(self):
            return {"p": PairedT().compare([0.0, 1.0, 1.0], [1.0, 0.0, 0.5]).p}

    fields = vars(alone())
    with pytest.raises(AssertionError, match=r"computed while it was shown: significance/.*PairedT"), no_numbers():
        Lazy(**fields).to_json()
