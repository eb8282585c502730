"""Idle and slow clients, by raw sockets: they are closed in time, and never keep others out."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from dataclasses import replace

import pytest

from runoff.server.networks import customer_of
from runoff.server.web.connections import ConnectionLimits, connections_within_files
from tests.server.web.raw_clients import LARGE, OTHER, SETTINGS, answer, connected, get, serving


@pytest.mark.parametrize(
    "data, status",
    [
        pytest.param(b"", "", id="nothing is sent"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\n", "408", id="half of the headers"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx", "408", id="part of the body"),
    ],
)
def test_who_does_not_go_on_is_closed(data, status):
    with serving() as port, connected(port, data) as client:
        begin = time.monotonic()
        assert answer(client)[9:12] == status
        assert 0.8 < time.monotonic() - begin < 4


@pytest.mark.parametrize(
    "begin", [b"GET / HTTP/1.1\r\nX: ", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n"]
)
def test_a_byte_now_and_then_does_not_help(begin):
    with serving() as port, connected(port, begin) as client:
        client.settimeout(0.1)
        end = time.monotonic() + 5
        closed = False
        while not closed and time.monotonic() < end:
            with suppress(TimeoutError):
                client.sendall(b"x")
                closed = client.recv(1000) is not None
        assert closed


def test_a_body_that_takes_long_but_keeps_the_rate_is_taken():
    with serving() as port:
        size, step = 12_000, 1500
        with connected(port, f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {size}\r\n\r\n".encode()) as client:
            for _ in range(size // step):
                time.sleep(0.3)
                client.sendall(b"x" * step)
            assert f"\r\n\r\n{size} " in answer(client)


def test_who_does_not_read_the_answer_is_closed():
    with serving() as port, connected(port, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n") as client:
        time.sleep(4)
        assert len(answer(client)) < LARGE


def test_idle_connections_keep_nobody_out():
    with serving(replace(SETTINGS, header_seconds=60)) as port, ExitStack() as stack:
        for number in range(100):
            stack.enter_context(connected(port, b"GET / HTTP/1.1\r\n" if number % 2 else b""))
            if number % 10 == 0:
                assert "200 OK" in get(port)
        assert "200 OK" in get(port, source=OTHER)


def test_an_address_has_a_share_of_the_connections_but_a_proxy_all():
    def begin(source: str) -> None:
        body = b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
        client = stack.enter_context(connected(port, body, source))
        assert b" 100 " in client.recv(1000)

    with serving(replace(SETTINGS, body_seconds=60)) as port, ExitStack() as stack:
        for _ in range(2):
            begin(OTHER)
        assert " 503 " in get(port, source=OTHER)
        for _ in range(17):
            begin("127.0.0.1")
        assert "200 OK" in get(port)
        begin("127.0.0.1")
        assert " 503 " in get(port)


FORWARDED = "X-Forwarded-For: 203.0.113.1, 198.51.100.7\r\nX-Forwarded-Proto: https\r\n"


@pytest.mark.parametrize(
    "proxies, source, expected",
    [
        ("127.0.0.1, ::1", "127.0.0.1", "0 198.51.100.7 https"),
        ("127.0.0.1, ::1", OTHER, f"0 {OTHER} http"),
        ("127.0.0.8/30, 198.51.100.0/24", OTHER, "0 203.0.113.1 https"),
        ("", "127.0.0.1", "0 127.0.0.1 http"),
    ],
)
def test_forwarded_addresses_are_believed_from_trusted_proxies_alone(proxies, source, expected, monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    with serving(replace(SETTINGS, trusted_proxies=proxies)) as port:
        assert get(port, FORWARDED, source).endswith(f"\r\n\r\n{expected}")


def test_connections_stay_within_the_files_that_may_be_open(monkeypatch):
    import resource

    limits = [(1024, 4096)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: limits.append(pair))
    assert connections_within_files(100) == 100
    assert limits == [(1024, 4096)]
    assert connections_within_files(1000) == 1000
    assert limits[-1] == (1200, 4096)
    assert connections_within_files(10_000) == 3896
    assert limits[-1] == (4096, 4096)


def test_an_ipv6_network_counts_as_one_address():
    assert customer_of("2001:db8::1") == customer_of("2001:db8::ffff:1") != customer_of("2001:db8:0:1::1")
    assert customer_of("192.0.2.1") == "192.0.2.1"
    assert ConnectionLimits(connections=5, header_seconds=1, body_seconds=1).per_address == 1
