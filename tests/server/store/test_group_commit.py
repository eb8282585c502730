"""Small writes share a transaction, and each stands or falls alone."""

import threading
import time

import pytest
from sqlalchemy import text

from runoff.errors import BusyError, ConflictError
from runoff.server.store.group_commit import MOST, Together


def insert(value, *, fails=False):
    def work(connection):
        connection.execute(text("INSERT INTO person (email, display_name, role, created_at) "
                                "VALUES (:mail, 'A', 'member', '2026-01-01')"), {"mail": value})  # fmt: skip
        if fails:
            raise ConflictError(value)
        return value

    return work


def mails(database):
    with database.read() as connection:
        return sorted(connection.execute(text("SELECT email FROM person")).scalars())


def at_once(functions, *, first):
    """Begin with one, and let the others wait for it together; what each returned or raised."""
    found: dict[int, object] = {}

    def do(place, function):
        try:
            found[place] = function()
        except Exception as error:  # noqa: BLE001
            found[place] = error

    threads = [threading.Thread(target=do, args=(place, one)) for place, one in enumerate(functions)]
    for place, thread in enumerate(threads):
        thread.start()
        if not place:
            first()
    for thread in threads:
        thread.join()
    return [found[place] for place in range(len(functions))]


def test_many_writes_at_once_all_stand_but_those_that_fail(database):
    functions = [
        lambda number=number: database.write_small(insert(f"{number:02}", fails=number % 5 == 2))
        for number in range(40)
    ]
    found = at_once(functions, first=lambda: None)
    for number, one in enumerate(found):
        if number % 5 == 2:
            assert isinstance(one, ConflictError)
        else:
            assert one == f"{number:02}"
    assert mails(database) == [f"{number:02}" for number in range(40) if number % 5 != 2]


class Journal:
    """A database of one list: notes which works were done in one transaction."""

    def __init__(self, *, faults=()):
        self.begun, self.transactions, self.statements = threading.Event(), [], []
        self.go_on, self.faults = threading.Event(), list(faults)

    def exec_driver_sql(self, statement):
        self.statements.append(statement)

    def write(self, work):
        self.begun.set()
        self.go_on.wait()
        if self.faults:
            fault = self.faults.pop(0)
            if fault is not None:
                raise fault
        self.transactions.append([])
        work(self)


def note(name):
    def work(journal):
        journal.transactions[-1].append(name)
        return name

    return work


def together(journal):
    return Together(journal.write, lambda error: isinstance(error, BusyError))


def do_all(journal, number):
    small = together(journal)
    functions = [lambda name=name: small.do(note(name)) for name in range(number)]

    def first():
        journal.begun.wait()

        def release():
            while len(small._waiting) < number:
                time.sleep(0.001)
            journal.go_on.set()

        threading.Thread(target=release).start()

    return at_once(functions, first=first), small


def test_those_that_wait_are_one_transaction():
    journal = Journal()
    found, small = do_all(journal, 7)
    assert found == list(range(7))
    assert [len(one) for one in journal.transactions] == [7]
    assert journal.statements.count("SAVEPOINT small") == journal.statements.count("RELEASE small") == 7
    assert not small._is_led


def test_a_transaction_has_no_more_than_so_many():
    journal = Journal()
    found, _ = do_all(journal, MOST + 3)
    assert found == list(range(MOST + 3))
    assert [len(one) for one in journal.transactions] == [MOST, 3]


def test_a_transaction_that_cannot_begin_is_the_fault_of_the_first_alone():
    journal = Journal(faults=[BusyError("busy")])
    found, _ = do_all(journal, 4)
    assert isinstance(found[0], BusyError)
    assert found[1:] == [1, 2, 3]


def test_one_alone_needs_no_savepoint():
    journal = Journal()
    journal.go_on.set()
    small = together(journal)
    assert small.do(note("one")) == "one"
    assert journal.statements == []

    def fail(_journal):
        raise ConflictError("no")

    with pytest.raises(ConflictError):
        small.do(fail)
    assert small.do(note("two")) == "two", "a failure does not stop the line"
