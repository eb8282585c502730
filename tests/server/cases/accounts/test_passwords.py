"""New passwords: first guesses are refused, and what people make up themselves is not."""

from __future__ import annotations

import pytest

from runoff.errors import UsageError
from runoff.server.cases.accounts.passwords import check_new_password

BAD = [
    "password1234", "Password2026!", "P@ssw0rd-P@ssw0rd", "correct horse battery staple", "qwertyuiop12",
    "123456789012", "aaaaaaaaaaaa", "abcabcabcabc", "qwertyqwerty", "1qaz2wsx3edc", "0987654321098", "letmein letmein",
    "Welcome to 2026", "iloveyou1234", "Ann Boleyn 1536", "ann@example.org", "boleynboleyn1", "runoff-server!",
    "............", "admin admin admin", "            ", "Winter2026Winter",
]  # fmt: skip
GOOD = [
    "a walnut under snow", "long walks by rivers", "correct horse battery", "k2J9-xQ7w-Lm4p", "839201748271",
    "Grüße aus dem Wald", "日本語の長い文章です。そうです", "tr0ub4dor and three", "my dog ate a kite",
]  # fmt: skip


@pytest.mark.parametrize("password", BAD)
def test_first_guesses_are_refused(password):
    with pytest.raises(UsageError, match="easy to guess"):
        check_new_password(password, email="ann@example.org", display_name="Ann Boleyn")


@pytest.mark.parametrize("password", GOOD)
def test_others_are_taken(password):
    check_new_password(password, email="ann@example.org", display_name="Ann Boleyn")
