import pytest

from runoff.comparisons import relations_of_all
from runoff.display.charts import Hasse, RelationGrid
from runoff.errors import UsageError
from tests.display.charts.values import table_with

WORDS = {1: "never worse", -1: "never better", 0: "equal", 2: "non-separable"}


def test_cells_are_the_relations():
    found = relations_of_all(3)
    cells = table_with(RelationGrid(found).spec(), "kind")
    assert len(cells) == 64
    drawn = {(cell["row"], cell["column"]): cell["kind"] for cell in cells}
    for row, one in enumerate(found.serps):
        for column, other in enumerate(found.serps):
            assert drawn[one, other] == WORDS[int(found.relations[row, column])]


def test_figure_2_in_characters():
    assert RelationGrid(relations_of_all(3)).text_lines(40) == [
        "000  = ≤ ≤ ≤ ≤ ≤ ≤ ≤",
        "001  ≥ = ≤ ≤ ≤ ≤ ≤ ≤",
        "010  ≥ ≥ = ≤ ≤ ≤ ≤ ≤",
        "011  ≥ ≥ ≥ = × ≤ ≤ ≤",
        "100  ≥ ≥ ≥ × = ≤ ≤ ≤",
        "101  ≥ ≥ ≥ ≥ ≥ = ≤ ≤",
        "110  ≥ ≥ ≥ ≥ ≥ ≥ = ≤",
        "111  ≥ ≥ ≥ ≥ ≥ ≥ ≥ =",
    ]


def test_words():
    assert RelationGrid(relations_of_all(3)).summary == (
        "Of the 8 lists of 3, every list equals itself, 27 pairs must be ordered alike by every measure, and 1 is "
        "non-separable, such as 100 and 011."
    )
    assert RelationGrid(relations_of_all(2)).summary.endswith("by every measure, and 0 are non-separable.")


def test_signs_are_written_where_they_have_room():
    assert len(RelationGrid(relations_of_all(4)).spec()["layer"]) == 2
    deep = RelationGrid(relations_of_all(6))
    assert len(deep.spec()["layer"]) == 1
    named = deep.spec()["layer"][0]["encoding"]["y"]["axis"]["values"]
    assert (named[0], named[1], named[-1], len(named)) == ("000000", "001000", "111111", 9)
    assert deep.text_lines(40)[-1] == "The first 32 of 64 columns."


@pytest.mark.parametrize("kind", [RelationGrid, Hasse])
def test_too_many_lists_are_refused(kind):
    with pytest.raises(UsageError, match="the 128 lists of 7 are too many for a picture; expected a depth to 6"):
        kind(relations_of_all(7))
