"""Numbers with the digits of a board."""

from __future__ import annotations

from runoff.reports.grid import Column, Grid
from runoff.web.frame.numbers import interval_on, number, with_digits


def test_fewer_digits_also_in_what_is_saved():
    columns = [Column("run", "Run"), Column("mean", "RR@10", "number"), Column("p", "p", "p")]
    grid = Grid(title="T", columns=columns, rows=[["a", 0.123456, 0.01234]])
    found = with_digits(grid, 2)
    assert found.rows[0][1] == 0.12
    assert found.rows[0][2] == 0.01234
    assert found.columns[1].places == 2


def test_places_on_a_line_stay_on_it():
    one = interval_on(0.0, 1.0, 0.5, scale=(0.0, 1.0))
    assert (float(one.low), float(one.at), float(one.high)) == (4.0, 50.0, 96.0)
    assert interval_on(0.5, 0.5, 0.5, scale=(0.5, 0.5)).at == "4.00"


def test_a_real_minus_sign():
    assert number(-0.25, 2) == "−0.25"
