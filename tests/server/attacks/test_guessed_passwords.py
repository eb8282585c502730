"""Guessing a password: at once from many threads, from many addresses, and so that its owner cannot get in."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import timedelta
from threading import Barrier, Lock

import pytest

from runoff.errors import NotAllowedError, QuotaError
from runoff.server.cases.accounts.sign_in import PER_ADDRESS, SignInRules, sign_in
from runoff.server.store.access import hash_password
from runoff.server.store.people import save_person
from tests.server.store.backends import both_databases
from tests.server.store.world import NOW, later

RULES = SignInRules(failures=10, session=timedelta(hours=1))
RIGHT = "a walnut under snow"
ATTEMPTS = 100


class CountedHashing:
    """Counts the passwords that are hashed, and hashes one at a time."""

    def __init__(self):
        self.count = 0
        self._lock = Lock()

    def __enter__(self):
        self._lock.acquire()
        self.count += 1

    def __exit__(self, *_):
        self._lock.release()


@pytest.fixture
def ann(database):
    """Somebody with an account."""
    hashed = hash_password(RIGHT)
    return database.write(
        lambda c: save_person(
            c, email="ann@example.org", display_name="Ann", role="member", password_hash=hashed, actor=None, now=NOW
        )
    )


def attempt(database, password, address, *, hashing=None, now=NOW):
    """How an attempt to sign in as Ann ends."""
    try:
        sign_in(
            database,
            email="ann@example.org",
            password=password,
            address=address,
            rules=RULES,
            hashing=hashing or nullcontext(),
            now=now,
        )
    except NotAllowedError:
        return "wrong"
    except QuotaError:
        return "too many"
    return "in"


@both_databases
def test_a_hundred_attempts_at_once_pass_the_limit_no_more_than_ten_in_a_row(database, ann):
    hashing, start = CountedHashing(), Barrier(ATTEMPTS)

    def guess(number):
        start.wait()
        return attempt(database, f"guess number {number}", "192.0.2.7", hashing=hashing)

    with ThreadPoolExecutor(ATTEMPTS) as threads:
        ends = Counter(threads.map(guess, range(ATTEMPTS)))
    assert ends == {"wrong": 10, "too many": 90}
    assert hashing.count == 10


@pytest.fixture
def quick_hashes(monkeypatch):
    """Passwords are compared without argon2, for attacks of hundreds of attempts."""
    from runoff.server.cases.accounts import sign_in as case
    from runoff.server.store.access import PasswordCheck

    monkeypatch.setattr(
        case, "check_password", lambda password, _: PasswordCheck(right=password == RIGHT, outdated=False)
    )


@both_databases
@pytest.mark.usefixtures("quick_hashes")
def test_an_attacker_elsewhere_does_not_lock_the_owner_out(database, ann):
    assert attempt(database, RIGHT, "192.0.2.1", now=later(days=-3)) == "in"
    for _ in range(15):
        attempt(database, "guess", "198.51.100.9")
    assert attempt(database, RIGHT, "198.51.100.9") == "too many"
    assert attempt(database, RIGHT, "192.0.2.1") == "in", "from where Ann has signed in before"
    assert attempt(database, RIGHT, "203.0.113.5") == "in", "and from anywhere else, after so few"


@pytest.mark.usefixtures("quick_hashes")
def test_a_thousand_addresses_guess_no_more_than_the_wider_limit_and_known_ones_stay_open(database, ann):
    attempt(database, RIGHT, "192.0.2.1", now=later(days=-3))
    ends = Counter(attempt(database, "guess", f"10.0.{number // 250}.{number % 250}") for number in range(300))
    assert ends == {"wrong": 10 * PER_ADDRESS, "too many": 300 - 10 * PER_ADDRESS}
    assert attempt(database, RIGHT, "203.0.113.5") == "too many"
    assert attempt(database, RIGHT, "192.0.2.1") == "in"
    assert attempt(database, RIGHT, "203.0.113.5", now=later(minutes=15)) == "in"


@pytest.mark.usefixtures("quick_hashes")
def test_all_addresses_of_one_ipv6_network_are_one(database, ann):
    ends = Counter(attempt(database, "guess", f"2001:db8:1:2::{number:x}") for number in range(30))
    assert ends == {"wrong": 10, "too many": 20}
    assert attempt(database, RIGHT, "2001:db8:1:3::1") == "in"


@pytest.mark.usefixtures("quick_hashes")
def test_what_was_refused_is_not_counted(database, ann):
    for second in range(0, 600, 20):
        attempt(database, "guess", "192.0.2.7", now=later(seconds=second))
    assert attempt(database, RIGHT, "192.0.2.7", now=later(minutes=14)) == "too many"
    assert attempt(database, RIGHT, "192.0.2.7", now=later(minutes=15, seconds=181)) == "in"
