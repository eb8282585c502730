import dataclasses

import pytest

from runoff.server.store.models.boards import BOARD, LABEL_SET
from tests.server.store.models.refusals import refused, taken
from tests.server.store.world import NOW, SETTINGS

COLUMNS = {name: value for name, value in dataclasses.asdict(SETTINGS).items() if name in BOARD.c}
ROW = COLUMNS | {"slug": "other", "depth": 10, "created_at": NOW, "version": 1}


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"depth": 0}, "depth_positive"),
        ({"alpha": 1.0}, "alpha_inside"),
        ({"most": 0}, "rule_possible"),
        ({"upload_limit": 0}, "upload_limit_positive"),
        ({"digits": 11}, "digits_inside"),
        ({"slug": "passages"}, "(?i)unique"),
    ],
)
def test_impossible_boards_are_refused(world, change, reason):
    refused(world.database, BOARD, ROW | change, reason)


def test_a_sealed_version_has_no_hash_and_an_open_one_has(world):
    row = {"board_id": world.board.id, "name": "p", "version": 1, "queries": 1, "judged": 1, "note": ""}
    row |= {"created_at": NOW, "sealed": True, "content_hash": "ab"}
    refused(world.database, LABEL_SET, row, "hash_of_the_unsealed")
    refused(world.database, LABEL_SET, row | {"sealed": False, "content_hash": None}, "hash_of_the_unsealed")
    taken(world.database, LABEL_SET, row | {"content_hash": None})
    refused(world.database, LABEL_SET, row | {"content_hash": None}, "(?i)unique")
