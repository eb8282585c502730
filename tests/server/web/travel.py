"""A browser that goes through a site as a person does, and looks at every page it comes to."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from runoff.server.cases.accounts.sign_in import draw_token
from runoff.server.site import Site, SiteSettings, open_site
from runoff.server.store.access import save_session
from runoff.server.store.people import load_person_by_email
from runoff.server.web.app import create_app
from runoff.server.web.visitors import cookie_name
from runoff.server.worker import Worker
from tests.axe import grave_faults, overflow
from tests.server.cases.reading_here import HERE
from tests.server.store.upgraded import put_upgraded
from tests.server.web.waiting import wait_until

WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
WORDS = "correct horse battery"
PATIENCE = 45_000
"""Milliseconds that a page is waited for on a busy machine."""
PICTURES = os.environ.get("RUNOFF_PICTURES", "")
"""A folder for a picture of every page that is looked at; none are made without it."""

PICTURES_ARE_THERE = """() => [...document.images].every((image) => {
    const box = image.getBoundingClientRect();
    return image.complete || box.bottom < 0 || box.top > innerHeight;
})"""
"""Those further down are loaded when somebody scrolls to them."""


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def new_site(folder: Path, now: Callable[[], datetime]) -> tuple[Site, int]:
    """An empty site in a folder, with the clock that it goes by, and the port that its address names."""
    port = free_port()
    chosen = SiteSettings(
        database=put_upgraded(folder / "runoff.db"),
        folder=folder / "files",
        base_url=f"http://127.0.0.1:{port}",
        title="Tracks",
    )
    return replace(open_site(chosen), now=now, reader=HERE), port


@contextmanager
def running(site: Site, port: int) -> Iterator[threading.Lock]:
    """A server with a worker, in threads of the test; both look for news more often than they do elsewhere.

    The worker holds the lock while it does a job: whoever else holds it keeps the worker waiting.
    """
    working, work_once = threading.Lock(), Worker.work_once

    def work_once_alone(worker: Worker) -> bool:
        with working:
            return work_once(worker)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "work_once", work_once_alone)
        patch.setattr("runoff.server.worker.POLL_SECONDS", 0.05)
        patch.setattr(import_module("runoff.server.web.pages.run"), "REFRESH", 0.2)
        with serving_at(create_app(site, with_worker=True), port):
            yield working


@contextmanager
def serving_at(app: Any, port: int) -> Iterator[None]:
    """A server in a thread of the test."""
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(30)


@dataclass
class Traveller:
    """Somebody with a browser of their own."""

    browser: Any
    address: str
    dark: bool = False
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        scheme = "dark" if self.dark else "light"
        self.context = self.browser.new_context(viewport=WIDE, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def go(self, path: str) -> None:
        """Open an address."""
        self.page.goto(path if path.startswith("http") else self.address + path)

    def press(self, name: str) -> None:
        """Press the first button of this name."""
        self.page.get_by_role("button", name=name).first.click()

    def sees(self, text: str) -> None:
        """Wait until a text is there."""
        self.page.get_by_text(text).first.wait_for()

    def sees_after_a_while(self, text: str, path: str | None = None) -> None:
        """Load this page or another one again until a text is there."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not self.page.get_by_text(text).count():
            assert time.monotonic() < deadline, text
            self.page.wait_for_timeout(100)
            self.go(path) if path else self.page.reload()

    def is_signed_in(self, site: Site, email: str) -> None:
        """Have the session of somebody with an account."""
        token, now = draw_token(), site.now()

        def begin(connection: Any) -> None:
            person = load_person_by_email(connection, email)
            assert person is not None, email
            save_session(connection, person.id, token, expires_at=now + site.settings.session_time, now=now)

        site.database.write(begin)
        self.context.add_cookies([{"name": cookie_name(site), "value": token, "url": self.address}])

    def sign_in(self, email: str) -> None:
        """Sign in with the password of all tests."""
        self.go("/sign-in")
        self.fill_in_sign_in(email)

    def fill_in_sign_in(self, email: str) -> None:
        """Fill in the form that is there."""
        self.page.fill("input[name=email]", email)
        self.page.fill("input[name=password]", WORDS)
        self.page.locator("main").get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/account")

    def join(self, link: str, name: str, email: str) -> None:
        """Make an account with a one-time link, and sign in."""
        self.go(link)
        self.page.fill("input[name=display_name]", name)
        self.page.fill("input[name=password]", WORDS)
        self.page.get_by_role("button", name="Create the account").click()
        self.page.wait_for_url("**/sign-in?after=account")
        self.fill_in_sign_in(email)

    def submit(self, file: Path, name: str, *, button: str = "Submit", **more: str) -> None:
        """Fill in the form for a run and send it."""
        self.go("/boards/trees/submit")
        self.page.set_input_files("input[type=file]", str(file))
        self.page.fill("input[name=name]", name)
        for key, value in more.items():
            self.page.fill(f"input[name={key}]", value)
        self.page.get_by_role("button", name=button, exact=button == "Submit").click()

    def has_all_pictures(self) -> None:
        """Wait until every picture that the window shows is there."""
        wait_until(self.page, PICTURES_ARE_THERE)

    def look(self, name: str) -> None:
        """Check the page as it is: nothing wider than the screen on a desk or a phone, and no grave fault of axe."""
        page = self.page
        page.wait_for_load_state("load")
        for size in (NARROW, WIDE):
            page.set_viewport_size(size)
            over = overflow(page)
            assert over <= 0, f"{name} is {over} pixels wider than {size['width']}"
            if PICTURES:
                page.wait_for_load_state("networkidle")
                theme = "dark" if self.dark else "light"
                file = Path(PICTURES) / f"{name}-{size['width']}-{theme}.png"
                page.screenshot(path=str(file), full_page=True)
        assert grave_faults(page) == [], name

    def leave(self, *statuses: int) -> None:
        """Close the browser; it has complained of nothing but answers with these statuses."""
        expected = [f"status of {status}" for status in statuses]
        assert [text for text in self.said if not any(one in text for one in expected)] == []
        self.context.close()
