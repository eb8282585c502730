import pytest

from runoff.boards.scales import scale
from runoff.display.charts import ScaleValues
from runoff.measures import ERR, RR, P, Success
from tests.display.charts.values import table_with


@pytest.mark.parametrize("measure", [RR @ 3, P @ 5, ERR @ 3, Success @ 1])
def test_ticks_are_the_values_and_their_equal_steps(measure):
    found = scale(measure)
    rows = table_with(ScaleValues(found).spec(), "equal")
    top = [row for row in rows if row["row"] == "attainable"]
    assert [row["value"] for row in top] == found.values.tolist()
    assert [row["equal"] for row in top] == found.interval_values.tolist()
    span = found.values[-1] - found.values[0]
    assert [row["at"] for row in top] == pytest.approx(((found.values - found.values[0]) / span).tolist())


def test_words():
    assert ScaleValues(scale(RR @ 3)).title == "RR@3 takes unequal steps"
    assert ScaleValues(scale(RR @ 3)).summary == (
        "RR@3 has 4 values from 0.0000 to 1.0000. Its steps are from 0.1667 to 0.5000, the largest between 0.5000 and "
        "1.0000: it is not an interval scale of these lists."
    )
    assert ScaleValues(scale(P @ 5)).summary.endswith("all 0.2000 apart: it is an interval scale of these lists.")


def test_text():
    assert ScaleValues(scale(RR @ 3)).text_lines(29) == [
        "attainable      ┼───┼─┼─────┼",
        "in equal steps  ┼───┼───┼───┼",
        "                0           1",
    ]


def test_many_values_are_not_joined():
    few, many = ScaleValues(scale(RR @ 10)).spec(), ScaleValues(scale(ERR @ 10)).spec()
    assert sum("top" in layer["data"]["values"][0] for layer in few["layer"] if layer["data"]["values"]) == 1
    assert sum("top" in layer["data"]["values"][0] for layer in many["layer"] if layer["data"]["values"]) == 0
