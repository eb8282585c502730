"""What pages may read."""

from __future__ import annotations

from runoff.server.cases import reads
from runoff.server.store import sealed


def test_pages_get_nothing_that_writes_and_nothing_sealed():
    names = [name for name in vars(reads) if not name.startswith("__") and name != "annotations"]
    assert len(names) > 30
    assert not [name for name in names if name.startswith(("save_", "delete_", "lock_", "take_", "finish_"))]
    assert not {getattr(value, "__module__", "") for value in vars(reads).values()} & {sealed.__name__}
