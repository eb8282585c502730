"""Writers wait in a line."""

import threading
import time

from runoff.server.store.database import FairLock


def waiting(turns, number):
    while len(turns._waiting) < number:
        time.sleep(0.001)


def test_turns_are_given_in_the_order_in_which_they_were_asked_for():
    turns, order = FairLock(), []

    def want(number):
        assert turns.take(seconds=60)
        order.append(number)
        turns.give_back()

    assert turns.take(seconds=60)
    threads = []
    for number in range(20):
        threads.append(threading.Thread(target=want, args=(number,)))
        threads[-1].start()
        waiting(turns, number + 1)
    turns.give_back()
    for thread in threads:
        thread.join()
    assert order == list(range(20))


def test_who_waits_too_long_leaves_the_line_to_the_others():
    turns = FairLock()
    assert turns.take(seconds=60)
    assert not turns.take(seconds=0.01)
    assert not turns._waiting
    turns.give_back()
    assert turns.take(seconds=0)


def test_never_two_at_once():
    turns, inside, most = FairLock(), [], []

    def work():
        for _ in range(50):
            assert turns.take(seconds=60)
            inside.append(1)
            most.append(len(inside))
            inside.pop()
            turns.give_back()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 400
