"""Numbers with the digits of a board."""

from __future__ import annotations

from runoff.server.web.frame.numbers import interval_on, money, number


def test_places_on_a_line_stay_on_it():
    one = interval_on(0.0, 1.0, 0.5, scale=(0.0, 1.0))
    assert (float(one.low), float(one.at), float(one.high)) == (4.0, 50.0, 96.0)
    assert interval_on(0.5, 0.5, 0.5, scale=(0.5, 0.5)).at == "4.00"


def test_a_real_minus_sign():
    assert number(-0.25, 2) == "−0.25"


def test_an_amount_has_the_currency_that_was_named():
    assert money(0.5, "£") == "0.50 £"
    assert money(12) == "12.00"
