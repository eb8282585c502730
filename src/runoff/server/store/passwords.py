"""Passwords as argon2id hashes, and the hashes of tokens."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from runoff.errors import UsageError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST: Final = 12
# A password is hashed whole, so a very long one would be work for the server.
LONGEST: Final = 1000


@dataclass(frozen=True)
class PasswordCheck:
    """Whether a password is right, and whether its hash should be made anew with today's parameters."""

    right: bool
    outdated: bool


def hash_password(password: str) -> str:
    """The hash to keep of a password; it takes 64 MB and some tenths of a second, on purpose."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise UsageError(
            f"a password of {len(password)} characters cannot be used; expected {SHORTEST} to {LONGEST}; choose another"
        )
    return _hasher().hash(password)


def check_password(password: str, password_hash: str | None) -> PasswordCheck:
    """Whether a password is the one of the hash.

    Without a hash, because nobody has that address, it is compared all the same, with one that nothing fits, so that
    the time of the answer does not tell who has an account.
    """
    from argon2.exceptions import VerificationError

    if len(password) > LONGEST:
        return PasswordCheck(right=False, outdated=False)
    try:
        _hasher().verify(password_hash or _nobodys_hash(), password)
    except VerificationError:
        return PasswordCheck(right=False, outdated=False)
    if password_hash is None:
        return PasswordCheck(right=False, outdated=False)
    return PasswordCheck(right=True, outdated=_hasher().check_needs_rehash(password_hash))


def token_hash(token: str) -> str:
    """What is kept of a token.

    A token has 128 random bits or more, so a plain hash of it cannot be searched; a password would need argon2.

    >>> token_hash("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(token.encode()).hexdigest()


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher
    from argon2.profiles import RFC_9106_LOW_MEMORY

    # argon2id, 3 passes over 64 MB in 4 lanes: the second choice of RFC 9106, section 4, for a shared machine.
    return PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)


@cache
def _nobodys_hash() -> str:
    return _hasher().hash("nobody has this password")
