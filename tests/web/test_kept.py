"""Results kept in memory."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from runoff.web.kept import Kept


def test_the_value_that_was_not_asked_for_the_longest_goes_first():
    kept = Kept[int](most=2)
    made: list[int] = []

    def get(key):
        def make():
            made.append(key)
            return key

        return kept.get(key, make)

    assert [get(key) for key in (1, 2, 1, 3, 1, 2)] == [1, 2, 1, 3, 1, 2]
    assert made == [1, 2, 3, 2]
    assert len(kept) == 2


def test_threads_that_ask_at_once_share_one_value():
    kept, made, start = Kept[int](most=4), [], Barrier(8)

    def make():
        made.append(1)
        return 7

    def ask():
        start.wait()
        assert kept.get("key", make) == 7

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_a_failure_is_not_kept():
    kept = Kept[int](most=1)
    with pytest.raises(ZeroDivisionError):
        kept.get("key", lambda: 1 // 0)
    assert kept.get("key", lambda: 5) == 5
