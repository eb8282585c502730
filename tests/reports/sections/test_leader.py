from dataclasses import replace

from runoff.reports.sections.leader import LEADER
from tests.reports.sections.made import Part, inputs_of


class Records(Part):
    """Records with Lin et al.'s tables behind their own."""

    def __init__(self):
        super().__init__(("Two records.",))

    def paper_grids(self):
        return (self.grid(), *(replace(self.grid(), title=f"Table {number}") for number in (1, 2)))


def test_the_strip_of_ranks_is_left_to_the_chart():
    content = LEADER.content(inputs_of(3))
    assert [column.name for column in content.tables[0].columns] == ["run", "mean"]
    assert content.tables[0].notes == ("A note.",)
    assert [chart.name for chart in content.charts] == ["rank_heat_map"]
    assert content.paragraphs == ("More.",)


def test_tables_of_the_records_are_named_so():
    content = LEADER.content(inputs_of(3, records=Records()))
    assert [grid.title for grid in content.tables] == ["Runs", "Records: Table 1", "Records: Table 2"]


def test_one_run_has_no_ranks_to_draw():
    content = LEADER.content(inputs_of(1))
    assert (content.answer, content.charts) == ("run-000", ())
