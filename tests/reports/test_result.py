"""A report as text, as JSON, as tables of a paper and as pictures for print."""

import pytest

from runoff.display import render
from runoff.verbs.report import ReportOptions, report
from tests.verbs.reported import write_reported


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    file = write_reported(tmp_path_factory.mktemp("result"), runs=4, queries=45)
    return report(file, options=ReportOptions(trials=30, splits=2, command="runoff report b.toml"))


def test_json_has_the_answers_and_the_board(made):
    content = made.to_dict()
    assert content["verdict"]["leader"] == content["runs"][0]["run"]
    assert [one["section"] for one in content["answers"]][:2] == ["verdict", "leader"]
    assert content["command"] == "runoff report b.toml"
    assert {file["role"] for file in content["files"]} >= {"board", "labels sparse", "queries public"}


@pytest.mark.parametrize("name", ["table", "json", "csv", "latex", "html", "markdown"])
def test_every_format(made, name):
    assert made.inputs.lead.leader in render(made, name)


def test_every_table_is_a_latex_file(made):
    files = dict(made.latex_files())
    assert len(files) == sum(len(content.tables) for _, content in made.sections)
    assert all("\\toprule" in text and name.endswith(".tex") for name, text in files.items())


def test_every_chart_is_a_picture_of_print_size(made):
    files = dict(made.figure_files(".svg"))
    assert {name.split("-", 2)[2] for name in files} >= {"rank_intervals.svg", "outcome_bars.svg", "timeline.svg"}
    assert all(content.startswith(b"<svg") for content in files.values())
