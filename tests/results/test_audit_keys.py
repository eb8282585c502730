"""The JSON of an audit: stable keys, numbers at full precision."""

import json
from dataclasses import asdict

import pytest

from runoff import audit
from runoff.results.audit_leaders import leader_tests
from runoff.tables import Board, BoardRun
from runoff.verbs.audit import AuditOptions
from tests.verbs.audited import RUNS, WITH_FIELD, write_audited


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    file = write_audited(tmp_path_factory.mktemp("keys"))
    return audit(file, options=AuditOptions(trials=100, show=["base"]))


@pytest.fixture(scope="module")
def content(result):
    return json.loads(result.to_json())


def test_the_keys(content):
    assert list(content) == [
        "title", "measure", "trials", "seed", "findings", "conditions", "left_out", "runs", "taus", "submissions",
        "violations", "near_duplicates", "overfitting", "published",
    ]  # fmt: skip
    assert content["left_out"] == [{"query_set": "public", "labels": "deep"}]
    assert content["published"] == []


def test_conditions(content, result):
    assert content["conditions"][2] == {
        "name": "private, deep",
        "query_set": "private",
        "labels": "deep",
        "measure": "RR@10",
        "relevance_level": 1,
        "queries": 60,
        "set_queries": 100,
        "leaders": ["copy", "fair 2"],
        "leader_tests": [asdict(test) for test in leader_tests(result.orders, 2)],
    }
    assert [(one["run"], one["against"], one["is_baseline"]) for one in content["conditions"][2]["leader_tests"]] == [
        ("tuned 3", "copy", False), ("tuned 3", "fair 2", False), ("tuned 3", "base", True),
    ]  # fmt: skip


def test_runs(content, result):
    assert [run["run"] for run in content["runs"]] == list(result.orders.runs)
    assert [run["run"] for run in content["runs"] if run["shown"]] == ["base"]
    for run in content["runs"]:
        place = list(RUNS).index(run["run"])
        for column, condition in enumerate(result.scored.conditions):
            assert run["means"][condition.name] == pytest.approx(condition.scores.means[place])
            expected = result.orders.generalization.expected_ranks[place, column]
            assert run["expected_ranks"][condition.name] == expected
            low, high = run["rank_intervals"][condition.name]
            assert low <= expected <= high
            assert run["rank_sets"][condition.name] == result.orders.decisions[column].rank_sets[place].tolist()
        assert run["spread"] == result.orders.generalization.spreads[place]
    assert next(run for run in content["runs"] if run["run"] == "tuned 2")["variant_of"] == "tuned 1"


def test_teams_violations_and_near_duplicates(content):
    assert content["submissions"]["rule"] == {"days": 30, "most": 2, "variants": 1}
    assert content["submissions"]["teams"][0] == {
        "team": "Tuners", "runs": ["tuned 1", "tuned 2", "tuned 3"], "first": "2021-01-01", "last": "2021-01-20",
        "most_in_window": 3, "variants": 2, "near_duplicates": 0, "violations": 2,
    }  # fmt: skip
    assert content["violations"][1] | {"sentence": ""} == {
        "team": "Tuners", "kind": "variants", "run": "tuned 3", "date": "2021-01-20", "since": "2021-01-10",
        "runs": ["tuned 2", "tuned 3"], "sentence": "",
    }  # fmt: skip
    assert content["near_duplicates"]["pairs"] == [
        {"first": "fair 2", "second": "copy", "overlap": pytest.approx(0.99954545), "relation": "different teams"}
    ]


def test_overfitting(tmp_path):
    result = audit(write_audited(tmp_path, runs=WITH_FIELD), options=AuditOptions(trials=20))
    assert result.monitor is not None
    found = json.loads(result.to_json())["overfitting"]
    assert {key: found[key] for key in found if key not in {"teams", "field"}} == {
        "public": "public", "private": "private", "labels": "sparse", "public_queries": 120, "private_queries": 100,
        "in_both": 0, "too_few": 1, "alpha": 0.05, "correction": "holm", "family_size": 4, "alarms": 1,
    }  # fmt: skip
    assert list(found["teams"][0]) == [
        "team", "first", "last", "submissions", "change_public", "change_private", "others", "ratio",
        "expected_private", "excess", "standard_error", "excess_ci95", "p", "unjudged", "p_corrected", "alarm",
        "sentence",
    ]  # fmt: skip
    for team, one in zip(found["teams"], result.monitor.teams, strict=True):
        assert (team["excess"], team["p"]) == (one.change.excess, one.change.p)
        assert tuple(team["excess_ci95"]) == one.change.excess_ci95
        assert (team["alarm"], team["sentence"]) == (one.alarm.fired, one.alarm.sentence)
        assert team["p_corrected"] == one.alarm.p_corrected
    assert [day["date"] for day in found["field"]] == [one.date.isoformat() for one in result.monitor.field]
    assert found["field"][-1].keys() == {"date", "teams", "change_public", "change_private"}


def test_teams_that_cannot_be_judged_say_why(content):
    found = content["overfitting"]
    assert (found["family_size"], found["alarms"]) == (0, 0)
    for team in found["teams"]:
        assert (team["p"], team["excess"], team["excess_ci95"], team["p_corrected"]) == (None, None, None, None)
        assert team["unjudged"] == "only one other team has two submissions or more, and 3 are needed"


def test_a_board_without_files():
    run = BoardRun(name="a", scores={"private": 0.25})
    found = json.loads(audit(Board(title="T", measure="RR@10", runs=(run,))).to_json())
    assert (found["conditions"], found["taus"], found["near_duplicates"], found["overfitting"]) == ([], [], None, None)
    assert found["runs"][0]["published"] == {"private": 0.25}
    assert found["runs"][0]["spread"] is None
    assert found["submissions"]["unchecked"] == ["a"]
