"""Judgments from files come in once."""

import pytest

from runoff.errors import ConflictError
from runoff.server.cases.judging.import_judgments import ImportResult, import_judgments
from runoff.server.cases.judging.votes import export_campaign, load_task_table, load_votes
from runoff.server.store.campaign_plans import load_progress
from runoff.server.store.participation import load_participations
from runoff.tables.preferences import Preferences
from tests.server.cases.reading_here import HERE
from tests.server.store.backends import both_databases


@pytest.fixture
def take(campaigned):
    def work(campaign, source):
        return import_judgments(
            campaigned.database, campaign.id, source, actor=campaigned.organiser, now=campaigned.now(), reader=HERE
        )

    return work


def counts(tasks=0, judgments=0, known=0, discarded=0):
    return ImportResult(tasks=tasks, judgments=judgments, known_tasks=known, discarded_tasks=discarded)


def rows(table):
    return sorted(tuple(row)[:4] for row in table)


@both_databases
def test_what_was_exported_is_known_here_and_new_elsewhere(campaigned, take):
    campaign = campaigned.opened(judgments_per_pair=2)
    campaigned.do(campaign, campaigned.assessor(campaign), wrong=True)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign) for _ in range(2)])
    export = campaigned.read(export_campaign, campaign, actor=campaigned.organiser)
    data = "".join(export.files()["judgments.csv"]).encode()
    found = take(campaign, data)
    assert (found.tasks, found.known_tasks) == (0, len(export.judgments.tasks) + 1)
    other = campaigned.draft(slug="other")
    found = take(other, data)
    assert (found.judgments, found.discarded_tasks) == (len(export.judgments), 1)
    assert take(other, data) == counts(known=found.tasks)
    copied = campaigned.read(load_votes, other)
    assert rows(copied) == rows(export.judgments)
    assert sum(one.stopped_at is not None for one in campaigned.read(load_participations, other.id)) == 1


def test_open_tasks_that_were_done_elsewhere_take_their_place_in_the_plan(campaigned, take):
    campaign = campaigned.opened()
    plan = campaigned.read(load_task_table, campaign)
    task, pairs = next(iter(plan.by_task.items()))
    turned = [(pair.query_id, pair.right, pair.left, pair.expected or pair.left, "ann", task) for pair in pairs]
    before = campaigned.read(load_progress, campaign.id)
    assert take(campaign, Preferences.of(turned)) == counts(tasks=1, judgments=len(pairs))
    after = campaigned.read(load_progress, campaign.id)
    assert (after.tasks, after.tasks_open, after.tasks_done) == (before.tasks, before.tasks_open - 1, 1)
    kept = {row.query_id: row.preferred for row in campaigned.read(load_votes, campaign) if row.expected is None}
    assert kept == {pair.query_id: pair.left for pair in pairs if pair.expected is None}


def test_ties_and_rows_without_names_come_in_and_other_answers_are_refused(campaigned, take):
    campaign = campaigned.draft()
    assert take(campaign, b"q0 a b a\nq0 a c c\n") == counts(tasks=1, judgments=2)
    assert take(campaign, b"q0 a b a\nq0 a c c\n") == counts(known=1)
    with pytest.raises(ConflictError, match="was imported before with other answers"):
        take(campaign, b"q0 a b b\nq0 a c c\n")
    assert take(campaign, Preferences.of([("q1", "a", "b", None, "bob", "t")])) == counts(tasks=1, judgments=1)
    assert [row.preferred for row in campaigned.read(load_votes, campaign)] == ["a", "c", None]
