"""A campaign becomes a version of the labels in one call."""

from dataclasses import fields

import pytest

from runoff.errors import ConflictError
from runoff.files.qrels import read_labels
from runoff.preferences.maintenance import best_known
from runoff.reading.sources import as_qrels
from runoff.server.cases.boards.change import change_board
from runoff.server.cases.judging.extend import extend_campaign
from runoff.server.cases.judging.label_version import (
    hasty_judgments,
    make_label_version,
    new_answers,
    propose_labels,
)
from runoff.server.cases.judging.results import load_results
from runoff.server.cases.judging.start import Extension
from runoff.server.cases.labels.versions import load_label_changes, use_labels
from runoff.server.cases.views.stored_board import load_board_data
from runoff.server.store.boards import load_board
from runoff.server.store.label_sets import NewVersion, load_campaign_labels, load_label_sets, save_label_set
from runoff.tables.preferences import Preferences
from runoff.tables.settings import BoardSettings
from runoff.verbs._label_changes import label_changes
from tests.server.cases.reading_here import HERE
from tests.server.store.backends import both_databases


def make(campaigned, campaign):
    return make_label_version(
        campaigned.database,
        campaigned.files,
        campaign.id,
        actor=campaigned.organiser,
        now=campaigned.now(),
        reader=HERE,
    )


@both_databases
def test_a_version_holds_the_winners_and_tells_its_effect(campaigned):
    campaign = campaigned.opened(sample=5)
    with pytest.raises(ConflictError, match="no judgments that count yet"):
        make(campaigned, campaign)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    live = campaigned.read(load_results, campaigned.files, campaign, actor=campaigned.organiser).tally
    made = make(campaigned, campaign)
    assert (made.label_set.name, made.label_set.version, made.label_set.queries) == ("dev", 2, 8)
    path = campaigned.files.path(made.label_set.content_hash)
    labels = read_labels(path)
    assert labels.version == 2
    answers = best_known(labels.qrels)
    winners = dict(zip(live.tournament.query_ids, live.tournament.winners, strict=True))
    assert len(winners) == 5
    assert {query: set(docs) for query, docs in answers.items()} == {
        f"q{one}": set(winners.get(f"q{one}", (f"a.q{one}",))) for one in range(8)
    }
    described = campaigned.folder / "described"
    filed = label_changes([described / f"run{one}.txt" for one in range(3)], described / "qrels.txt", path)
    effect = made.proposed.effect
    assert [vars(one) | {"run": ""} for one in effect.runs] == [vars(one) | {"run": ""} for one in filed.runs]
    assert (effect.changed, effect.tau, effect.is_child) == (filed.changed, filed.tau, True)
    assert len(made.proposed.changed) == 5
    campaigned.work()
    board = campaigned.read(load_board_data, campaigned.board, now=campaigned.now())
    assert (board.labels.id, made.label_set.use) == (1, 0), "it waits to be used"
    use_labels(
        campaigned.database, campaigned.board, made.label_set.id, actor=campaigned.organiser, now=campaigned.now()
    )
    board = campaigned.read(load_board_data, campaigned.board, now=campaigned.now())
    assert board.labels.id == made.label_set.id, "all runs are scored on the new version"
    (kept,) = campaigned.read(load_campaign_labels, campaign.id)
    assert (kept.label_set_id, kept.judgments, kept.changed) == (
        made.label_set.id, made.proposed.judgments, len(effect.changed)
    )  # fmt: skip


def test_the_effect_is_told_by_the_settings_of_the_board_before_and_after(campaigned):
    board = campaigned.board
    settings = {field.name: getattr(board, field.name) for field in fields(BoardSettings)}
    changed = BoardSettings(**(settings | {"measure": "AP", "depth": 2, "alpha": 0.5}))
    change_board(
        campaigned.database, board.id, changed, version=board.version, actor=campaigned.organiser, now=campaigned.now()
    )
    campaigned.work()
    campaign = campaigned.opened(sample=5)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    made = make(campaigned, campaign)
    campaigned.work()
    old, new = campaigned.read(load_label_sets, board.id)
    board = campaigned.read(load_board, board.id)
    later = campaigned.read(
        load_label_changes, campaigned.files, board, old, new, actor=campaigned.organiser, now=campaigned.now()
    )
    before = made.proposed.effect
    assert later is not None
    assert (before.measure, before.queries, before.leader) == (later.measure, later.queries, later.leader)
    assert before.runs == later.runs
    assert before.tau == later.tau


def test_a_second_version_starts_from_the_same_base(campaigned):
    campaign = campaigned.opened()
    actor = campaigned.assessor(campaign)
    campaigned.do(campaign, actor)
    first = make(campaigned, campaign)
    campaigned.judge_all(campaign, [actor])
    second = make(campaigned, campaign)
    assert [one.version for one in campaigned.read(load_label_sets, campaigned.board.id)] == [1, 2, 3]
    assert second.proposed.judgments > first.proposed.judgments
    assert second.proposed.labels.parent == first.proposed.labels.parent


def test_a_proposal_stores_nothing(campaigned):
    campaign = campaigned.opened()
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    propose_labels(campaigned.database, campaigned.files, campaign.id, actor=campaigned.organiser, reader=HERE)
    assert len(campaigned.read(load_label_sets, campaigned.board.id)) == 1


RING = Preferences.of([("q", "b", "c", "b"), ("q", "c", "d", "c"), ("q", "d", "b", "d"), ("q", "b", "a", "b")])


@pytest.mark.parametrize(
    "changes, expected",
    [({}, ("b",)), ({"standing": True}, ("b", "c", "d")), ({"standing": True, "single_best": True}, ("b",))],
)
def test_whole_pools_give_tournaments_others_replace_the_best_known(campaigned, changes, expected):
    """Document b has most wins; above a are b, c and d in a ring; of the ring b has most votes."""
    campaign = campaigned.draft(**changes)
    assert new_answers(campaign, as_qrels({"q": {"a": 1}}), RING) == {"q": expected}


def test_of_several_best_answers_a_label_of_before_is_the_single_one(campaigned):
    even = Preferences.of([("q", "a", "b", "a"), ("q", "a", "b", "b")])
    qrels = as_qrels({"q": {"b": 1}})
    assert new_answers(campaigned.draft(), qrels, even) == {"q": ("a", "b")}
    assert new_answers(campaigned.draft(slug="single", single_best=True), qrels, even) == {"q": ("b",)}


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
@pytest.mark.parametrize("way", ["full", "sequential"])
def test_a_label_that_is_newer_than_the_plan_stays_until_it_has_met_the_others(campaigned, way):
    campaign = campaigned.opened(way=way)
    actors = [campaigned.assessor(campaign) for _ in range(1 if way == "full" else 9)]
    campaigned.judge_all(campaign, actors)
    lines = "".join(f"q{one} 0 {'0' if one == 1 else 'a'}.q{one} 1\n" for one in range(8))
    new = NewVersion(
        board_id=campaigned.board.id, name="dev", queries=8,
        content_hash=campaigned.files.save([lines.encode()], limit=1000).content_hash,
    )  # fmt: skip
    campaigned.database.write(lambda c: save_label_set(c, new, judged=8, actor=None, now=campaigned.now()))

    def answers():
        found = propose_labels(
            campaigned.database, campaigned.files, campaign.id, actor=campaigned.organiser, reader=HERE
        )
        return found, best_known(found.labels.qrels)

    proposed, best = answers()
    assert (proposed.unmet, best["q1"]) == (("q1",), ("0.q1",)), "no judgment says that another is better"
    assert sum(docs != (f"a.{query}",) for query, docs in best.items()) > 5
    more = {"actor": campaigned.organiser, "now": campaigned.now}
    extend_campaign(campaigned.database, campaigned.files, campaign.id, Extension(), **more)
    campaigned.judge_all(campaign, actors)
    proposed, best = answers()
    assert proposed.unmet == ()
    assert best["q1"] != ("0.q1",), "the new label lost against documents that assessors prefer"


GRADES = "".join(f"q{one} 0 a.q{one} 2\nq{one} 0 never.q{one} 1\nq{one} 0 zero.q{one} 0\n" for one in range(8))


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
@pytest.mark.parametrize("single_best", [False, True])
@pytest.mark.parametrize("way", ["full", "sequential"])
def test_graded_labels_keep_grades_and_zeros_unless_one_answer_is_asked_for(campaigned, way, single_best):
    new = NewVersion(
        board_id=campaigned.board.id, name="dev", queries=8,
        content_hash=campaigned.files.save([GRADES.encode()], limit=1000).content_hash,
    )  # fmt: skip
    campaigned.database.write(lambda c: save_label_set(c, new, judged=24, actor=None, now=campaigned.now()))
    campaign = campaigned.opened(way=way, single_best=single_best)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign) for _ in range(1 if way == "full" else 9)])
    found = propose_labels(campaigned.database, campaigned.files, campaign.id, actor=campaigned.organiser, reader=HERE)
    grades = {(query, doc): grade for query, doc, grade in found.labels.qrels}
    assert found.changed
    if single_best:
        assert set(grades.values()) == {1}
        assert len(grades) == 8
        assert "answers of grade 1, as asked for" in found.about
        return
    before = {(query, doc): int(grade) for query, _, doc, grade in map(str.split, GRADES.splitlines())}
    assert before.items() <= grades.items()
    assert {grades[one] for one in set(grades) - set(before)} == {2}
    assert found.about.startswith("The labels are graded: all 24 rows stay")


def test_labels_from_answers_that_were_too_fast_say_so(campaigned):
    campaign = campaigned.opened(sample=5, too_fast=6.5)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    made = make(campaigned, campaign)
    hasty, kept = made.proposed.hasty, made.proposed.judgments
    assert 0 < hasty.number < hasty.of == kept
    assert hasty.warning.startswith(f"Warning: {hasty.number} of {kept} judgments (")
    assert "took less than 6.5 seconds" in hasty.warning
    assert made.label_set.note == f"{kept} judgments of campaign best. {hasty.warning}"
    assert hasty_judgments(Preferences.of([("q", "a", "b", "a", "ann")]), ["q"], below=9).warning == ""
