from runoff.reports.sections.leader import LEADER
from tests.reports.sections.made import inputs_of


def test_the_strip_of_ranks_is_left_to_the_chart():
    content = LEADER.content(inputs_of(3))
    assert [column.name for column in content.tables[0].columns] == ["run", "mean"]
    assert content.tables[0].notes == ("A note.",)
    assert [chart.name for chart in content.charts] == ["rank_heat_map"]
    assert content.paragraphs == ("More.",)


def test_one_run_has_no_ranks_to_draw():
    content = LEADER.content(inputs_of(1))
    assert (content.answer, content.charts) == ("run-000", ())
