"""Secrets are drawn, used once, and never kept."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta

import pytest

from runoff.errors import NotAllowedError, NotFoundError, QuotaError
from runoff.server.cases.accounts.sign_in import SignInRules, draw_token, make_link, sign_in, use_link
from runoff.server.store.access import load_session_person
from tests.server.cases.served import NOW
from tests.server.store.backends import both_databases

RULES = SignInRules(failures=2, session=timedelta(hours=1))


@both_databases
def test_from_a_link_to_a_session(database):
    token = database.write(lambda c: make_link(c, email="a@b.org", role="member", hours=1, actor=None, now=NOW))

    def use():
        return use_link(
            database, token, display_name="A", password="long enough here", person=None, hashing=nullcontext(), now=NOW
        )

    assert use().kind == "account"
    with pytest.raises(NotFoundError):
        use()

    def attempt(password, now=NOW):
        return sign_in(
            database, email="A@b.org", password=password, address="1.2.3.4", rules=RULES, hashing=nullcontext(), now=now
        )

    session = attempt("long enough here")
    with database.read() as connection:
        person = load_session_person(connection, session, NOW)
        assert person is not None
        assert person.email == "a@b.org"
        assert load_session_person(connection, session, NOW + timedelta(hours=1)) is None
    for _ in range(2):
        with pytest.raises(NotAllowedError):
            attempt("wrong")
    with pytest.raises(QuotaError):
        attempt("long enough here")
    assert attempt("long enough here", NOW + timedelta(minutes=15))


def test_tokens_differ_and_are_long():
    assert len({draw_token() for _ in range(50)}) == 50
    assert len(draw_token()) == 43
