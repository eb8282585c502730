"""The log of a running server: no line of it is written by who asks, and no secret is in it."""

from __future__ import annotations

import asyncio
import logging

import pytest

from runoff.server.log import PlainFormatter
from runoff.server.web.guards import NO_ROUTE
from tests.server.web.serving import API

WALNUT = "walnut-of-a-link"
FORGED = "%0A2026-03-14 12:00:00,000 runoff.server.web ERROR planted"


@pytest.fixture
def lines(caplog):
    """The lines that the log has, as they are written."""
    formatter = PlainFormatter("%(name)s %(levelname)s %(message)s")

    def written():
        return "\n".join(
            formatter.format(record) for record in caplog.records if record.name.startswith("runoff")
        ).split("\n")

    with caplog.at_level(logging.INFO):
        yield written


def broken(*_, **__):
    raise RuntimeError("secret words")


def test_a_fault_names_the_route_and_not_the_address(serving, monkeypatch, lines):
    monkeypatch.setattr("runoff.server.web.accounts.sign_in.load_link", broken)
    monkeypatch.setattr("runoff.server.web.api.boards.load_board", broken)
    monkeypatch.setattr("runoff.server.web.pages.board.load_board", broken)
    assert serving.client.get(f"/links/{WALNUT}{FORGED}").status_code == 500
    assert serving.client.get(f"{API}/boards/{WALNUT}", headers=serving.bearer).status_code == 500
    assert serving.client.get(f"/boards/trees?team={WALNUT}").status_code == 500
    faults = [line for line in lines() if " ERROR " in line and not line.startswith(" ")]
    assert [line.split(" ERROR ")[1] for line in faults] == [
        "GET /links/{token}: RuntimeError",
        f"GET {API}/boards/{{slug}}: RuntimeError",
        "GET /boards/{slug}: RuntimeError",
    ]
    assert not [line for line in lines() if WALNUT in line or "planted" in line]


def test_a_full_disk_names_the_route_alone(serving, monkeypatch, lines):
    from runoff.errors import NoRoomError

    def full(*_, **__):
        raise NoRoomError("/srv/secret is full")

    monkeypatch.setattr("runoff.server.web.accounts.sign_in.load_link", full)
    assert serving.client.get(f"/links/{WALNUT}{FORGED}").status_code == 507
    assert [line.split(" ERROR ")[1] for line in lines() if " ERROR " in line] == ["GET /links/{token}: NoRoomError"]


def test_a_link_that_is_aborted_is_not_in_the_log(serving, lines):
    async def aborted():
        messages = iter([{"type": "http.request", "body": b"pass", "more_body": True}, {"type": "http.disconnect"}])
        sent = []

        async def receive():
            return next(messages)

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
            "path": f"/links/{WALNUT}", "raw_path": f"/links/{WALNUT}".encode(), "query_string": b"", "root_path": "",
            "headers": [(b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"100")],
            "client": ("192.0.2.1", 1), "server": ("testserver", 80),
        }  # fmt: skip
        await serving.client.app(scope, receive, send)
        return sent

    asyncio.run(aborted())
    assert not [line for line in lines() if WALNUT in line]
    assert not [line for line in lines() if "ERROR" in line]


def test_an_unknown_address_has_no_route(serving, monkeypatch, lines):
    monkeypatch.setattr("runoff.server.web.problems.show_page", broken)
    assert serving.client.get(f"/nothing/{WALNUT}{FORGED}").status_code == 500
    assert f"GET {NO_ROUTE}: RuntimeError" in "\n".join(lines())
    assert not [line for line in lines() if WALNUT in line or "planted" in line]


def test_terminal_codes_and_look_alikes_are_written_as_escapes():
    text = "a\x1b[31m\r\n2026 ERROR b \u0430\u202e \x85\u2028 \ud800"
    record = logging.LogRecord("web", logging.ERROR, "", 0, "%s", (text,), None)
    written = PlainFormatter("%(message)s").format(record)
    assert written == "a\\x1b[31m\\x0d\n    2026 ERROR b \\u0430\\u202e \\x85\\u2028 \\ud800"
