"""Assessors in a browser: by keyboard alone, on a phone, off the net, without a script, with the checks of axe."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from runoff.store.judgments import load_judgment_count, load_judgments
from runoff.workflows.judging.enter import make_campaign_link
from runoff.workflows.judging.manage import pause_campaign, resume_campaign
from tests.store.upgraded import open_upgraded
from tests.web.judged import JudgeSite, better
from tests.web.travel import NARROW, WIDE, free_port, running

pytestmark = pytest.mark.browser
PICTURES = os.environ.get("RUNOFF_PICTURES", "")
PAIRS = 13


@pytest.fixture
def served(tmp_path):
    """A running server with an open campaign, and its address."""
    database = open_upgraded(tmp_path / "runoff.db")
    port = free_port()
    with JudgeSite.made_in(database, tmp_path) as made, running(made.site, port):
        yield made, f"http://127.0.0.1:{port}"
    database.close()


class Assessor:
    """Somebody with a browser who knows the answers."""

    def __init__(self, browser: Any, served: Any, *, size: Any = WIDE, scheme: str = "light", **options: Any) -> None:
        self.made, self.address = served
        self.context = browser.new_context(viewport=size, color_scheme=scheme, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.name = f"{size['width']}-{scheme}"
        self.said: list[str] = []
        self.page.on("console", lambda one: self.said.append(one.text) if one.type == "error" else None)
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def open_link(self, **options: Any) -> None:
        self.page.goto(self.address + self.made.link(**options))

    def come_in(self) -> None:
        self.open_link()
        self.page.get_by_label("I have read this").check()
        self.press("Go on")
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
        for _ in range(150):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(expression)

    def saved(self, number: int) -> None:
        """Wait until the server has so many answers, those taken back among them, and the browser keeps none."""
        self.until("!Object.keys(localStorage).some((name) => /judge-\\d+$/.test(name))")
        with self.made.site.database.read() as connection:
            assert load_judgment_count(connection, self.made.campaign.id) == number

    def look(self, what: str) -> None:
        """Nothing is wider than the screen, nothing is wrong for axe, nothing was said by the browser."""
        from axe_playwright_python.sync_playwright import Axe

        over = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{what} is {over} pixels wider than the screen"
        if PICTURES:
            self.page.screenshot(path=str(Path(PICTURES) / f"{what}-{self.name}.png"))
        found = Axe().run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        grave = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")]
        assert grave == [], what
        assert self.said == [], what


class Lossy:
    """A line on which choices arrive and their acknowledgements do not, as long as it is broken."""

    def __init__(self, page: Any) -> None:
        self.is_broken = True
        self.seen: list[int] = []
        page.route("**/choices", self.pass_on)

    def pass_on(self, route: Any) -> None:
        if self.is_broken:
            self.seen.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()


def judged_rows(made: JudgeSite) -> Any:
    with made.site.database.read() as connection:
        return load_judgments(connection, made.campaign.id)


@pytest.mark.parametrize("size, scheme", [(WIDE, "light"), (NARROW, "dark"), (WIDE, "dark"), (NARROW, "light")])
def test_a_whole_task_with_the_keyboard_alone(browser, served, size, scheme):
    one = Assessor(browser, served, size=size, scheme=scheme)
    page, keys = one.page, one.page.keyboard
    one.open_link()
    one.look("enter")
    for _ in range(20):
        keys.press("Tab")
        if page.evaluate("document.activeElement.name === 'agree'"):
            break
    keys.press("Space")
    keys.press("Tab")
    keys.press("Enter")
    one.sees("Ready when you are")
    one.look("ready")
    page.get_by_role("button", name="Begin").focus()
    keys.press("Enter")
    one.sees("1 of 13")
    one.look("pair")
    heard(one, 1)
    for place in range(1, PAIRS + 1):
        one.sees(f"{place} of 13")
        side = one.side
        keys.press(one.key() if place % 2 else {"left": "1", "right": "2"}[one.side])
        if place == 3:
            one.sees("4 of 13")
            keys.press("u")
            one.until("document.getElementById('said').textContent.includes('taken back. Pair 3 of 13')")
            keys.press(one.key())
        if place < PAIRS:
            one.until(f"document.getElementById('said').textContent.includes('Pair {place + 1} of 13')")
            assert page.evaluate("document.activeElement.id") == "question"
            said = page.evaluate("document.getElementById('said').textContent")
            assert f"passage {1 if side == 'left' else 2}" in said.lower(), "the choice is acknowledged"
            assert page.locator("#question").inner_text() not in said, "the focus reads it"
        if place == 1:
            heard(one, 2)
    one.sees("All 13 pairs are answered")
    one.saved(PAIRS + 2)
    one.look("answered")
    page.get_by_role("button", name="Hand in").focus()
    keys.press("Enter")
    one.sees("The task is handed in.")
    assert len(judged_rows(one.made)) == PAIRS
    one.look("handed-in")
    page.get_by_role("link", name="Finish here").focus()
    keys.press("Enter")
    one.sees("Leave?")
    one.look("leave")
    page.get_by_role("button", name="Leave and get the code").focus()
    keys.press("Enter")
    one.sees("Your code")
    one.look("code")
    one.context.close()


def heard(one, place):
    """What a screen reader finds on a pair, by the browser's own accessibility tree."""
    page = one.page
    tree = page.locator("#judging").aria_snapshot()
    question = page.locator("#question").inner_text()
    assert f'heading "{question}" [level=1]' in tree
    assert 'progressbar "Pairs answered"' in tree
    assert f"{place} of 13" in tree
    assert "Which best answers the question?" in tree
    for number, key in ((1, "first"), (2, "second")):
        assert f'article "Passage {number}"' in tree
        assert f'heading "Passage {number}" [level=2]' in tree
        assert f'region "Passage {number}"' in tree
        assert page.locator(f"#{key}").inner_text()[:40] in tree
    group = tree[tree.index('group "Your choice"') :]
    assert re.findall(r'button "(Passage \d)"', group) == ["Passage 1", "Passage 2"]
    assert "- status" in tree or page.locator("#saving").get_attribute("role") == "status"
    assert page.locator("#said").get_attribute("aria-live") == "polite"
    places = [
        tree.index(words) for words in (f'heading "{question}"', 'article "Passage 1"', 'article "Passage 2"', "group")
    ]
    assert places == sorted(places), "in the order in which they are read"


def test_keys_do_nothing_while_they_are_held_off_or_with_others(browser, served):
    one = Assessor(browser, served)
    one.come_in()
    page = one.page
    page.keyboard.press("Control+ArrowLeft")
    page.keyboard.press("Alt+2")
    page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: '1', repeat: true, bubbles: true}))")
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.locator("textarea").focus()
    page.keyboard.press("1")
    page.locator("textarea").evaluate("(area) => { area.remove(); }")
    page.get_by_text("How to judge, and keys").click()
    page.get_by_label("Use keys").uncheck()
    page.keyboard.press("1")
    assert page.locator(".count").inner_text() == "1 of 13"
    page.reload()
    page.keyboard.press("1")
    assert page.locator(".count").inner_text() == "1 of 13", "the wish is remembered"
    page.get_by_text("How to judge, and keys").click()
    page.get_by_label("Use keys").check()
    page.keyboard.press("1")
    one.sees("2 of 13")
    one.saved(1)
    one.context.close()


def test_off_the_net_nothing_is_lost_or_doubled(browser, served):
    one = Assessor(browser, served, size=NARROW)
    one.come_in()
    page = one.page
    page.keyboard.press(one.key())
    one.saved(1)
    one.context.set_offline(True)
    for place in range(2, 6):
        one.sees(f"{place} of 13")
        page.keyboard.press(one.key())
    one.sees("6 of 13")
    one.sees("not saved yet")
    one.said.clear()
    one.look("offline")
    # One that was not sent is dropped here; the first may have arrived and has to be taken back there.
    page.keyboard.press("u")
    one.sees("5 of 13")
    page.keyboard.press(one.key())
    one.sees("6 of 13")
    with one.made.site.database.read() as connection:
        assert load_judgment_count(connection, one.made.campaign.id) == 1
    one.context.set_offline(False)
    one.sees("Everything is saved.")
    one.saved(5)
    one.said.clear()
    page.reload()
    for place in range(6, PAIRS + 1):
        one.sees(f"{place} of 13")
        page.keyboard.press(one.key())
    one.press("Hand in")
    one.sees("The task is handed in.")
    rows = judged_rows(one.made)
    assert len(rows) == PAIRS
    assert one.said == []
    one.context.close()


def test_a_choice_survives_a_page_that_was_closed_and_an_answer_that_was_lost(browser, served):
    one = Assessor(browser, served)
    one.come_in()
    page = one.page
    lossy = Lossy(page)
    page.keyboard.press(one.key())
    one.sees("2 of 13")
    page.keyboard.press(one.key())
    one.sees("3 of 13")
    one.until("document.getElementById('saving').textContent.includes('not saved yet')")
    lossy.is_broken = False
    assert set(lossy.seen) == {200}
    other = one.context.new_page()
    page.close(run_before_unload=False)
    one.page = other
    other.set_default_timeout(15_000)
    other.goto(one.address + "/judge/best")
    one.sees("3 of 13")
    one.saved(2)
    one.context.close()


def test_undo_of_what_may_have_arrived(browser, served):
    one = Assessor(browser, served)
    one.come_in()
    page = one.page
    lossy = Lossy(page)
    page.keyboard.press(one.key())
    one.sees("2 of 13")
    one.sees("Not saved yet")
    page.keyboard.press("u")
    one.sees("1 of 13")
    page.keyboard.press(one.key())
    one.sees("2 of 13")
    lossy.is_broken = False
    page.evaluate("window.dispatchEvent(new Event('online'))")
    one.saved(3)
    one.context.close()


def test_without_a_script(browser, served):
    one = Assessor(browser, served, size=NARROW, java_script_enabled=False)
    one.open_link()
    one.page.get_by_label("I have read this").check()
    one.press("Go on")
    one.press("Begin")
    for place in range(1, PAIRS + 1):
        one.sees(f"{place} of 13")
        assert one.page.locator(".keys").is_hidden()
        if place == 2:
            one.page.get_by_role("link", name="Mark words").click()
            assert one.page.locator("mark").count() > 0
            one.press("Undo the last choice")
            one.sees("1 of 13")
            one.press({"left": "Passage 1", "right": "Passage 2"}[one.side])
            one.sees("2 of 13")
        one.press({"left": "Passage 1", "right": "Passage 2"}[one.side])
    one.press("Hand in")
    one.sees("The task is handed in.")
    one.page.get_by_role("link", name="Finish here").click()
    one.press("Leave and get the code")
    one.sees("Your code")
    assert len(judged_rows(one.made)) == PAIRS
    one.context.close()


def test_marks_buttons_and_the_thumb(browser, served):
    one = Assessor(browser, served, size=NARROW, has_touch=True)
    one.come_in()
    page = one.page
    mark = page.get_by_role("button", name="Mark words of the question")
    assert page.locator("mark").count() == 0
    mark.click()
    assert mark.get_attribute("aria-pressed") == "true"
    words = {text.casefold() for text in page.locator("mark").all_inner_texts()}
    asked = set(re.findall(r"\w+", page.locator("#question").inner_text().casefold()))
    assert words
    assert words <= asked - {"what", "is", "about"}
    for name in ("Passage 1", "Passage 2"):
        at = page.get_by_role("button", name=name).bounding_box()
        assert at["height"] >= 44
        assert at["y"] + at["height"] <= NARROW["height"], "in reach without scrolling"
        assert at["y"] > NARROW["height"] / 2
    one.look("marked")
    page.get_by_role("button", name="Passage 2").tap()
    one.sees("2 of 13")
    assert page.locator("#judging b, #judging i").count() == 0, "texts are no markup"
    assert page.locator("#first").get_attribute("dir") == "auto"
    one.context.close()


def test_a_task_that_is_gone_is_told(browser, served):
    one = Assessor(browser, served)
    one.come_in()
    one.made.campaigned.wait(minutes=61)
    other = Assessor(browser, served)
    other.come_in()
    one.page.keyboard.press(one.key())
    one.sees("This task has changed meanwhile")
    one.page.get_by_role("link", name="Load the page again").click()
    one.sees("Ready when you are")
    other.context.clear_cookies()
    other.page.keyboard.press(other.key())
    other.sees("You are no longer signed in here.")
    kept = other.page.evaluate("Object.entries(localStorage).filter(([name]) => /judge-\\d+$/.test(name))[0][1]")
    assert len(json.loads(kept)) == 1
    for someone in (one, other):
        someone.context.close()


def test_a_pause_is_told(browser, served):
    one = Assessor(browser, served, size=NARROW)
    one.come_in()
    made = one.made.campaigned
    options = {"actor": made.organiser, "now": made.now()}
    one.page.get_by_role("link", name="Leave").click()
    one.sees("Leave?")
    pause_campaign(made.database, one.made.campaign.id, **options)
    token = make_campaign_link(made.database, one.made.campaign.id, most_uses=None, **options)
    two = Assessor(browser, served, size=NARROW)
    two.page.goto(f"{one.address}/enter/{token}")
    two.look("paused")
    resume_campaign(made.database, one.made.campaign.id, **options)
    for someone in (one, two):
        someone.context.close()
