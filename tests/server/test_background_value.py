"""What takes long is made in the background, and the last one is there meanwhile."""

from threading import Event

import pytest

from runoff.errors import BusyError, ConflictError
from runoff.server.cache import Found, Kept, Latest


@pytest.fixture
def gate():
    """Opened at the end, so that no thread is left waiting."""
    found = Event()
    yield found
    found.set()


def slow(gate, value, made=None):
    def make():
        gate.wait(30)
        if made is not None:
            made.append(value)
        if isinstance(value, Exception):
            raise value
        return value

    return make


def test_the_first_is_waited_for_a_little_then_asked_for_again(gate):
    latest = Latest[str](Kept(most=4), patience=0.01)
    made: list[str] = []
    for _ in range(3):
        with pytest.raises(BusyError, match="is being computed"):
            latest.get("c", 1, slow(gate, "one", made))
    gate.set()
    latest.patience = 30
    assert latest.get("c", 1, slow(gate, "again", made)) == Found(value="one", is_current=True)
    assert made == ["one"], "it was made once"


def test_while_a_newer_one_is_made_the_last_is_there(gate):
    latest = Latest[str](Kept(most=4), patience=30)
    assert latest.get("c", 1, lambda: "one") == Found(value="one", is_current=True)
    latest.patience = 0.01
    for key in (2, 3, 4):
        assert latest.get("c", key, slow(gate, "two")) == Found(value="one", is_current=False)
    with pytest.raises(BusyError):
        latest.get("another", 9, slow(gate, "x"))
    gate.set()
    latest.patience = 30
    assert latest.get("c", 2, lambda: "never") == Found(value="two", is_current=True)
    assert latest.get("c", 5, lambda: "five") == Found(value="five", is_current=True)


def test_a_failure_is_told_once_also_to_who_comes_later(gate):
    latest = Latest[str](Kept(most=4), patience=30)
    with pytest.raises(ConflictError, match="at once"):
        latest.get("c", 1, slow_free(ConflictError("at once")))
    assert latest.get("c", 1, lambda: "one").value == "one"
    latest.patience = 0.01
    assert not latest.get("c", 2, slow(gate, ConflictError("late"))).is_current
    gate.set()
    latest.patience = 30
    with pytest.raises(ConflictError, match="late"):
        latest.get("c", 2, lambda: "two")
    assert latest.get("c", 2, lambda: "two").value == "two"


def slow_free(error):
    def make():
        raise error

    return make
