"""One person with many files or requests: others get their turn, and nobody pays for what was refused."""

from __future__ import annotations

import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event, Lock
from typing import Any

import pytest

import runoff.server.cases.runs.submit as submit_case
from runoff.errors import BusyError, TooOftenError
from runoff.server.cache import RateLimit
from runoff.server.cases.boards.board_views import BoardViews
from runoff.server.cases.uploads.check import look_through
from runoff.server.site import MOST_WAITING
from runoff.server.store.people import save_person, save_team
from runoff.server.web.app import create_app
from tests.server.cases.served import NOW, run_text
from tests.server.web.served import ask
from tests.server.web.serving import API

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
UPLOADS, TAKEN = 20, 1 + MOST_WAITING


def send(serving, headers, number, **metadata):
    files = {"file": (f"{number}.run", run_text(number))}
    data = {"metadata": json.dumps({"name": f"run {number}", **metadata})}
    return serving.client.post(f"{API}/boards/trees/runs", files=files, data=data, headers=headers)


def other_member(serving):
    """The header of somebody in a team of their own."""

    def fill(connection):
        row: Any = {"email": "eve@example.org", "display_name": "Eve", "role": "member"}
        person = save_person(connection, **row, actor=None, now=NOW)
        save_team(connection, slug="pines", name="Pines", founder=person.id, now=NOW)
        return person

    return serving.token_of(serving.site.database.write(fill), "read", "submit")


def test_twenty_files_of_one_person_leave_room_for_another(serving, monkeypatch):
    eve, go_on, lock = other_member(serving), Event(), Lock()
    reading: Counter[str] = Counter()
    most: Counter[str] = Counter()
    original = look_through

    def slow(path, *arguments, file_name, **more):
        who = "eve" if file_name.startswith("5") else "ann"
        with lock:
            reading[who] += 1
            most[who] = max(most[who], reading[who])
        if who == "ann":
            go_on.wait(60)
        with lock:
            reading[who] -= 1
        return original(path, *arguments, file_name=file_name, **more)

    monkeypatch.setattr(submit_case, "look_through", slow)
    with ThreadPoolExecutor(UPLOADS) as threads:
        sent = [threads.submit(send, serving, serving.bearer, 1000 + number) for number in range(UPLOADS)]
        end = time.monotonic() + 20
        while sum(answer.done() for answer in sent) < UPLOADS - TAKEN and time.monotonic() < end:
            time.sleep(0.01)
        begin = time.monotonic()
        assert send(serving, eve, 5000).status_code == 202
        assert time.monotonic() - begin < 10
        go_on.set()
        statuses = Counter(answer.result().status_code for answer in sent)
    assert most["ann"] == 1, "one is read at a time"
    assert statuses[503] == UPLOADS - TAKEN, "and eight wait"
    assert statuses[202] + statuses[429] == TAKEN


def test_what_can_be_refused_without_reading_waits_for_nobody(serving, monkeypatch):
    def never(*_, **__):
        raise AssertionError("it was read")

    assert send(serving, serving.bearer, 2000, name="taken").status_code == 202
    monkeypatch.setattr(submit_case, "look_through", never)
    with serving.site.reading.turn("somebody"), serving.site.reading.turn("somebody else"):
        assert send(serving, serving.bearer, 2001, name="taken").status_code == 409
        assert send(serving, serving.bearer, 2002, name="x" * 500).status_code == 422
        large = {"file": ("a.run", b"x" * (serving.site.settings.upload_limit + 1))}
        answer = serving.client.post(f"{API}/boards/trees/runs", files=large, headers=serving.bearer)
        assert answer.status_code == 413


def test_work_that_was_refused_or_failed_is_not_counted():
    limit = RateLimit(most=2)
    for error in (BusyError("later"), RuntimeError("fault")) * 5:
        with pytest.raises(type(error)), limit.charge("ann", NOON):
            raise error
    for _ in range(2):
        with limit.charge("ann", NOON):
            pass
    with pytest.raises(TooOftenError), limit.charge("ann", NOON):
        pass


@pytest.mark.parametrize("error", [TooOftenError("you have asked too often", free_at=NOON), BusyError("busy")])
def test_the_page_of_a_run_is_there_without_its_chart(small, monkeypatch, error):
    site = replace(small.site)
    app = create_app(site)
    app.state.cookies = {}
    paths = [f"/boards/{small.board.slug}/runs/{run.id}" for run in small.runs]
    whole = {path: ask(app, path).text for path in paths}
    with_chart = [path for path in paths if "<svg" in whole[path] or "<figure" in whole[path]]
    assert with_chart

    def refused(*_, **__):
        raise error

    app = create_app(replace(small.site))
    app.state.cookies = {}
    with monkeypatch.context() as patch:
        patch.setattr(BoardViews, "comparison", refused)
        for path in with_chart:
            answer = ask(app, path)
            assert answer.status_code == 200
            assert "The chart of this comparison is not shown" in answer.text
    for path in with_chart:
        assert ask(app, path).text == whole[path], "the page without a chart was not kept"
