"""Assessors do a whole task in a browser: by keyboard alone, looked at in both themes, and without a script."""

from __future__ import annotations

import re

import pytest

from tests.server.web.assessor import PAIRS, Assessor, judged_rows, judging_server
from tests.server.web.travel import NARROW, WIDE

pytestmark = pytest.mark.browser


@pytest.fixture
def served(tmp_path):
    """A running server with an open campaign, and its address."""
    with judging_server(tmp_path) as made:
        yield made


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_whole_task_with_the_keyboard_alone(browser, served, size):
    one = Assessor(browser, served, size=size, schemes=("light", "dark"))
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
            one.until("document.getElementById('said').textContent.includes('undone. Pair 3 of 13')")
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
    one.sees("Your task was handed in.")
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


def test_without_a_script(browser, served):
    one = Assessor(browser, served, size=NARROW, java_script_enabled=False)
    one.open_link()
    one.page.get_by_label("I have read this").check()
    one.press("Continue")
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
    one.sees("Your task was handed in.")
    one.page.get_by_role("link", name="Finish here").click()
    one.press("Leave and get the code")
    one.sees("Your code")
    assert len(judged_rows(one.made)) == PAIRS
    one.context.close()
