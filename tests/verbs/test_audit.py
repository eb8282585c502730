"""What the audit promises: its parts are those of the functions below it, called by hand."""

import sys
from datetime import date

import numpy as np
import pytest

import runoff
import runoff.results
from runoff import UsageError, audit, read_run
from runoff.boards import SubmissionRule, field_changes, generalization, near_duplicates, overfitting, submissions
from runoff.files import read_board, read_msmarco_table, write_board
from runoff.tables import Board, BoardRun, Run
from runoff.verbs.audit import AuditOptions
from runoff.verdicts import overfitting_alarms
from tests.verbs.audited import JUDGED, PRIVATE, PUBLIC, RUNS, WITH_FIELD, rr_scores, write_audited

TRIALS = 200


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write_audited(tmp_path_factory.mktemp("audited"))


@pytest.fixture(scope="module")
def result(file):
    return audit(file, options=AuditOptions(trials=TRIALS, seed=3))


def small(folder, **parts):
    return audit(write_audited(folder, **parts), options=AuditOptions(trials=TRIALS))


def test_orders_are_those_of_generalization(result):
    by_hand = generalization(
        {
            "public, sparse": rr_scores(PUBLIC),
            "private, sparse": rr_scores(PRIVATE),
            "private, deep": rr_scores(JUDGED["deep"]),
        },
        trials=TRIALS,
        seed=3,
    )
    found = result.orders.generalization
    assert (found.conditions, found.runs) == (by_hand.conditions, by_hand.runs)
    for name in ("expected_ranks", "spreads", "taus"):
        np.testing.assert_array_equal(getattr(found, name), getattr(by_hand, name))


def test_near_duplicates_and_submissions_are_those_of_the_boards_layer(result, file):
    board = read_board(file)
    alike = near_duplicates([read_run(run.path, name=run.name) for run in board.runs if run.path])
    assert [(pair.first, pair.second) for pair in alike.pairs] == [("fair 2", "copy")]
    assert result.near_duplicates.pairs == alike.pairs
    np.testing.assert_array_equal(result.near_duplicates.overlaps, alike.overlaps)
    assert result.submissions == submissions(board.runs, near_duplicates=[("fair 2", "copy")])
    assert [(one.name, one.kind) for one in result.submissions.violations] == [
        ("tuned 3", "submissions"),
        ("tuned 3", "variants"),
    ]


def test_the_alarm_fires_for_the_team_that_tuned_and_not_for_the_others(tmp_path):
    found = small(tmp_path, runs=WITH_FIELD)
    board = read_board(tmp_path / "board.toml")
    teams = {"Tuners": ["tuned 1", "tuned 2", "tuned 3"], "Fair": ["fair 1", "fair 2"], "Ash": ["ash 1", "ash 2"],
             "Oak": ["oak 1", "oak 2"]}  # fmt: skip
    tables = rr_scores(PUBLIC, WITH_FIELD), rr_scores(PRIVATE, WITH_FIELD)
    by_hand = overfitting(*tables, teams)
    assert found.monitor.result == by_hand
    assert {one.alarm for one in found.monitor.teams} == set(overfitting_alarms(by_hand))
    assert next((one.change.team, one.alarm.fired) for one in found.monitor.teams) == ("Tuners", True)
    assert [one.change.team for one in found.monitor.fired] == ["Tuners"]
    assert [one.change.p for one in found.monitor.teams] == sorted(one.p or 0.0 for one in by_hand.teams)
    assert (found.monitor.too_few, found.monitor.both, found.monitor.alpha) == (1, 0, 0.05)
    assert found.monitor.field == field_changes(*tables, submissions(board.runs).teams)
    assert found.has_findings


def test_the_level_is_that_of_the_board(tmp_path):
    file = write_audited(tmp_path, runs=WITH_FIELD)
    file.write_text(file.read_text().replace("measure =", "alpha = 1e-300\nmeasure =", 1))
    found = audit(file, options=AuditOptions(trials=TRIALS))
    assert found.monitor is not None
    assert found.monitor.fired == ()


def test_too_few_teams_cannot_be_judged(result):
    assert [(one.change.p, one.alarm.fired) for one in result.monitor.teams] == [(None, False)] * 2
    assert "Whether Tuners or Fair overfitted cannot be judged: only one other team has two submissions or more, " in (
        " ".join(result.opening(80))
    )
    assert result.has_findings  # the rule is broken


def test_more_measures_add_conditions_and_the_same_one_adds_none(file):
    asked = AuditOptions(measures=["RR@10", "P@3"], trials=10)
    names = [one.name for one in audit(file, options=asked).scored.conditions]
    assert names[:2] == ["public, sparse, RR@10", "public, sparse, P@3"]
    assert len(names) == 6


def test_a_near_duplicate_of_ones_own_counts_as_a_small_variation(tmp_path):
    file = write_audited(tmp_path)
    text = file.read_text().replace('team = "Third"\ndate = 2021-03-06', 'team = "Fair"\ndate = 2021-03-06')
    file.write_text(text)
    asked = AuditOptions(trials=10, rule=SubmissionRule(variants=0))
    broken = audit(file, options=asked).submissions.violations
    assert ("copy", "variants") in [(one.name, one.kind) for one in broken]
    strict = AuditOptions(trials=10, rule=SubmissionRule(variants=0), overlap=1.0)
    assert "copy" not in [one.name for one in audit(file, options=strict).submissions.violations]


def test_no_whole_run_is_held_for_near_duplicates(file, monkeypatch):
    seen: list[Run] = []

    def keep(runs, **options):
        seen.extend(runs)
        return near_duplicates(runs, **options)

    monkeypatch.setattr(sys.modules[audit.__module__], "near_duplicates", keep)
    audit(file, options=AuditOptions(trials=10))
    assert [run.name for run in seen] == list(RUNS)
    assert {int(length) for run in seen for length in np.diff(run.bounds)} == {10}  # of 11 in the files


def test_the_same_seed_gives_the_same_result(file):
    first, again, other = (audit(file, options=AuditOptions(trials=20, seed=seed)).to_json() for seed in (1, 1, 2))
    assert first == again != other


def test_other_names_for_public_and_private(tmp_path):
    file = write_audited(tmp_path, runs=WITH_FIELD)
    file.write_text(file.read_text().replace("[queries.public]", "[queries.dev]"))
    without = audit(file, options=AuditOptions(trials=TRIALS))
    assert without.monitor is None
    assert without.opening(80)[-1] == "This board has no public queries, so overfitting cannot be judged."
    named = audit(file, options=AuditOptions(trials=TRIALS, public="dev"))
    assert named.monitor is not None
    assert [one.change.team for one in named.monitor.fired] == ["Tuners"]


def test_development_queries_are_a_condition_and_neither_public_nor_private(tmp_path):
    file = write_audited(tmp_path, runs=WITH_FIELD)
    text = file.read_text().replace("[queries.public]", "[queries.development]")
    file.write_text(text)
    found = audit(file, options=AuditOptions(trials=TRIALS))
    assert [one.query_set for one in found.scored.conditions] == ["private", "private", "development"]
    assert found.monitor is None
    assert "This board has no public queries, so overfitting cannot be judged." in found.opening(80)
    for asked in (AuditOptions(public="development"), AuditOptions(private="development")):
        with pytest.raises(UsageError, match="teams hold the labels of 'development', so it is neither the public nor"):
            audit(file, options=asked)


def test_queries_that_are_for_development_too_are_counted(tmp_path):
    found = small(tmp_path, queries=("development", "public", "private"))
    assert [one.query_set for one in found.scored.conditions] == ["public", "private", "private", "development"]
    assert "30 public queries are also in development, for which teams have the labels." in found.notes
    assert len([note for note in found.notes if "development" in note]) == 2  # no development query has deep labels


def test_queries_that_are_public_and_private_are_counted(tmp_path):
    file = write_audited(tmp_path)
    (tmp_path / "private.txt").write_text("".join(f"{query}\n" for query in [*PRIVATE, *PUBLIC[:3]]))
    found = audit(file, options=AuditOptions(trials=TRIALS))
    assert found.monitor is not None
    assert found.monitor.both == 3
    assert "3 queries in both sets" in str(found)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"public": "dev"}, "no query set is called 'dev'; expected one of private, public; choose one of these"),
        ({"public": "private"}, "'private' is named as the public and as the private query set"),
        ({"show": ["no"]}, "no run 'no' on this board"),
        ({"measures": ["ESL@1"]}, r"ESL@1 is undefined for \d+ of 120 queries"),
        ({"overlap": 0.0}, "threshold=0.0 cannot be used"),
        ({"trials": 0}, "trials"),
    ],
)
def test_questions_that_cannot_be_asked(file, options, message):
    with pytest.raises(UsageError, match=message):
        audit(file, options=AuditOptions(**({"trials": 10} | options)))


def test_without_private_queries_there_is_no_monitor(tmp_path):
    found = small(tmp_path, queries=("public",), labels=("sparse",))
    assert found.monitor is None
    assert found.orders.generalization is None
    assert found.has_findings  # the rule is still broken
    assert "There is only one condition (public, sparse, RR@10)" in found.opening(80)[1]
    assert [grid.title for grid in found.grids()] == ["Broken rules", "Submissions", "Near-duplicates"]


def test_one_label_set(tmp_path):
    found = small(tmp_path, labels=("sparse",), runs=WITH_FIELD)
    assert found.orders.generalization.conditions == ("public", "private")
    assert found.monitor.fired


def test_one_run(tmp_path):
    found = small(tmp_path, runs=("fair 1",))
    assert (found.orders, found.near_duplicates, found.monitor.teams) == (None, None, ())
    assert (found.monitor.too_few, found.has_findings) == (1, False)
    assert "Only one run has a file, so there is no order to look at." in found.opening(80)
    assert found.to_dict()["runs"][0]["means"]["public, sparse"] == pytest.approx(
        rr_scores(PUBLIC, ["fair 1"]).means[0]
    )


def test_runs_without_files_are_left_out_of_the_ranks_and_told(tmp_path):
    file = write_audited(tmp_path)
    more = '[[runs]]\nname = "{}"\nteam = "Paper"\ndate = 2021-02-0{}\nscores = {{ public = {}, private = 0.25 }}\n'
    file.write_text(file.read_text() + more.format("p1", 1, 0.25) + more.format("p2", 2, 0.5))
    found = audit(file, options=AuditOptions(trials=TRIALS))
    assert found.orders is not None
    assert set(found.orders.runs) == set(RUNS)
    assert "Left out: 2 runs without a file." in found.notes
    assert [(one.team, one.change_public, one.excess) for one in found.published] == [("Paper", 0.25, None)]
    with pytest.raises(UsageError, match="run 'p1' has no file, so it has no ranks to show"):
        audit(file, options=AuditOptions(show=["p1"]))


def test_a_board_of_published_means_alone():
    means = {"r1": (0.25, 0.25), "r2": (0.5, 0.125), "r3": (0.375, 0.375)}
    runs = tuple(
        BoardRun(name=name, team="A", date=date(2021, 1, day),
                 scores={"public": public, "private": private})
        for day, (name, (public, private)) in enumerate(means.items(), start=1)
    )  # fmt: skip
    found = audit(Board(title="T", measure="RR@10", runs=runs))
    assert (found.orders, found.near_duplicates, found.monitor) == (None, None, None)
    assert [(one.first, one.last, one.change_public) for one in found.published] == [("r1", "r3", 0.125)]
    assert [one.name for one in found.submissions.violations] == ["r3"]
    assert found.opening(80)[-1] == "Only means are published, not scores per query, so overfitting cannot be judged."


def test_the_ms_marco_document_leaderboard(shared_data, tmp_path):
    board = read_msmarco_table(shared_data / "msmarco" / "document-leaderboard.csv")
    write_board(board, tmp_path / "board.toml")
    found = audit(tmp_path / "board.toml")
    assert found.orders is None
    assert found.monitor is None
    assert found.has_findings
    assert (len(found.runs), len(found.submissions.teams), len(found.submissions.violations)) == (117, 49, 19)
    assert found.published == ()
    said = " ".join(found.opening(80))
    assert "Of 114 submissions by 49 teams, 19 break the rule" in said
    assert said.endswith("This board has no private queries, so overfitting cannot be judged.")


def test_it_is_public():
    assert runoff.audit is audit
    assert runoff.results.AuditResult.__name__ == "AuditResult"
