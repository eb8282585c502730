"""Results kept in memory."""

from __future__ import annotations

from threading import Barrier, Event, Thread

import pytest

from runoff.errors import BusyError
from runoff.server.cache import ComputingSlots, Kept


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


def test_a_failure_is_for_all_who_wait_and_nobody_after_them():
    kept, calls, go = Kept[int](most=1), [], Event()
    found: list[str] = []

    def make():
        calls.append(1)
        assert go.wait(10)
        raise ValueError("no")

    def ask():
        try:
            kept.get("key", make)
        except ValueError as error:
            found.append(str(error))

    threads = [Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    while kept.waiting < 4:
        go.wait(0.01)
    go.set()
    for thread in threads:
        thread.join()
    assert (found, calls) == (["no"] * 5, [1])
    assert kept.get("key", lambda: 3) == 3


def test_only_some_may_wait():
    kept, go = Kept[int](most=1, waiting=1), Event()

    def make():
        assert go.wait(10)
        return 7

    threads = [Thread(target=kept.get, args=("key", make)) for _ in range(2)]
    threads[0].start()
    threads[1].start()
    while kept.waiting < 1:
        go.wait(0.01)
    with pytest.raises(BusyError, match="try again"):
        kept.get("key", make)
    assert kept.get("another", lambda: 5) == 5
    go.set()
    for thread in threads:
        thread.join()
    assert kept.get("key", lambda: 0) == 7


def test_heavy_values_push_others_out_and_the_newest_stays():
    kept = Kept[str](most=10, weigh=len, heaviest=10)
    for key in ("a", "b", "c"):
        assert kept.get(key, lambda: "1234") == "1234"
    assert (kept.find("a"), kept.find("b"), kept.find("c")) == (None, "1234", "1234")
    kept.keep("b", "1")
    assert kept.find("c") == "1234"
    assert kept.get("d", lambda: "x" * 99) == "x" * 99
    assert len(kept) == 1
    assert kept.find("d") == "x" * 99


def test_turns_are_few_and_so_are_those_who_wait():
    turns, go, inside = ComputingSlots(at_once=1, waiting=1), Event(), []

    def work():
        with turns:
            inside.append(1)
            assert go.wait(10)

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    while turns.inside < 2:
        go.wait(0.01)
    assert len(inside) <= 1
    with pytest.raises(BusyError), turns:
        raise AssertionError
    go.set()
    for thread in threads:
        thread.join()
    with turns:
        assert len(inside) == 2


def test_a_failure_is_not_kept():
    kept = Kept[int](most=1)
    with pytest.raises(ZeroDivisionError):
        kept.get("key", lambda: 1 // 0)
    assert kept.get("key", lambda: 5) == 5
