from runoff.server.store.models.sealed import HIDDEN_SHARE, SEALED_LABELS
from tests.server.store.models.refusals import refused, taken


def test_shares_and_references_are_kept_right(world):
    row = {"board_id": world.board.id, "share": 1.0, "secret": "ab" * 32, "hidden_subset": 1}
    refused(world.database, HIDDEN_SHARE, row, "share_inside")
    taken(world.database, HIDDEN_SHARE, row | {"share": 0.5})
    refused(world.database, SEALED_LABELS, {"label_set_id": 99, "content": b""}, "(?i)foreign key")
