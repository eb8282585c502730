"""The report of published means: what can be said is said, and the rest is named with its reason."""

import json
from pathlib import Path

import pytest

import runoff
from runoff import UsageError
from runoff.verbs._published_report import UNKNOWN
from runoff.verbs.board import import_board
from runoff.verbs.report import published_report

RUN = '[[runs]]\nname = "{0}"\nteam = "T"\ndate = 2021-01-0{1}\nscores = {{ public = {2}, private = {3} }}\n'
RUNS = (("a", 1, 0.3, 0.2), ("b", 2, 0.2, 0.4), ("c", 3, 0.4, 0.3))


def written(path: Path, runs=RUNS) -> Path:
    path.write_text('title = "T"\nmeasure = "RR@10"\n' + "".join(RUN.format(*run) for run in runs))
    return path


@pytest.fixture
def result(tmp_path):
    return published_report(written(tmp_path / "board.toml"), command="runoff report board.toml")


def test_what_is_known_is_said_and_the_rest_is_named(result):
    contents = {section.name: content for section, content in result.sections}
    assert list(contents) == ["verdict", "leader", "doubts", "elsewhere", "origin"]
    assert contents["verdict"].answer == "not known: only means were published"
    assert contents["verdict"].sentence.startswith("b leads 3 runs with a published RR@10 of 0.4000 on the private")
    assert "add the labels as [labels.NAME]" in contents["verdict"].paragraphs[0]
    assert contents["doubts"].sentence == UNKNOWN
    assert contents["leader"].excerpt.values("run") == ("b", "c", "a")
    assert [chart.name for chart in contents["leader"].charts] == ["timeline"]
    assert [file.role for file in result.origin.files] == ["board"]


def test_the_orders_of_both_sets_of_queries(result):
    said = {section.name: content for section, content in result.sections}["elsewhere"]
    # c a b on public and b c a on private: two of the three pairs of runs are the other way round, tau = (1 - 2) / 3
    assert said.sentence == (
        "By the published means b leads on the private queries and c on the public ones. The two orders of the 3 runs "
        "with both means have a Kendall's tau of -0.33; 1 is the same order."
    )
    assert said.answer == "leads on private by the published means; 1 submission against the rule"
    assert any(grid.title == "Changes of published means" for grid in said.tables)


def test_one_leader_and_one_set_of_queries(tmp_path):
    runs = [("a", 1, 0.1, 0.1), ("b", 2, 0.2, 0.2)]
    said = published_report(written(tmp_path / "board.toml", runs)).opening(0)
    assert any("b leads on the private queries and on the public ones." in one for one in said)
    path = tmp_path / "one.toml"
    path.write_text('title = "T"\nmeasure = "RR@10"\n[[runs]]\nname = "a"\nscores = { private = 0.5 }\n')
    alone = published_report(path, title="Other")
    assert any("for the private queries alone" in one for one in alone.opening(0))
    assert (alone.title, alone.about) == ("Other", "1 run by published RR@10 on the private queries")
    assert "timeline" not in alone.to_page()


def test_page_json_and_files(result):
    page = result.to_page()
    assert "3 runs by published RR@10 on the private queries" in page
    content = json.loads(result.to_json())
    assert [one["section"] for one in content["answers"]] == [section.name for section, _ in result.sections]
    assert [run["run"] for run in content["runs"]] == ["b", "c", "a"]
    assert content["command"] == "runoff report board.toml"
    assert "leader-1.tex" in dict(result.latex_files())
    assert [name for name, _ in result.figure_files(".svg")] == ["leader-1-timeline.svg"]


def test_a_board_with_files_is_another_report(tmp_path):
    path = tmp_path / "board.toml"
    path.write_text('title = "T"\nmeasure = "RR@10"\n[labels.l]\npath = "q"\n[[runs]]\nname = "a"\npath = "a.run"\n')
    with pytest.raises(UsageError, match="expected published means alone; see `runoff report`"):
        published_report(path)
    means = written(tmp_path / "means.toml")
    assert runoff.report(means).to_dict() == published_report(means).to_dict()


def test_the_ms_marco_table(tmp_path, shared_data):
    path = tmp_path / "board.toml"
    import_board(shared_data / "msmarco" / "document-leaderboard.csv", path)
    result = published_report(path)
    assert result.headline.startswith("20220208-cmu leads 117 runs with a published RR@100 of 0.4460")
    facts = {section.name: content for section, content in result.sections}["verdict"].facts
    assert [(fact.name, fact.value) for fact in facts][2:] == [("Runs", "117"), ("Records", "17")]
