from runoff.display.charts import HalfSplits
from tests.display.charts.examples import names, reliability_of
from tests.display.charts.values import table_with


def test_parts_are_the_shares():
    found = reliability_of(names(5))
    rows = table_with(HalfSplits(found).spec(), "kind")
    drawn = [row["share"] for row in rows]
    assert drawn == [share for line in found.tests for share in (line.agree, line.partial, line.disagree)]
    assert rows[0]["test"] == "sign, better by mean"


def test_the_sentence_has_the_most_and_the_least():
    found = reliability_of(names(5))
    most, least = max(line.agree for line in found.tests), min(line.agree for line in found.tests)
    said = HalfSplits(found).summary
    assert f"({most:.1%}, disagree" in said
    assert f"({least:.1%}, disagree" in said


def test_bars_in_text_are_as_long_as_each_other():
    lines = HalfSplits(reliability_of(names(5))).text_lines(90)
    assert {len(line) for line in lines} == {90}
