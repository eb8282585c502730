import pytest

from runoff.errors import UsageError
from runoff.server.store import access as passwords
from runoff.server.store.access import PasswordCheck, check_password, hash_password, token_hash

REAL = passwords._hasher


@pytest.fixture(autouse=True)
def real_parameters(monkeypatch):
    """The work that a server does; other tests do less."""
    monkeypatch.setattr(passwords, "_hasher", REAL)
    passwords._nobodys_hash.cache_clear()
    yield
    passwords._nobodys_hash.cache_clear()


def test_a_password_is_known_again_and_no_other():
    kept = hash_password("correct horse battery")
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert kept != hash_password("correct horse battery")
    assert check_password("correct horse battery", kept) == PasswordCheck(right=True, outdated=False)
    assert check_password("correct horse batterz", kept) == PasswordCheck(right=False, outdated=False)


def test_an_older_hash_is_right_and_outdated():
    from argon2 import PasswordHasher

    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("correct horse battery")
    assert check_password("correct horse battery", weak) == PasswordCheck(right=True, outdated=True)


def test_without_a_hash_the_same_work_is_done_and_nothing_is_right(monkeypatch):
    from argon2 import PasswordHasher

    verified = []
    real = PasswordHasher.verify

    def verify(self, *arguments):
        verified.append(1)
        return real(self, *arguments)

    monkeypatch.setattr(PasswordHasher, "verify", verify)
    for password in ("anything at all", "nobody has this password"):
        assert not check_password(password, None).right
    assert len(verified) == 2


@pytest.mark.parametrize("length", [11, 1001])
def test_a_password_that_is_too_short_or_too_long_is_refused(length):
    with pytest.raises(UsageError, match=f"a password of {length} characters cannot be used; expected 12 to 1000"):
        hash_password("x" * length)
    assert not check_password("x" * 1001, None).right


def test_a_token_s_hash_is_sha256():
    assert token_hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, B.1
