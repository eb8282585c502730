"""The audit as it is shown."""

from datetime import date

import pytest

from runoff import audit
from runoff.display.charts import Conditions
from runoff.results.audit_findings import rule_words
from runoff.tables import Board, BoardRun
from runoff.verbs.audit import AuditOptions
from tests.verbs.audited import WITH_FIELD, write_audited


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    file = write_audited(tmp_path_factory.mktemp("result"))
    return audit(file, options=AuditOptions(trials=100))


def test_the_findings_come_first(result):
    said = result.opening(80)
    assert said[0] == "Audit of Small board: 7 runs under 3 conditions (2 query sets, 2 label sets, 1 measure)."
    assert said[1].startswith("tuned 3 leads under 1 of 3 conditions (copy and fair 2 under 2); its expected rank is")
    assert said[4] == (
        "tuned 3 is significantly worse than the leader under the 2 conditions that other runs lead ('private, sparse' "
        "and 'private, deep')."
    )
    assert said[6].startswith("Of 6 submissions by 3 teams, 1 breaks the rule")
    assert said[8] == (
        "Whether Tuners or Fair overfitted cannot be judged: only one other team has two submissions or more, and 3 "
        "are needed."
    )
    assert said[9].startswith("On average the 2 teams changed by +0.")
    assert said[9].endswith("This gap is not an alarm: one set may simply be harder.")
    assert result.to_text(120).startswith(f"{said[0]}\n\ntuned 3 leads")


def test_the_main_table_is_that_of_the_ranks(result):
    assert result.grid() == result.grids()[0]
    assert result.to_csv().splitlines()[0] == "run,team,rank_public_sparse,rank_private_sparse,rank_private_deep,spread"
    assert result.to_frame().shape == (7, 6)


def test_every_format(result):
    assert result.to_latex().count("\\begin{tabular}") == len(result.grids()) == 10
    assert result.to_html().count("<table") == 10


def test_alarms_are_named(tmp_path):
    found = audit(write_audited(tmp_path, runs=WITH_FIELD), options=AuditOptions(trials=50))
    said = found.opening(80)
    assert said[8] == (
        "Overfitting alarm for 1 of 4 teams with two or more submissions. The leader's team, Tuners, is among them."
    )
    assert found.monitor is not None
    assert said[9] == found.monitor.teams[0].alarm.sentence
    assert said[10].startswith("On average the 4 teams changed by")
    assert "1 overfitting alarm" in found.headline()


def test_a_leader_that_has_no_alarm(tmp_path):
    file = write_audited(tmp_path, queries=("private", "public"), labels=("sparse",), runs=WITH_FIELD)
    found = audit(file, options=AuditOptions(trials=50))
    assert found.orders is not None
    assert found.orders.runs[0] == "copy"
    assert any("The leader's team, Third, is not among them." in said for said in found.opening(80))


def test_no_findings():
    runs = (
        BoardRun(name="a", team="A", date=date(2021, 1, 1), scores={"public": 0.5}),
        BoardRun(name="b", team="B", date=date(2021, 1, 1), scores={"public": 0.5}),
    )
    found = audit(Board(title="T", measure="RR@10", runs=runs))
    assert not found.has_findings
    assert found.opening(80) == (
        "Audit of T: 2 runs.",
        "No run has a file, so there is no order to look at.",
        f"Of 2 submissions by 2 teams, none breaks the rule ({rule_words(found.submissions.rule)}).",
        "This board has no private queries, so overfitting cannot be judged.",
    )
    assert [grid.title for grid in found.grids()] == ["Submissions"]
    assert found.grid().rows == ()


def test_no_alarm_is_no_proof(tmp_path):
    file = write_audited(tmp_path, runs=WITH_FIELD)
    file.write_text(file.read_text().replace("measure =", "alpha = 1e-300\nmeasure =", 1))
    found = audit(file, options=AuditOptions(trials=50))
    assert found.opening(80)[8] == (
        "No overfitting alarm for 4 teams with two or more submissions; that does not prove that none overfitted."
    )


def test_one_team_has_nobody_to_be_measured_by(tmp_path):
    found = audit(write_audited(tmp_path, runs=("fair 1", "fair 2")), options=AuditOptions(trials=50))
    assert not found.has_findings
    assert found.opening(80)[-1] == (
        "Whether Fair overfitted cannot be judged: no other team has two submissions or more, and 3 are needed."
    )


def test_the_chart_has_the_leaders_of_every_condition_and_the_baselines(tmp_path):
    result = audit(write_audited(tmp_path), options=AuditOptions(trials=20))
    chart = result.charts()[0]
    assert isinstance(chart, Conditions)
    assert chart.chosen == ("tuned 3", "copy", "fair 2", "base")
    asked = audit(write_audited(tmp_path), options=AuditOptions(trials=20, show=["fair 1"]))
    chart = asked.charts()[0]
    assert isinstance(chart, Conditions)
    assert chart.chosen == ("fair 1",)
    assert result.headline().startswith("leads under ")
