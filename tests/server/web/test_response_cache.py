"""Answers that are shared: never out of date, made once, nobody's own, and out of the way of other pages."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib import import_module
from threading import Event

import httpx
import pytest

import runoff.server.cases.boards.board_views
import runoff.server.cases.views.analysis
from runoff.server.site import Site
from runoff.server.store.database import open_database
from runoff.server.web.app import ROUTES, create_app
from runoff.server.web.response_cache import SharedAnswers, Stamps, shared_addresses
from runoff.verbs.board import board_of
from tests.server.store.backends import both_databases
from tests.server.web.served import app_of, ask

ADDRESS = "/boards/passages"


class Counted:
    """A function that counts its calls, and waits for `go` in each."""

    def __init__(self, function, *, waits=False):
        self.function = function
        self.calls = 0
        self.go = Event()
        if not waits:
            self.go.set()

    def __call__(self, *arguments, **options):
        self.calls += 1
        assert self.go.wait(60)
        return self.function(*arguments, **options)


@pytest.fixture
def counted(monkeypatch):
    """Counts the boards that are computed."""
    made = Counted(board_of)
    monkeypatch.setattr(runoff.server.cases.views.analysis, "board_of", made)
    return made


def client_of(app):
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test")


async def until(condition):
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def other_server(serving):
    """The app of another process: nothing is shared with the first but the database and the files."""
    database = open_database(serving.site.database.url.render_as_string(hide_password=False))
    site = Site(database=database, files=serving.site.files, settings=serving.site.settings, now=serving.clock)
    app = create_app(site)
    app.state.cookies = {}
    return app, site


@both_databases
def test_every_server_shows_a_run_as_soon_as_it_is_scored(serving):
    app, site = other_server(serving)
    pages = ("/boards/trees", "/boards/trees/compare", "/api/v1/boards/trees")

    def shown(path):
        own, other = serving.client.get(path), ask(app, path)
        assert own.status_code == other.status_code == 200
        return own.text, other.text

    try:
        for number in range(3):
            name = f"new run {number}"
            before = [shown(path) for path in pages]
            assert all(name not in text for texts in before for text in texts)
            assert [shown(path) for path in pages] == before, "sent from memory"
            run = serving.send(said={"name": name}).json()["id"]
            assert [shown(path) for path in pages] == before, "a run that waits changes nothing"
            serving.work()
            assert all(name in text for path in pages for text in shown(path))
            own, other = shown(f"/boards/trees/runs/{run}")
            assert name in own
            assert own == other
            # Ranks and everything else are those of a server that has nothing in memory.
            fresh, fresh_site = other_server(serving)
            assert shown("/boards/trees")[0] == ask(fresh, "/boards/trees").text
            assert shown("/api/v1/boards/trees")[1] == ask(fresh, "/api/v1/boards/trees").text
            fresh_site.close()
    finally:
        site.close()


def test_visitors_at_the_same_moment_share_one_computation(small, counted):
    async def visit():
        async with client_of(app_of(small.site)) as client:
            paths = (ADDRESS, "/api/v1" + ADDRESS, f"{ADDRESS}?since=&x=1", f"{ADDRESS}/charts/timeline.svg")
            return await asyncio.gather(*(client.get(path) for path in paths * 20))

    answers = asyncio.run(visit())
    assert {answer.status_code for answer in answers} == {200}
    assert counted.calls == 1


def test_a_page_is_rendered_once_whatever_else_is_in_its_address(small, monkeypatch):
    routes = import_module("runoff.server.web.pages.board")
    rendered = Counted(routes.show_page)
    monkeypatch.setattr(routes, "show_page", rendered)
    app = app_of(small.site)
    paths = (ADDRESS, f"{ADDRESS}?team=&since=", f"{ADDRESS}?nothing=1", f"{ADDRESS}?team=Trees&team=")
    assert len({ask(app, path).text for path in paths}) == 1
    assert rendered.calls == 1
    assert ask(app, f"{ADDRESS}?team=&team=Trees").text != ask(app, ADDRESS).text


def test_a_board_that_is_computed_slowly_keeps_no_other_page_waiting(small, counted):
    async def visit():
        async with client_of(app_of(small.site)) as client:
            run = f"{ADDRESS}/runs/{small.runs[0].id}"
            assert (await client.get(run)).status_code == 200
            counted.go.clear()
            waiting = [asyncio.create_task(client.get(ADDRESS)) for _ in range(150)]
            await until(lambda: counted.calls == 1)
            others = [await client.get(path) for path in ("/", run, "/method", "/healthz", f"{run}?again=1")]
            assert not any(task.done() for task in waiting)
            counted.go.set()
            return others, await asyncio.gather(*waiting)

    others, answers = asyncio.run(visit())
    assert {answer.status_code for answer in (*others, *answers)} == {200}
    assert counted.calls == 1


def test_filters_beyond_a_few_at_once_are_asked_to_come_back(tmp_path, counted, monkeypatch):
    from tests.server.web.world import make_site

    monkeypatch.setattr(runoff.server.cases.boards.board_views, "PART_QUEUE", 2)
    fixture = make_site(tmp_path / "site", runs=12, queries=20)
    days = [run.submitted_at.date().isoformat() for run in fixture.runs[1:]]

    async def visit():
        async with client_of(app_of(fixture.site)) as client:
            assert (await client.get(ADDRESS)).status_code == 200
            counted.go.clear()
            tasks = [asyncio.create_task(client.get(f"{ADDRESS}?since={day}")) for day in days]
            await until(lambda: sum(task.done() for task in tasks) == len(days) - 3)
            whole = await client.get(ADDRESS)
            counted.go.set()
            answers = await asyncio.gather(*tasks)
            again = [await client.get(f"{ADDRESS}?since={day}") for day in days]
            return whole, answers, again

    whole, answers, again = asyncio.run(visit())
    fixture.site.close()
    assert whole.status_code == 200
    refused = [answer for answer in answers if answer.status_code != 200]
    assert len(refused) == len(days) - 3
    assert {(answer.status_code, answer.headers["retry-after"]) for answer in refused} == {(503, "5")}
    assert "try again in a few seconds" in refused[0].text
    assert {answer.status_code for answer in again} == {200}, "a refusal is not kept"
    assert counted.calls == 1 + len(days)


def test_what_somebody_sees_who_is_signed_in_is_not_shared(serving):
    app = serving.client.app
    app.state.cookies = {}
    serving.sign_in(serving.served.organiser)
    for _ in range(2):
        assert "/boards/trees/organise" in serving.client.get("/boards/trees").text
        assert "/boards/trees/organise" not in ask(app, "/boards/trees").text


@pytest.mark.parametrize(
    "headers", [{"Cookie": "runoff=x"}, {"Cookie": "a=b; runoff=x"}, {"Authorization": "Bearer x"}, {}]
)
def test_requests_with_credentials_go_to_the_app(small, headers):
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"for you alone"})

    shared = SharedAnswers(app, site=small.site, addresses=shared_addresses(ROUTES))
    for _ in range(2):
        asyncio.run(asked(shared, headers))
    assert len(seen) == (2 if headers else 1)


async def asked(app, headers):
    async with client_of(app) as client:
        return await client.get(ADDRESS, headers=headers)


def test_faults_and_cookies_are_not_kept(small):
    calls = []

    async def app(scope, receive, send):
        calls.append(scope["path"])
        cookie = [(b"set-cookie", b"a=b")] if scope["path"].endswith("compare") else []
        status = 200 if cookie else 404
        await send({"type": "http.response.start", "status": status, "headers": cookie})
        await send({"type": "http.response.body", "body": b"x"})

    shared = SharedAnswers(app, site=small.site, addresses=shared_addresses(ROUTES))

    async def visit():
        async with client_of(shared) as client:
            return [await client.get(path) for path in (ADDRESS, ADDRESS, f"{ADDRESS}/compare", f"{ADDRESS}/compare")]

    assert [answer.status_code for answer in asyncio.run(visit())] == [404, 404, 200, 200]
    assert len(calls) == 4


def test_a_board_that_is_not_there_is_the_apps_business(small):
    assert ask(app_of(small.site), "/boards/nowhere").status_code == 404


def test_bodies_are_compressed_for_those_who_take_it(small):
    app = app_of(small.site)
    plain = ask(app, ADDRESS, headers={"Accept-Encoding": "identity"})
    packed = ask(app, ADDRESS, headers={"Accept-Encoding": "br, gzip;q=0.5"})
    refused = ask(app, ADDRESS, headers={"Accept-Encoding": "gzip;q=0"})
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in refused.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert {one.headers["vary"] for one in (plain, packed)} == {"accept-encoding"}
    assert packed.content == plain.content == refused.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert "default-src 'none'" in packed.headers["content-security-policy"]


def test_a_stamp_is_asked_for_after_the_request_came(small):
    answers, go = [], Event()

    class Slow(Stamps):
        def _load(self, slug):
            answers.append(slug)
            found = super()._load(slug)
            assert go.wait(60)
            return replace(found, version=len(answers))

    stamps = Slow(small.site)

    async def visit():
        first = asyncio.create_task(stamps.of("passages"))
        await until(lambda: len(answers) == 1)
        later = [asyncio.create_task(stamps.of("passages")) for _ in range(30)]
        await asyncio.sleep(0.05)
        go.set()
        return (await first).version, {(await task).version for task in later}

    assert asyncio.run(visit()) == (1, {2})
    assert len(answers) == 2


def test_the_shared_addresses_and_their_parameters_are_those_of_the_routes():
    filters = {"labels", "queries", "team", "runs", "since", "until"}
    pair, look = {"champion", "challenger", "labels", "queries"}, {"theme", "size"}
    expected = {
        "/boards/a": filters,
        "/boards/a/charts/ranks.svg": filters | look,
        "/boards/a/runs/3": set(),
        "/boards/a/compare": pair,
        "/boards/a/compare/charts/x.svg": pair | look,
        "/api/v1/boards/a": {"query_set", "labels", "runs"},
        "/api/v1/boards/a/compare": {"champion", "challenger", "query_set", "labels"},
    }
    addresses = shared_addresses(ROUTES)
    assert len(addresses) == len(expected)
    for path, parameters in expected.items():
        (address,) = [address for address in addresses if address.pattern.fullmatch(path)]
        assert set(address.parameters) == parameters, path
    for path in ("/", "/boards/a/submit", "/boards/a/settings", "/api/v1/boards", "/api/v1/boards/a/quota", "/judge/a"):
        assert not any(address.pattern.fullmatch(path) for address in addresses)
