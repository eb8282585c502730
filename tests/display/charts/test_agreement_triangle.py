import numpy as np
import pytest

from runoff.display.charts import AgreementCase, AgreementTriangle
from runoff.display.charts.ipso_agreement import WORDS
from runoff.errors import UsageError
from runoff.verdicts import AGREEMENTS
from tests.display.charts.agreements import agreement_of
from tests.display.charts.examples import names, triangle_of
from tests.display.charts.values import table_with


def test_cells_are_the_pairs_in_the_order_of_the_means():
    result, runs, order = agreement_of(4), ["a", "b", "c", "d"], [2, 0, 3, 1]
    cells = table_with(AgreementTriangle(AgreementCase("P@5", "t", 5, result), runs, order).spec(), "kind")
    pairs = {frozenset((runs[i], runs[j])): kind for i, j, kind in zip(
        *np.triu_indices(4, 1), result.found.tolist(), strict=True)}  # fmt: skip
    assert len(cells) == 6
    for cell in cells:
        assert cell["kind"] == WORDS[AGREEMENTS[pairs[frozenset((cell["name"], cell["other"]))]]]
        # the better mean is the column
        assert order.index(runs.index(cell["other"])) == cell["column"] - 1 < order.index(runs.index(cell["name"]))


def test_the_text_is_a_triangle():
    chart = triangle_of(names(5))
    lines = chart.text_lines(80)
    assert [line.split()[:2] for line in lines] == [[str(at + 1), f"run-00{at}"] for at in range(5)]
    assert [len(line.split(maxsplit=2)[2]) if at else 0 for at, line in enumerate(lines)] == [0, 1, 2, 3, 4]


def test_a_triangle_wider_than_the_page_says_so():
    lines = triangle_of(names(60)).text_lines(40)
    assert lines[-1] == "The first 28 of 60 columns."
    assert len(lines) == 61


def test_words():
    chart = triangle_of(names(5))
    assert chart.title == "Where do IPSO and the test agree? P@10, t test, depth 10"
    counts = chart.case.result.counts
    said = chart.summary
    assert f"on 10 pairs of 5 runs: both yes {counts['both_yes']}, both no {counts['both_no']}," in said
    told = int((chart.case.result.found[:4] == 0).sum())
    assert said.endswith(
        f"By both, run-000, the best by its mean, is significantly different from {told} of the 4 other runs shown."
    )


def test_other_runs_than_those_of_the_pairs_are_refused():
    case = AgreementCase("P@5", "t", 5, agreement_of(4))
    with pytest.raises(UsageError, match="6 pairs and an order of 3 for 3 runs; expected 3 pairs"):
        AgreementTriangle(case, names(3), range(3))
    with pytest.raises(UsageError, match="every run once"):
        AgreementTriangle(case, names(4), [0, 1, 2, 2])
