"""Orders of queries: what comes before what, and what has no place."""

import polars as pl
import pytest

from runoff.files.query_order import OutOfOrderError, is_rising, key_of

RISING = [
    (["9", "10", "11"], ["number"]),
    (["10", "11", "9"], ["text"]),
    (["10", "11", "12"], ["number", "text"]),
    (["q10", "q9", "é"], ["text"]),
    (["7", "07"], []),
    (["1", "1"], []),
    (["1", None], []),
    (["2" * 18, "3" * 19], ["text"]),
    ([], ["number", "text"]),
]


@pytest.mark.parametrize("ids, orders", RISING)
def test_the_orders_that_some_ids_are_in(ids, orders):
    assert [order for order in ("number", "text") if is_rising(pl.Series(ids, dtype=pl.String), order)] == orders


@pytest.mark.parametrize("query_id", ["", "q1", "-1", "01", "1 ", "²"])
def test_no_number(query_id):
    with pytest.raises(OutOfOrderError):
        key_of("number")(query_id)
    assert key_of("text")(query_id) == query_id
