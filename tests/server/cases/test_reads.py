"""What pages may read."""

from __future__ import annotations

from runoff.server.cases import reads
from runoff.server.store import sealed


def test_pages_get_nothing_that_writes_and_nothing_sealed():
    assert len(reads.__all__) > 30
    assert not [name for name in reads.__all__ if name.startswith(("save_", "delete_", "lock_"))]
    assert not {getattr(reads, name).__module__ for name in reads.__all__ if callable(getattr(reads, name))} & {
        sealed.__name__
    }
