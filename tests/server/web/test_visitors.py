"""Who asks: by token, by cookie, or nobody; ended sessions and revoked tokens are nobody's."""

from __future__ import annotations

from datetime import timedelta

from runoff.server.store.access import load_api_tokens, save_api_token_revoked
from runoff.server.store.people import save_disabled
from runoff.server.web.visitors import csrf_of
from tests.server.cases.served import NOW
from tests.server.web.serving import API

QUOTA = f"{API}/boards/trees/quota"


def test_a_cookie_reads_and_a_revoked_token_does_nothing(serving):
    member = serving.served.member
    assert serving.client.get(QUOTA).status_code == 401
    serving.sign_in(member)
    assert serving.client.get(QUOTA).status_code == 200
    serving.clock.moment = NOW + timedelta(hours=serving.site.settings.session_hours)
    assert serving.client.get(QUOTA).status_code == 401
    assert serving.client.get(QUOTA, headers=serving.bearer).status_code == 200
    with serving.site.database.read() as connection:
        (token,) = load_api_tokens(connection, member.id)
    assert token.last_used_at == serving.clock.moment
    serving.site.database.write(
        lambda connection: save_api_token_revoked(connection, token.id, person_id=member.id, actor=member.id, now=NOW)
    )
    answer = serving.client.get(QUOTA, headers=serving.bearer)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="runoff"')


def test_a_closed_account_is_out_at_once(serving):
    serving.sign_in(serving.served.member)
    serving.site.database.write(
        lambda connection: save_disabled(connection, serving.served.member.id, actor=None, now=NOW)
    )
    assert serving.client.get(QUOTA).status_code == 401
    assert serving.client.get(QUOTA, headers=serving.bearer).status_code == 401


def test_the_api_takes_no_run_for_a_cookie(serving):
    serving.sign_in(serving.served.member)
    answer = serving.client.post(f"{API}/boards/trees/runs", files={"file": ("a", b"x")})
    assert answer.status_code == 403


def test_csrf_tells_nothing_of_the_session(serving):
    assert csrf_of("a") != csrf_of("b")
    assert "a" * 20 not in csrf_of("a" * 20)


def test_very_long_tokens_are_nobodys(serving):
    assert serving.client.get(QUOTA, headers={"Authorization": "Bearer " + "x" * 5000}).status_code == 401
    assert serving.client.get(QUOTA, headers={"Cookie": "runoff=" + "x" * 5000}).status_code == 401
