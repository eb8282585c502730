"""What a calibration shows: words, a table per quantity, one long table, and keys."""

import json

import pytest

from runoff.results.calibration import CalibrationTablesResult, cell, promise
from runoff.simulation.calibration import CalibratedLine, CalibrationResult, Promise, Settings
from runoff.verdicts import Observation, calibration_verdicts


def line(key, mean, *, kind="at most", level=0.05, promised=True, queries=50, quantity="tests"):
    seen = Observation(kind=kind, level=level, boards=1000, mean=mean, error=0.005)
    return CalibratedLine(
        quantity=quantity, title=f"Of {quantity}",
        line=Promise(key=key, label=f"the {key}", kind=kind, level=level, promised=promised),
        queries=queries, boards=1000, mean=mean, error=0.005, verdict=calibration_verdicts([seen])[0],
    )  # fmt: skip


def result(*lines, left_out=()):
    return CalibrationTablesResult(
        calibration=CalibrationResult(
            measure="RR", source_queries=80, source_runs=9, sizes=(50, 500), boards=1000, settings=Settings(), seed=4,
            lines=lines, left_out=left_out,
        )
    )  # fmt: skip


GOOD = [line("t", 0.049), line("t", 0.051, queries=500), line("sign", 0.9, promised=False, queries=500)]
BAD = [line("t", 0.12), *GOOD[1:], line("rank", 0.9, kind="at least", level=0.95, quantity="board")]


@pytest.mark.parametrize(
    "one, text",
    [
        (line("t", 0.049), "4.9 ± 0.5 not refuted"),
        (line("t", 0.12), "12.0 ± 0.5 off by +7.0"),
        (line("t", 0.01), "1.0 ± 0.5 conservative"),
        (line("t", 0.9, kind="at least", level=0.95), "90.0 ± 0.5 off by -5.0"),
        (line("t", 0.7, kind="none", level=None), "70.0 ± 0.5"),
        (line("t", 0.1, kind="zero", level=0.0), "+0.1000 ± 0.0050"),
    ],
)
def test_cells(one, text):
    assert cell(one) == text


def test_promises_in_signs():
    assert promise(Promise(key="a", label="a", kind="at least", level=0.95)) == "≥ 95%"
    assert promise(Promise(key="a", label="a", kind="zero", level=0.0, promised=False)) == "(0)"
    assert promise(Promise(key="a", label="a", kind="none")) == ""


def test_what_is_refuted_is_named_and_the_error_is_said():
    assert result(*GOOD).opening(0) == (
        (
            "None of 2 promises is refuted by 1,000 simulated boards each of 50 and 500 queries (Monte Carlo errors of "
            "up to 0.5 points)."
        ),
    )
    assert result(*GOOD).not_refuted
    broken = result(*BAD, left_out=("verdicts",))
    assert not broken.not_refuted
    said, left = broken.opening(0)
    assert said.startswith("2 of 3 promises are refuted by 1,000 simulated boards")
    assert "Of tests, the t, 50 queries: 12.0 ± 0.5 off by +7.0 (≤ 5%)" in said
    assert left == "Not tested, because scores alone have no ranked lists: verdicts."


def test_nothing_holds_where_nothing_is_promised():
    (said,) = result(GOOD[-1]).opening(0)
    assert said == "No promise was tested on 1,000 simulated boards each of 50 and 500 queries."


def test_tables_stand_by_quantity_and_sizes_side_by_side():
    tests, board = result(*BAD).grids()
    assert tests.title == "Of tests: RR, from 9 runs over 80 queries"
    assert tests.rows == (
        ("the t", "≤ 5%", "12.0 ± 0.5 off by +7.0", "5.1 ± 0.5 not refuted"),
        ("the sign", "(≤ 5%)", None, "90.0 ± 0.5 off by +85.0"),
    )
    assert not tests.notes
    assert len(board.notes) == 2


def test_one_long_table_and_keys():
    found = result(*BAD)
    assert len(found.grid().rows) == 4
    assert (
        found.to_csv().splitlines()[0].startswith("quantity,key,statement,queries,kind,level,promised,observed,error")
    )
    content = json.loads(found.to_json())
    assert (content["not_refuted"], content["boards"], content["queries"], content["seed"]) == (
        False,
        1000,
        [50, 500],
        4,
    )
    assert content["source"] == {"queries": 80, "runs": 9}
    first = content["lines"][0]
    assert (first["quantity"], first["key"], first["verdict"], first["boards"]) == ("tests", "t", "off", 1000)
    assert first["off_by"] == pytest.approx(0.07)
    assert first["ci95"][0] < first["observed"] < first["ci95"][1]
