"""An assessor with a browser who knows the answers, on a server with an open campaign."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from runoff.server.store.judgments import load_judgment_count, load_judgments
from tests.axe import grave_faults, overflow
from tests.server.store.upgraded import open_upgraded
from tests.server.web.judged import JudgeSite, better
from tests.server.web.travel import PATIENCE, PICTURES, WIDE, free_port, running

PAIRS = 13


@contextmanager
def judging_server(folder: Path, **changes: Any) -> Iterator[tuple[JudgeSite, str]]:
    """A running server with an open campaign, and its address."""
    database = open_upgraded(folder / "runoff.db")
    port = free_port()
    with JudgeSite.made_in(database, folder, **changes) as made, running(made.site, port):
        yield made, f"http://127.0.0.1:{port}"
    database.close()


class Assessor:
    """Somebody with a browser who knows the answers."""

    def __init__(
        self, browser: Any, served: Any, *, size: Any = WIDE, schemes: Sequence[str] = ("light",), **options: Any
    ) -> None:
        self.made, self.address = served
        self.context = browser.new_context(viewport=size, color_scheme=schemes[0], **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.width = size["width"]
        self.schemes = schemes
        self.said: list[str] = []
        self.page.on("console", lambda one: self.said.append(one.text) if one.type == "error" else None)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def open_link(self, **options: Any) -> None:
        self.page.goto(self.address + self.made.link(**options))

    def come_in(self) -> None:
        self.open_link()
        self.page.get_by_label("I have read this").check()
        self.press("Continue")
        self.press("Begin")
        self.sees("1 of 13")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()

    def sees(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()

    @property
    def side(self) -> str:
        texts = [self.page.locator(one).inner_text() for one in ("#question", "#first", "#second")]
        return better(*texts)

    def key(self) -> str:
        """The arrow of the better passage."""
        return {"left": "ArrowLeft", "right": "ArrowRight"}[self.side]

    def until(self, expression: str) -> None:
        """Wait until something is true in the page, whose policy forbids its browser to be asked by text."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(expression):
            assert time.monotonic() < deadline, expression
            self.page.wait_for_timeout(20)

    def saved(self, number: int) -> None:
        """Wait until the server has so many answers, those taken back among them, and the browser keeps none."""
        self.until("!Object.keys(localStorage).some((name) => /judge-\\d+$/.test(name))")
        with self.made.site.database.read() as connection:
            assert load_judgment_count(connection, self.made.campaign.id) == number

    def look(self, what: str) -> None:
        """Nothing is wider than the screen, nothing is wrong for axe in any theme, nothing was said by the browser."""
        for scheme in reversed(self.schemes):
            if len(self.schemes) > 1:
                self.page.emulate_media(color_scheme=scheme)
            over = overflow(self.page)
            assert over <= 0, f"{what} is {over} pixels wider than the screen"
            if PICTURES:
                self.page.screenshot(path=str(Path(PICTURES) / f"{what}-{self.width}-{scheme}.png"))
            assert grave_faults(self.page) == [], (what, scheme)
        # Off the net, which a test asks for, the page tries again in the background, and the browser says so.
        assert [words for words in self.said if "ERR_INTERNET_DISCONNECTED" not in words] == [], what


class Lossy:
    """A line on which choices arrive and their acknowledgements do not, as long as it is broken."""

    def __init__(self, page_or_context: Any) -> None:
        self.is_broken = True
        self.seen: list[int] = []
        self.keys: dict[str, list[str]] = {}
        """By pair, the key of each time that it was sent."""
        page_or_context.route("**/choices", self.pass_on)

    def pass_on(self, route: Any) -> None:
        sent = parse_qs(route.request.post_data)
        self.keys.setdefault(sent["pair"][0], []).append(sent["key"][0])
        if self.is_broken:
            self.seen.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()


def judged_rows(made: JudgeSite) -> Any:
    """The judgments that count."""
    with made.site.database.read() as connection:
        return load_judgments(connection, made.campaign.id)
