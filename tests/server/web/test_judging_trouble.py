"""Assessors in a browser when something is in the way: no net, a lost answer, a task that is gone, keys, a pause."""

from __future__ import annotations

import json
import re

import pytest

from runoff.server.cases.judging.enter import make_campaign_link
from runoff.server.cases.judging.manage import pause_campaign, resume_campaign
from runoff.server.store.judgments import load_judgment_count
from tests.server.web.assessor import PAIRS, Assessor, Lossy, judged_rows, judging_server
from tests.server.web.travel import NARROW, PATIENCE

pytestmark = pytest.mark.browser


@pytest.fixture
def served(tmp_path):
    """A running server with an open campaign, and its address."""
    with judging_server(tmp_path) as made:
        yield made


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
    one.sees("Your task was handed in.")
    rows = judged_rows(one.made)
    assert len(rows) == PAIRS
    assert one.said == []
    one.context.close()


def test_a_choice_survives_a_page_that_was_closed_and_an_answer_that_was_lost(browser, served):
    one = Assessor(browser, served)
    one.come_in()
    page = one.page
    lossy = Lossy(one.context)
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
    other.set_default_timeout(PATIENCE)
    other.goto(one.address + "/judge/best")
    one.sees("3 of 13")
    one.saved(2)
    assert max(map(len, lossy.keys.values())) > 1, "the first was sent again"
    assert [len(set(keys)) for keys in lossy.keys.values()] == [1, 1], "under the key that it had"
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
    one.sees("This task has changed in the meantime")
    one.page.get_by_role("link", name="Reload the page").click()
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
