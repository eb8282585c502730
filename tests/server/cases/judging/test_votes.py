"""Judgments as the table that `tally` counts, and as the counts of the sequential way."""

from runoff.preferences import quality
from runoff.preferences.sequential import _tallies
from runoff.server.cases.judging.campaign_files import add_known_pairs
from runoff.server.cases.judging.import_judgments import import_judgments
from runoff.server.cases.judging.known_pairs import list_known_pairs, remove_known_pair
from runoff.server.cases.judging.votes import load_tallies, load_task_table, load_votes, pseudonym
from runoff.tables.preferences import Preferences
from tests.server.store.backends import both_databases


def test_assessors_have_other_pseudonyms_in_every_campaign(campaigned):
    one, two = campaigned.draft(), campaigned.draft(slug="two")
    names = {pseudonym(campaign, person) for campaign in (one, two) for person in (1, 2)}
    assert len(names) == 4


def test_votes_hold_done_and_discarded_tasks_and_counts_done_ones(campaigned):
    campaign = campaigned.opened()
    bad, good = campaigned.assessor(campaign), campaigned.assessor(campaign)
    campaigned.do(campaign, bad, wrong=True)
    campaigned.do(campaign, good)
    table = campaigned.read(load_votes, campaign)
    assert set(table.assessors) == {pseudonym(campaign, bad.id), pseudonym(campaign, good.id)}
    checked = quality(table)
    assert checked.excluded == (pseudonym(campaign, bad.id),)
    assert campaigned.read(load_tallies, campaign) == _tallies(checked.kept)


@both_databases
def test_tallies_are_those_of_the_votes_whatever_was_removed_put_back_or_imported(campaigned):
    campaign = campaigned.opened(judgments_per_pair=2)
    options = {"actor": campaigned.organiser, "now": campaigned.now()}
    known = [one.known for one in list_known_pairs(campaigned.database, campaign.id, actor=campaigned.organiser)]
    for one in known:
        remove_known_pair(campaigned.database, campaign.id, one.id, **options)
    campaigned.do(campaign, campaigned.assessor(campaign), wrong=True)
    campaigned.do(campaign, campaigned.assessor(campaign))
    both = campaigned.read(load_tallies, campaign)
    assert both == _tallies(quality(campaigned.read(load_votes, campaign)).kept) != {}
    # The test pairs come back: the first task was done, and counts no more.
    add_known_pairs(campaigned.database, campaigned.files, campaign.id, [one.pair for one in known], **options)
    tied = Preferences.of(
        [("q0", "b.q0", "a.q0", None, "eve", "elsewhere"), ("q1", "b.q1", "c.q1", "b.q1", "eve", "e")]
    )
    import_judgments(campaigned.database, campaign.id, tied, **options)
    kept = quality(campaigned.read(load_votes, campaign)).kept
    assert campaigned.read(load_tallies, campaign) == _tallies(kept) != both


def test_removed_test_pairs_leave_no_trace_and_the_answers_count(campaigned):
    campaign = campaigned.opened()
    bad = campaigned.assessor(campaign)
    campaigned.do(campaign, bad, wrong=True)
    assert len(campaigned.read(load_votes, campaign)) > 0
    for one in list_known_pairs(campaigned.database, campaign.id, actor=campaigned.organiser):
        remove_known_pair(
            campaigned.database, campaign.id, one.known.id, actor=campaigned.organiser, now=campaigned.now()
        )
    votes = campaigned.read(load_votes, campaign)
    assert len(quality(votes).kept) == len(votes) == campaign.pairs_per_task, "discarded for nothing that is left"
    assert campaigned.read(load_task_table, campaign).known_answers == ()
