"""Files that take over or wear out whoever reads them: the server and its worker go on, and say what happened."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any

import pytest

import runoff.server.web
from runoff.server.cases.uploads.limited_process import LEAST_MEMORY, LimitedReader, Result
from runoff.server.site import SiteSettings, open_site
from runoff.server.store.jobs import MOST_ATTEMPTS, load_jobs
from runoff.server.worker import Worker
from tests.server.cases.served import run_text
from tests.server.store.backends import both_databases
from tests.server.web.hostile import planted
from tests.server.web.real import wait_until
from tests.server.web.serving import Serving


@dataclass(frozen=True, kw_only=True)
class HostileReader(LimitedReader):
    """The real process, in which every file is hostile."""

    what: str
    sign: str

    def read(
        self, work: Callable[..., Any], request: Mapping[str, Any], *, called: str, into: Callable[[Any], Result]
    ) -> Result:
        """What becomes of it."""
        assert work.__module__.startswith("runoff.server.cases.")
        return super().read(planted, {"what": self.what, "sign": self.sign}, called=called, into=into)


@pytest.fixture
def hostile(serving, tmp_path):
    """Makes the files that come next hostile ones."""
    sites = []

    def make(what, *, seconds=60):
        limits = {"memory": LEAST_MEMORY, "seconds": seconds}
        reader = HostileReader(what=what, sign=str(tmp_path / "sign"), **limits)
        site = replace(serving.site, reader=reader)
        serving.client.app.state.site = site
        sites.append(site)
        return site

    yield make
    serving.client.app.state.site = serving.site


def reader_is_gone(folder):
    number = int((folder / "sign").read_text())
    return not Path(f"/proc/{number}").exists()


@pytest.mark.parametrize("what, words", [
    ("memory", "a.run: needs more memory than 400,000,000 bytes to be read; expected less; fix its faults"),
    ("SIGSEGV", "a.run: reading it ended early (Segmentation fault): it is damaged, or needs more memory"),
    ("SIGKILL", "a.run: the process that read it was killed, perhaps for lack of memory; send it again later"),
])  # fmt: skip
def test_a_hostile_file_is_refused_and_nothing_is_kept(serving, hostile, tmp_path, what, words):
    hostile(what)
    (problem,) = serving.refused(run_text(1))
    assert problem.startswith(words)
    assert reader_is_gone(tmp_path)


def test_pages_are_served_while_a_hostile_file_is_read(serving, hostile, tmp_path, monkeypatch):
    is_time = Event()

    class Clock(Timer):
        """A clock that has come to its end when the test says so."""

        def run(self) -> None:
            while not self.finished.is_set() and not is_time.wait(0.01):
                pass
            if not self.finished.is_set():
                self.function()

    monkeypatch.setattr("runoff.server.cases.uploads.limited_process.Timer", Clock)
    hostile("loop", seconds=30)
    problems: list[str] = []
    sender = Thread(target=lambda: problems.extend(serving.refused(run_text(1))))
    sender.start()
    wait_until((tmp_path / "sign").exists)
    for _ in range(5):
        assert serving.client.get("/boards/trees").status_code == 200
        assert sender.is_alive()
    is_time.set()
    sender.join()
    assert problems == [
        "a.run: reading takes more than 30 s, the limit of this server; expected less; send a smaller file"
    ]
    assert reader_is_gone(tmp_path)


@both_databases
def test_a_hostile_run_is_rejected_and_the_worker_goes_on(serving, hostile, tmp_path):
    bad, good = (serving.send().json()["id"] for _ in range(2))
    assert Worker(hostile("SIGSEGV")).work_once()
    found = serving.run(bad).json()
    assert found["status"] == "rejected"
    assert found["problems"][0].startswith("a.run: reading it ended early (Segmentation fault)")
    assert reader_is_gone(tmp_path)
    serving.work()
    assert serving.run(good).json()["status"] == "scored"


def test_a_run_whose_reader_was_killed_has_more_attempts(serving, hostile):
    number = serving.send().json()["id"]
    site = hostile("SIGKILL")
    assert Worker(site).work_once()
    with site.database.read() as connection:
        (job,) = [one for one in load_jobs(connection) if one.payload.get("run_id") == number]
    assert (job.attempts, job.attempts < MOST_ATTEMPTS) == (1, True)
    serving.clock.moment = serving.clock.moment.replace(hour=23)
    serving.work()
    assert serving.run(number).json()["status"] == "scored"


def test_an_ordinary_run_is_read_apart_and_scored(apart: Serving):
    number = apart.send(run_text(7)).json()["id"]
    assert apart.work() == 1
    assert apart.run(number).json()["status"] == "scored"


def test_limits_are_settings(tmp_path):
    settings = SiteSettings(
        database=f"sqlite:///{tmp_path / 'a.db'}",
        folder=tmp_path / "files",
        read_memory=500_000_000,
        read_seconds=7,
        read_limit=9_000,
    )
    site = open_site(settings)
    assert site.reader == LimitedReader(memory=500_000_000, seconds=7, max_bytes=9_000)
    site.close()


def calls_with_reader(module: Any) -> list[tuple[str, bool]]:
    """The calls in a module of functions that take a reader, and whether it is given."""
    found = []
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = getattr(module, node.func.id, None)
            if callable(function) and "reader" in _parameters(function):
                is_given = any(word.arg == "reader" for word in node.keywords)
                found.append((f"{module.__name__}: {node.func.id}", is_given))
    return found


def _parameters(function: Callable[..., Any]) -> Any:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def test_every_file_is_read_within_the_limits_of_the_site():
    folder = Path(runoff.server.web.__file__).parent
    source = folder.parents[2]
    names = [file.relative_to(source).with_suffix("") for file in folder.rglob("*.py")]
    modules = [importlib.import_module(".".join(name.parts).removesuffix(".__init__")) for name in names]
    calls = [call for module in modules for call in calls_with_reader(module)]
    assert len(calls) > 10
    # The reader of a label version is that of its proposal, which is made before.
    assert [call for call, is_given in calls if not is_given] == [
        "runoff.server.web.pages.campaign_labels: make_label_version"
    ]
