from runoff.preferences import quality
from runoff.workflows.judging.known_pairs import list_known_pairs, remove_known_pair
from runoff.workflows.judging.votes import load_counted, load_task_table, load_votes, pseudonym


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
    counted = campaigned.read(load_counted, campaign)
    assert sum(sum(votes) for pairs in counted.values() for votes in pairs.values()) == len(checked.kept)
    row = next(iter(checked.kept))
    first, second = sorted((row.left, row.right))
    assert counted[row.query_id][first, second] == ((1, 0) if row.preferred == first else (0, 1))


def test_removed_test_pairs_leave_no_trace(campaigned):
    campaign = campaigned.opened()
    bad = campaigned.assessor(campaign)
    campaigned.do(campaign, bad, wrong=True)
    assert len(campaigned.read(load_votes, campaign)) > 0
    for one in list_known_pairs(campaigned.database, campaign.id, actor=campaigned.organiser):
        remove_known_pair(
            campaigned.database, campaign.id, one.known.id, actor=campaigned.organiser, now=campaigned.now()
        )
    assert len(campaigned.read(load_votes, campaign)) == 0, "the task was discarded for nothing that is left"
    assert campaigned.read(load_task_table, campaign).known_answers == ()
