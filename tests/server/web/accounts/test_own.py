"""One's own API tokens."""

from __future__ import annotations

import re

from runoff.server.web.accounts.own import OF_ROLE
from tests.server.store.backends import both_databases
from tests.server.web.serving import API


@both_databases
def test_a_token_is_shown_once_works_and_is_revoked(serving):
    csrf = serving.sign_in(serving.served.member)
    data = {"csrf": csrf, "name": "laptop <i>", "read": "yes", "organise": "yes"}
    made = serving.client.post("/account/tokens", data=data)
    (token, _) = re.findall(r"[\w-]{43}", made.text.split("shown this once")[1].split("<table>")[0])
    assert "laptop &lt;i&gt;" in made.text
    page = serving.client.get("/account").text
    assert token not in page
    serving.client.cookies.clear()
    bearer = {"Authorization": f"Bearer {token}"}
    assert serving.client.get(f"{API}/boards", headers=bearer).status_code == 200
    # A member asked for more than members have; the scope is not there.
    assert (
        serving.client.post(f"{API}/boards/trees/runs", files={"file": ("a", b"x")}, headers=bearer).status_code == 403
    )
    assert serving.client.get("/account", headers=bearer).status_code == 403
    csrf = serving.sign_in(serving.served.member)
    number = max(int(found) for found in re.findall(r"/account/tokens/(\d+)/revoke", page))
    assert serving.client.post(f"/account/tokens/{number}/revoke", data={"csrf": csrf}).status_code == 303
    assert serving.client.post(f"/account/tokens/{number}/revoke", data={"csrf": csrf}).status_code == 404
    serving.client.cookies.clear()
    assert serving.client.get(f"{API}/boards", headers=bearer).status_code == 401


def test_a_token_without_a_scope_or_name_is_refused(serving):
    csrf = serving.sign_in(serving.served.member)
    for data in ({"name": "x"}, {"name": "", "read": "yes"}):
        assert serving.client.post("/account/tokens", data={"csrf": csrf, **data}).status_code == 422


def test_every_role_has_scopes():
    assert set(OF_ROLE) == {"organiser", "member", "assessor"}
