from dataclasses import replace

from runoff.display.charts import RankHeatMap
from runoff.reports.sections.leader import LEADER
from tests.reports.sections.made import Part, content_of, inputs_of


class Records(Part):
    """Records with Lin et al.'s tables behind their own."""

    def paper_grids(self):
        return (self.grid(), *(replace(self.grid(), title=f"Table {number}") for number in (1, 2)))


def test_the_first_runs_are_shown_at_once_and_the_rest_is_folded():
    shown = content_of(LEADER, inputs_of(12)).excerpt
    assert shown is not None
    assert [column.heading for column in shown.columns] == ["Run", "Mean", "95% interval"]
    assert (shown.title, len(shown.rows)) == ("The first 10 of 12 runs", 10)
    assert shown.rows[0][2] == "0.1000 to 0.2000"
    whole = content_of(LEADER, inputs_of(12)).tables[0]
    assert [column.name for column in whole.columns] == ["run", "mean", "low", "high", "p"]
    assert (len(whole.rows), whole.notes) == (12, ("A note.",))


def test_who_could_be_the_best_is_the_sentence():
    inputs = inputs_of(12)
    first, second = (inputs.ranks.runs[place] for place in inputs.ranks.order[:2])
    content = content_of(LEADER, inputs)
    assert content.sentence == f"2 of the 12 runs could be the best (95% confidence): {first} and {second}."
    assert content_of(LEADER, inputs_of(2)).sentence == "Any of the 2 runs could be the best (95% confidence)."
    assert content.paragraphs == ("It leads.", "More.")


def test_only_a_full_report_has_the_heat_map_and_the_tables_of_records():
    ranks = inputs_of(3).ranks
    board = Part(("It leads.",), ranks.runs, drawn=(RankHeatMap(ranks),), records=Records(("Two records.",)))
    content = content_of(LEADER, inputs_of(3, board=board))
    assert [grid.title for grid in content.tables] == ["Runs"]
    assert content.charts == ()
    content = content_of(LEADER, inputs_of(3, board=board, full=True))
    assert [grid.title for grid in content.tables] == ["Runs", "Records: Table 1", "Records: Table 2"]
    assert [chart.name for chart in content.charts] == ["rank_heat_map"]


def test_one_run_has_no_ranks_to_draw():
    content = content_of(LEADER, inputs_of(1, full=True))
    assert (content.answer, content.sentence, content.charts) == ("run-000", "It leads.", ())
