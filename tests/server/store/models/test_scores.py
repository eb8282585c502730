"""The table of arrays per query cannot hold a row about sealed labels or queries, however it is written."""

from runoff.server.store.label_sets import NewVersion, save_label_set, save_query_set
from runoff.server.store.models.boards import ANALYSIS, VERDICT
from runoff.server.store.submissions import save_run
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW


def test_sealed_labels_and_queries_cannot_get_into_the_open_table(world):
    write = world.database.write
    new = NewVersion(board_id=world.board.id, name="private", queries=3, content_hash=None)
    labels = write(lambda c: save_label_set(c, new, judged=5, actor=None, now=NOW))
    queries = write(lambda c: save_query_set(c, new, actor=None, now=NOW))
    run = write(lambda c: save_run(c, world.run(1), now=NOW))
    row = {"run_id": run.id, "label_set_id": world.labels.id, "query_set_id": world.queries.id, "sealed": False}
    row |= {"kind": "serps", "computation_version": "1", "content_hash": "ab", "content": b"", "created_at": NOW}
    refused(world.database, ANALYSIS, row | {"label_set_id": labels.id}, "(?i)foreign key")
    refused(world.database, ANALYSIS, row | {"query_set_id": queries.id}, "(?i)foreign key")
    refused(world.database, ANALYSIS, row | {"label_set_id": labels.id, "sealed": True}, "open_only")
    taken(world.database, ANALYSIS, row)
    refused(world.database, ANALYSIS, row, "(?i)unique")


def test_a_verdict_is_against_another_run(world):
    run = world.database.write(lambda c: save_run(c, world.run(1), now=NOW))
    row = {"run_id": run.id, "champion_id": run.id, "label_set_id": world.labels.id, "query_set_id": world.queries.id}
    row |= {
        "strict": "better",
        "do_no_harm": "better",
        "sentence": "",
        "policy": {},
        "computation_version": "1",
        "decided_at": NOW,
    }
    refused(world.database, VERDICT, row, "against_another")
    taken(world.database, VERDICT, row | {"champion_id": None})
