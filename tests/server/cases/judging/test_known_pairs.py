import pytest

from runoff.errors import NotAllowedError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.campaign_files import add_known_pairs, draw_campaign_pairs
from runoff.server.cases.judging.known_pairs import list_known_pairs, remove_known_pair
from runoff.server.store.campaign_plans import load_tasks
from tests.server.store.backends import both_databases


@both_databases
def test_test_pairs_are_drawn_looked_at_and_removed_before_the_start(campaigned):
    draft = campaigned.draft(tests_per_task=2)
    options = {"actor": campaigned.organiser, "now": campaigned.now()}
    number = draw_campaign_pairs(campaigned.database, campaigned.files, draft.id, **options)
    listed = list_known_pairs(campaigned.database, draft.id, actor=campaigned.organiser)
    assert len(listed) == number > 3
    assert all(one.right == f"a.{one.query}" and one.wrong.partition(".")[2] != one.query for one in listed)
    remove_known_pair(campaigned.database, draft.id, listed[0].known.id, **options)
    assert draw_campaign_pairs(campaigned.database, campaigned.files, draft.id, **options) == 0
    opened = campaigned.start(draft)
    tasks = campaigned.read(load_tasks, opened.id)
    used = {pair.key for task in tasks for pair in task.pairs if pair.expected}
    query, *docs = listed[0].known.pair
    assert (query, *sorted(docs)) not in used
    assert used <= {(one.known.query_id, *sorted(one.known.pair[1:])) for one in listed}


def test_only_organisers_see_and_change_them(campaigned):
    draft = campaigned.draft()
    with pytest.raises(NotAllowedError):
        list_known_pairs(campaigned.database, draft.id, actor=Actor(id=1, role="assessor"))
    with pytest.raises(UsageError, match="no test pairs"):
        add_known_pairs(
            campaigned.database, campaigned.files, draft.id, [], actor=campaigned.organiser, now=campaigned.now()
        )
