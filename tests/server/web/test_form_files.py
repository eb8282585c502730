"""Forms with several files: only those of this server and session, and from people who may send them."""

from __future__ import annotations

import pytest

ADDRESSES = ("/organise/new-board", "/organise/board-archive", "/boards/trees/labels")


@pytest.mark.parametrize("address", ADDRESSES)
def test_they_need_an_organiser_a_token_and_this_site(serving, address):
    file = {"file": ("a", b"q 0 d 1\n")}
    assert serving.client.post(address, files=file).status_code == 401
    csrf = serving.sign_in(serving.served.member)
    assert serving.client.post(address, files=file, data={"csrf": csrf}).status_code == 403
    serving.client.cookies.clear()
    csrf = serving.sign_in(serving.served.organiser)
    assert serving.client.post(address, files=file, data={"csrf": "x"}).status_code == 403
    foreign = {"Origin": "https://evil.example"}
    assert serving.client.post(address, files=file, data={"csrf": csrf}, headers=foreign).status_code == 403
    assert serving.client.post(address, files=file, data={"csrf": csrf}).status_code == 422
    many = {f"file{number}": ("a", b"x") for number in range(20)}
    assert serving.client.post(address, files=many, data={"csrf": csrf}).status_code == 422
