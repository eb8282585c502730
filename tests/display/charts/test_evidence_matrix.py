"""The chart of all evidence: a cell per line, a sign per side."""

import pytest

from runoff.display.charts import EvidenceMatrix
from runoff.errors import UsageError
from tests.display.charts.examples import evidence_of, names
from tests.display.charts.values import table_with


def test_cells_are_the_lines():
    found = evidence_of(["a", "b", "c"])
    cells = table_with(EvidenceMatrix(found).spec(), "line")
    assert len(cells) == 9
    words = {"challenger": "the challenger", "champion": "the champion", None: "neither"}
    for cell in cells:
        one = next(one for one in found if one.challenger == cell["challenger"])
        line = next(line for line in one.lines if line.label == cell["line"])
        assert cell["kind"] == words[line.speaks_for]


def test_text_has_a_sign_per_line():
    lines = EvidenceMatrix(evidence_of(["a", "b", "c"])).text_lines(40)
    assert lines == ["a  + · ·", "b  + − ·", "c  + − −"]


def test_many_pairs_are_cut_and_none_is_refused():
    assert EvidenceMatrix(evidence_of(names(60))).title.endswith("the first 40 of 60 pairs")
    with pytest.raises(UsageError, match="no evidence"):
        EvidenceMatrix([])
